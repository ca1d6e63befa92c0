import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

export type Row = [what: string, make: (place: Place) => void, more?: Partial<StrangerCase>];

/** The cases of one group of the third set, with the commands that are tried first. */
export const rows = (group: string, aims: string[], list: Row[]): StrangerCase[] =>
  list.map(([what, make, more]) => ({ name: `third set: ${group}: ${what}`, make, aims, ...more }));

export const nested = (open: string, close: string, times: number): string =>
  `${open.repeat(times)}1${close.repeat(times)}`;

export const gitAims = ['then: index, search, doctor', 'why forget', 'then: session worktree, merge'];

/** An object of any form, as somebody who writes .git by hand makes it. */
export const object = (place: Place, kind: string, text: string | Uint8Array): string =>
  place.gitInput(text, 'hash-object', '-w', '-t', kind, '--literally', '--stdin');
export const head = (place: Place): string => place.git('rev-parse', 'HEAD');
