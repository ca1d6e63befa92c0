/** What the drawing is given: places are known, colours are names of kinds. */
export interface DrawnNode {
  id: string;
  label: string;
  kind: string;
  /** Instead of the colour of the kind: one of the shades. */
  shade?: number;
  x: number;
  y: number;
  size: number;
}

export interface DrawnLink {
  source: string;
  target: string;
  type: string;
  weight: number;
}

export interface Drawn {
  nodes: DrawnNode[];
  links: DrawnLink[];
  rings?: Array<{ name: string; depth: number; x: number; y: number; radius: number }>;
  box?: [left: number, right: number, bottom: number, top: number];
  /** Sizes are parts of the drawing and grow with it, instead of staying as they are on the screen. */
  scaled: boolean;
}

export const kindTitles: Record<string, string> = {
  file: 'Files',
  symbol: 'Symbols',
  commit: 'Commits',
  area: 'Areas',
  entry: 'Memory',
  task: 'Tasks',
  topic: 'References',
  skill: 'Skills',
};

export const kindTitle: Record<string, string> = {
  ...{ file: 'File', symbol: 'Symbol', commit: 'Commit', area: 'Area' },
  ...{ entry: 'Memory', task: 'Task', topic: 'Reference', skill: 'Skill' },
};

export const linkTitles: Record<string, string> = {
  changes_with: 'changes with',
  imports: 'imports',
  covers: 'covers',
  about: 'is about',
  blocks: 'comes before',
  made_from: 'made from',
  superseded_by: 'superseded by',
  related_to: 'related to',
  declares: 'declares',
  changed: 'changed',
  holds: 'holds',
};

export const linkTitle = (type: string): string => linkTitles[type] ?? type.replaceAll('_', ' ');
