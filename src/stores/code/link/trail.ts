/** The lookups of a resolution: when any of them changes, the file is relinked. */
export interface Trail {
  files: Set<number>;
  /** Names looked up globally, and `m:`/`p:` marks of modules and packages. */
  lookups: Set<string>;
  visit(file: number): void;
  lookUp(name: string): void;
  /** A recorded trail. */
  follow(files: number[], lookups: string[]): void;
  mark(): Mark;
  /** The trail since the mark, to be replayed later. */
  since(mark: Mark): { files: number[]; lookups: string[] };
  /** No mark is held any more. */
  settle(): void;
  clear(): void;
}

export interface Mark {
  files: number;
  lookups: number;
}

/** Notes in order, so that the part of one answer can be cut out; the sets are filled when it has settled. */
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
