import type { Areas, MatchedAtom, PathContext } from '../../stores/areas/index.ts';
import { type AtomRecord, createPathIndex } from '../../stores/areas/index.ts';

/** A commit with its changed paths. */
export interface Commit {
  sha: string;
  /** ISO time of the committer. */
  at: string;
  subject: string;
  paths: string[];
}

/** Commits later than `since`, newest first. `complete` is false if more exist than were read. */
export type CommitsSince = (since: string) => Promise<{ commits: Commit[]; complete: boolean }>;

export interface Staleness {
  /** `unknown` if the history could not be read. */
  state: 'fresh' | 'stale' | 'unknown';
  commits: number;
  since: string;
  latest: Array<Pick<Commit, 'sha' | 'at' | 'subject'>>;
}

const shownCommits = 5;

/** When the knowledge of an area was last reviewed: its text changed, or its changelog got an entry. */
const touchedAt = ({ knowledgeAt, changelog }: AtomRecord): string => {
  const told = changelog?.[0]?.createdAt ?? '';
  return told > knowledgeAt ? told : knowledgeAt;
};

/** How many commits changed each atom since then. */
export async function stalenessOf(
  atoms: AtomRecord[],
  commitsSince: CommitsSince,
): Promise<Map<string, Staleness>> {
  const result = new Map<string, Staleness>();
  if (atoms.length === 0) return result;
  const index = createPathIndex();
  for (const atom of atoms) {
    index.set(atom.id, atom.paths);
    result.set(atom.id, { state: 'fresh', commits: 0, since: touchedAt(atom), latest: [] });
  }
  const [oldest = ''] = [...result.values()].map(({ since }) => since).sort();
  try {
    const { commits } = await commitsSince(oldest);
    for (const commit of commits) {
      const owners = new Set(commit.paths.flatMap((path) => index.match(path)));
      for (const id of owners) {
        const staleness = result.get(id);
        if (!staleness || commit.at <= staleness.since) continue;
        staleness.state = 'stale';
        staleness.commits++;
        if (staleness.latest.length < shownCommits)
          staleness.latest.push({ sha: commit.sha, at: commit.at, subject: commit.subject });
      }
    }
  } catch {
    for (const staleness of result.values()) staleness.state = 'unknown';
  }
  return result;
}

export type AtomContext = MatchedAtom & { staleness?: Staleness };

export interface AreaContext extends PathContext {
  molecules: Array<PathContext['molecules'][number] & { atoms: AtomContext[] }>;
  orphanAtoms: AtomContext[];
}

/** Matched areas with their staleness. */
export async function withStaleness(context: PathContext, commitsSince: CommitsSince): Promise<AreaContext> {
  const atoms = [...context.molecules.flatMap((molecule) => molecule.atoms), ...context.orphanAtoms];
  const staleness = await stalenessOf(atoms, commitsSince);
  const mark = (atom: MatchedAtom): AtomContext => ({ ...atom, staleness: staleness.get(atom.id) });
  return {
    molecules: context.molecules.map((molecule) => ({ ...molecule, atoms: molecule.atoms.map(mark) })),
    orphanAtoms: context.orphanAtoms.map(mark),
    unmatchedPaths: context.unmatchedPaths,
  };
}

/** Atoms whose files changed after their knowledge, most changed first. */
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
    .flatMap((atom) => {
      const own = staleness.get(atom.id);
      return own?.state === 'stale' ? [{ ...atom, staleness: own }] : [];
    })
    .sort((a, b) => b.staleness.commits - a.staleness.commits || (a.name < b.name ? -1 : 1))
    .slice(0, request.limit);
}
