/** What was looked at on the way: when any of it changes, the file that asked is linked again. */
export interface Trail {
  files: Set<number>;
  /** Names looked for everywhere, and `m:`/`p:` marks of modules and packages. */
  lookups: Set<string>;
  visit(file: number): void;
  lookUp(name: string): void;
  /** A way that was gone before. */
  follow(files: number[], lookups: string[]): void;
  mark(): Mark;
  /** The way since the mark, to be followed again later. */
  since(mark: Mark): { files: number[]; lookups: string[] };
  /** Nobody holds a mark any more. */
  settle(): void;
  clear(): void;
}

export interface Mark {
  files: number;
  lookups: number;
}

/** Notes in order, so that the part that belongs to one answer can be told; the sets are filled when it has settled. */
export function createTrail(): Trail {
  const files = new Set<number>();
  const lookups = new Set<string>();
  const visited: number[] = [];
  const lookedUp: string[] = [];
  return {
    files,
    lookups,
    visit: (file) => {
      visited.push(file);
    },
    lookUp: (name) => {
      lookedUp.push(name);
    },
    follow: (others, names) => {
      for (const file of others) visited.push(file);
      for (const name of names) lookedUp.push(name);
    },
    mark: () => ({ files: visited.length, lookups: lookedUp.length }),
    since: (mark) => ({
      files: once(visited.slice(mark.files)),
      lookups: once(lookedUp.slice(mark.lookups)),
    }),
    settle: () => {
      for (const file of visited) files.add(file);
      for (const name of lookedUp) lookups.add(name);
      visited.length = 0;
      lookedUp.length = 0;
    },
    clear: () => {
      visited.length = 0;
      lookedUp.length = 0;
      files.clear();
      lookups.clear();
    },
  };
}

const once = <T>(items: T[]): T[] => (items.length < 2 ? items : [...new Set(items)]);
