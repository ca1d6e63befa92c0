import type { Facts } from '../facts.ts';
import { changeKinds } from '../git/raw-parser.ts';
import { createNumbers, type Numbers } from '../packed.ts';

/**
 * Follows files across renames. A lineage is one file's story under all its names; its home is the name it has now.
 * A path that was renamed away still belongs to the lineage that left it, so that edits made on a parallel branch
 * under the old name count, until a new file is added there: that one starts a story of its own.
 */
export interface Lineages {
  /** Path → lineage, or -1. */
  owner: Numbers;
  /** Lineage → home path. */
  home: Numbers;
  replay(commits: Iterable<number>): void;
  /** Makes sure that a path that is there has a lineage, even if no change of it could be read. */
  ensure(path: number): void;
  /** The lineage that `lineage` became when another file was renamed onto its path. */
  find(lineage: number): number;
  /** What differs from the state it began with; `renamed` once any file took another name. */
  changed: { lineages: Set<number>; paths: Set<number>; renamed: boolean };
  /** Touches of the commits replayed so far, in that order. */
  touches: { lineages: Numbers; commits: Numbers };
}

export function createLineages(facts: Facts, state?: { owner: Numbers; home: Numbers }): Lineages {
  const owner = state?.owner ?? createNumbers(1024, -1);
  const home = state?.home ?? createNumbers();
  const joined = createNumbers(1024, -1);
  const lastTouch = createNumbers(1024, -1);
  const changed = { lineages: new Set<number>(), paths: new Set<number>(), renamed: false };
  const touches = { lineages: createNumbers(1 << 12), commits: createNumbers(1 << 12) };

  const ownerOf = (path: number) => (path < owner.length ? find(owner.array[path]!) : -1);
  const find = (lineage: number): number => {
    while (lineage >= 0 && lineage < joined.length && joined.array[lineage]! >= 0)
      lineage = joined.array[lineage]!;
    return lineage;
  };
  const create = (path: number): number => {
    const lineage = home.length;
    home.push(path);
    owner.set(path, lineage);
    changed.lineages.add(lineage);
    changed.paths.add(path);
    return lineage;
  };
  const touch = (lineage: number, commit: number) => {
    if (lineage < lastTouch.length && lastTouch.array[lineage] === commit) return;
    lastTouch.set(lineage, commit);
    touches.lineages.push(lineage);
    touches.commits.push(commit);
  };
  const rename = (moves: Array<{ lineage: number; to: number }>, commit: number) => {
    const moving = new Set(moves.map((move) => move.lineage));
    for (const { lineage, to } of moves) {
      const there = ownerOf(to);
      changed.renamed = true;
      changed.lineages.add(lineage);
      if (there >= 0 && there !== lineage && home.array[there] === to && !moving.has(there)) {
        joined.set(there, lineage);
        changed.lineages.add(there);
      }
      owner.set(to, lineage);
      home.array[lineage] = to;
      touch(lineage, commit);
    }
  };
  const apply = (commit: number) => {
    let moves: Array<{ lineage: number; to: number }> | undefined;
    facts.eachChange(commit, (path, kind, from) => {
      if (kind !== changeKinds.renamed) return;
      const held = ownerOf(from);
      moves ??= [];
      moves.push({ lineage: held >= 0 ? held : create(from), to: path });
    });
    if (moves) rename(moves, commit);
    facts.eachChange(commit, (path, kind) => {
      if (kind === changeKinds.renamed) return;
      const held = ownerOf(path);
      const fresh = held < 0 || (kind === changeKinds.added && home.array[held] !== path);
      touch(fresh ? create(path) : held, commit);
    });
  };
  return {
    owner,
    home,
    changed,
    touches,
    find,
    replay: (commits) => {
      for (const commit of commits) apply(commit);
    },
    ensure: (path) => {
      if (ownerOf(path) < 0) create(path);
    },
  };
}
