import type { Facts } from '../facts.ts';
import { changeKinds } from '../git/raw-parser.ts';
import { createNumbers, type Numbers } from '../packed.ts';

export type Lineages = ReturnType<typeof createLineages>;

/**
 * Follows files across renames. A lineage is the history of one file under all its names; its home is its current name.
 * A path that was renamed away still belongs to the lineage that left it, so that edits on a parallel branch
 * under the old name count, until a new file is added there: that one starts its own lineage.
 * `owner` has the lineage of a path, or -1; `home` the current path of a lineage.
 */
export function createLineages(
  facts: Facts,
  { owner, home }: { owner: Numbers; home: Numbers } = { owner: createNumbers(-1), home: createNumbers() },
) {
  const joined = createNumbers(-1);
  const lastTouch = createNumbers(-1);
  const changed = { lineages: new Set<number>(), paths: new Set<number>(), renamed: false };
  const touches = { lineages: createNumbers(), commits: createNumbers() };

  /** The lineage that `lineage` became when another file was renamed onto its path. */
  const find = (lineage: number): number => {
    for (let next = joined.get(lineage); next >= 0; next = joined.get(lineage)) lineage = next;
    return lineage;
  };
  const ownerOf = (path: number) => find(owner.get(path));
  const create = (path: number): number => {
    const lineage = home.length;
    home.push(path);
    owner.set(path, lineage);
    changed.lineages.add(lineage);
    changed.paths.add(path);
    return lineage;
  };
  const touch = (lineage: number, commit: number) => {
    if (lastTouch.get(lineage) === commit) return;
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
      if (there >= 0 && there !== lineage && home.get(there) === to && !moving.has(there)) {
        joined.set(there, lineage);
        changed.lineages.add(there);
      }
      owner.set(to, lineage);
      home.set(lineage, to);
      touch(lineage, commit);
    }
  };
  const apply = (commit: number) => {
    const moves: Array<{ lineage: number; to: number }> = [];
    facts.eachChange(commit, (path, kind, from) => {
      if (kind !== changeKinds.renamed) return;
      const held = ownerOf(from);
      moves.push({ lineage: held >= 0 ? held : create(from), to: path });
    });
    if (moves.length > 0) rename(moves, commit);
    facts.eachChange(commit, (path, kind) => {
      if (kind === changeKinds.renamed) return;
      const held = ownerOf(path);
      const fresh = held < 0 || (kind === changeKinds.added && home.get(held) !== path);
      touch(fresh ? create(path) : held, commit);
    });
  };
  return {
    owner,
    home,
    /** The differences from the initial state; `renamed` once any file was renamed. */
    changed,
    /** Touches of the commits replayed so far, in that order. */
    touches,
    find,
    /** The current path of a path's lineage, or -1. */
    homeOf: (path: number): number => {
      const lineage = ownerOf(path);
      return lineage < 0 ? -1 : home.get(lineage);
    },
    replay: (commits: Iterable<number>) => {
      for (const commit of commits) apply(commit);
    },
    /** Ensures that an existing path has a lineage, even if none of its changes could be read. */
    ensure: (path: number) => {
      if (ownerOf(path) < 0) create(path);
    },
  };
}
