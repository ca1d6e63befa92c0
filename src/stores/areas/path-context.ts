import { sql } from 'kysely';
import { byCodePoint } from '../../base/code-point-order.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { texts } from '../../base/library/index.ts';
import { type AreaKind, type AtomRecord, atomOf, type MoleculeRecord, moleculeOf } from './area.ts';
import { type AreasContext, requireProject, tableOf, tablesOf } from './context.ts';
import { createPathIndex, type PathIndex } from './path-index.ts';
import { complete, completeMolecules } from './query.ts';
import type { AreaRows } from './tables.ts';

export interface MatchedAtom extends AtomRecord {
  /** The requested paths that its patterns match, in the order of the request. */
  matchedPaths: string[];
}

export interface PathContext {
  molecules: Array<MoleculeRecord & { atoms: MatchedAtom[] }>;
  orphanAtoms: MatchedAtom[];
  unmatchedPaths: string[];
}

interface CachedIndex {
  index: PathIndex;
  generation: number;
  removals: number;
}

export type PathIndexes = Map<string, CachedIndex>;

/** Knowledge of the areas that match the given paths: molecules by name, atoms by name within. */
export async function pathContext(
  context: AreasContext & { indexes: PathIndexes },
  request: { projectId: string; paths: string[]; changelogLimit: number },
): Promise<PathContext> {
  const index = await freshIndex(context, request.projectId);
  const matched = new Map<string, string[]>();
  const unmatchedPaths: string[] = [];
  for (const path of new Set(request.paths)) {
    const owners = index.match(path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
    if (owners.length === 0) unmatchedPaths.push(path);
    for (const id of owners) {
      const paths = matched.get(id);
      if (paths) paths.push(path);
      else matched.set(id, [path]);
    }
  }
  if (matched.size === 0) {
    await requireProject(context, request.projectId);
    return { molecules: [], orphanAtoms: [], unmatchedPaths };
  }
  const rows = await rowsById(context, 'atom', [...matched.keys()]);
  const atoms = (await complete(context, rows.map(atomOf), request.changelogLimit))
    .map((atom): MatchedAtom => ({ ...atom, matchedPaths: matched.get(atom.id) ?? [] }))
    .sort(byName);
  const groups = Map.groupBy(atoms, (atom) => atom.moleculeId);
  const homes = [...groups.keys()].filter((id) => id !== null);
  const moleculeRows = await rowsById(context, 'molecule', homes);
  const molecules = await completeMolecules(context, moleculeRows.map(moleculeOf), request.changelogLimit);
  return {
    molecules: molecules
      .map((molecule) => ({ ...molecule, atoms: groups.get(molecule.id) ?? [] }))
      .sort(byName),
    orphanAtoms: groups.get(null) ?? [],
    unmatchedPaths,
  };
}

const byName = (a: { name: string; id: string }, b: { name: string; id: string }) =>
  byCodePoint(a.name, b.name) || byCodePoint(a.id, b.id);

async function rowsById<Kind extends AreaKind>(
  context: AreasContext,
  kind: Kind,
  ids: string[],
): Promise<Array<AreaRows[Kind]>> {
  if (ids.length === 0) return [];
  const found = sql<AreaRows[Kind]>`SELECT * FROM ${tableOf(kind)} WHERE id IN ${texts(ids)}`;
  return (await found.execute(tablesOf(context))).rows;
}

/** The matcher of a project, updated: only atoms with changed patterns are read again. */
async function freshIndex(
  context: AreasContext & { indexes: PathIndexes },
  projectId: string,
): Promise<PathIndex> {
  const state = await tablesOf(context)
    .selectFrom('graph_generations')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  const { generation, removals } = state ?? { generation: 0, removals: 0 };
  let cached = context.indexes.get(projectId);
  if (!cached || cached.removals !== removals || cached.generation > generation)
    cached = { index: createPathIndex(), generation: 0, removals };
  if (cached.generation < generation) {
    const rows = await tablesOf(context)
      .selectFrom('graph_atoms')
      .select(['id', 'paths', 'generation'])
      .where('project_id', '=', projectId)
      .where('generation', '>', cached.generation)
      .execute();
    for (const row of rows) {
      cached.index.set(row.id, parseJsonTexts(row.paths));
      cached.generation = Math.max(cached.generation, row.generation);
    }
    cached.generation = Math.max(cached.generation, generation);
  }
  context.indexes.set(projectId, cached);
  return cached.index;
}
