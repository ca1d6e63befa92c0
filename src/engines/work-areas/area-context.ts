import type { Areas, AtomRecord, MatchedAtom, PathContext } from '../../stores/areas/index.ts';
import { type CommitsSince, type Staleness, stalenessOf } from './staleness.ts';

export type AtomContext = MatchedAtom & { staleness?: Staleness };

export interface AreaContext extends PathContext {
  molecules: Array<PathContext['molecules'][number] & { atoms: AtomContext[] }>;
  orphanAtoms: AtomContext[];
}

/** Matched areas with how far the code has moved on under each. */
export async function withStaleness(context: PathContext, commitsSince: CommitsSince): Promise<AreaContext> {
  const atoms = [...context.molecules.flatMap((molecule) => molecule.atoms), ...context.orphanAtoms];
  const staleness = await stalenessOf(atoms, commitsSince);
  const mark = (atom: MatchedAtom): AtomContext => ({ ...atom, staleness: staleness.get(atom.id)! });
  return {
    molecules: context.molecules.map((molecule) => ({ ...molecule, atoms: molecule.atoms.map(mark) })),
    orphanAtoms: context.orphanAtoms.map(mark),
    unmatchedPaths: context.unmatchedPaths,
  };
}

/** Atoms whose files changed since their knowledge did, most first. */
export async function staleAtoms(
  areas: Areas,
  commitsSince: CommitsSince,
  request: { projectId: string; limit: number },
): Promise<Array<AtomRecord & { staleness: Staleness }>> {
  const { items } = await areas.searchAtoms({
    projectId: request.projectId,
    changelogLimit: 1,
    limit: 10_000,
    offset: 0,
  });
  const staleness = await stalenessOf(items, commitsSince);
  return items
    .map((atom) => ({ ...atom, staleness: staleness.get(atom.id)! }))
    .filter((atom) => atom.staleness.state === 'stale')
    .sort((a, b) => b.staleness.commits - a.staleness.commits || (a.name < b.name ? -1 : 1))
    .slice(0, request.limit);
}
