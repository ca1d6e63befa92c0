import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../base/library/index.ts';
import { escapeLike } from '../../base/text/index.ts';
import { type AreaKind, type AtomRecord, atomOf, type MoleculeRecord, moleculeOf } from './area.ts';
import { recentChangelogs } from './changelog.ts';
import { type AreasContext, requireArea, tableOf, tablesOf } from './context.ts';
import type { AreaRows } from './tables.ts';

/** How many changelog entries to include; 0 for none. */
export interface Shallow {
  changelogLimit: number;
}

export async function getAtom(
  context: AreasContext,
  id: string,
  { changelogLimit }: Shallow,
): Promise<AtomRecord> {
  return (await complete(context, [atomOf(await requireArea(context, 'atom', id))], changelogLimit))[0]!;
}

/** With its member atoms, in order of name. */
export async function getMolecule(
  context: AreasContext,
  id: string,
  { changelogLimit }: Shallow,
): Promise<{ molecule: MoleculeRecord; atoms: AtomRecord[] }> {
  const molecule = moleculeOf(await requireArea(context, 'molecule', id));
  const members = [sql`molecule_id = ${id}`];
  const { rows } = await find(context, 'atom', members, { limit: 10_000, offset: 0 });
  return {
    molecule: (await completeMolecules(context, [molecule], changelogLimit))[0]!,
    atoms: await complete(context, rows.map(atomOf), changelogLimit),
  };
}

export interface AreaSearch extends Shallow {
  projectId: string;
  /** Every word must occur in name or knowledge, case-insensitively. */
  query?: string | undefined;
  moleculeId?: string | undefined;
  orphansOnly?: boolean | undefined;
  limit: number;
  offset: number;
}

/** In order of name, then id. */
export async function searchAtoms(
  context: AreasContext,
  search: AreaSearch,
): Promise<{ items: AtomRecord[]; total: number }> {
  const where = [...filters(search)];
  if (search.moleculeId !== undefined) where.push(sql`molecule_id = ${search.moleculeId}`);
  if (search.orphansOnly) where.push(sql`molecule_id IS NULL`);
  const { rows, total } = await find(context, 'atom', where, search);
  return { items: await complete(context, rows.map(atomOf), search.changelogLimit), total };
}

export async function searchMolecules(
  context: AreasContext,
  search: AreaSearch,
): Promise<{ items: MoleculeRecord[]; total: number }> {
  const { rows, total } = await find(context, 'molecule', filters(search), search);
  return { items: await completeMolecules(context, rows.map(moleculeOf), search.changelogLimit), total };
}

function filters(search: AreaSearch): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [sql`project_id = ${search.projectId}`];
  for (const word of (search.query ?? '').toLowerCase().split(/\s+/).filter(Boolean))
    parts.push(sql`lower(name || ' ' || knowledge) LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\'`);
  return parts;
}

async function find<Kind extends AreaKind>(
  context: AreasContext,
  kind: Kind,
  where: RawBuilder<unknown>[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Array<AreaRows[Kind]>; total: number }> {
  const from = sql`FROM ${tableOf(kind)} WHERE ${sql.join(where, sql` AND `)}`;
  const counted = await sql<{ total: number }>`SELECT count(*) AS total ${from}`.execute(tablesOf(context));
  const { rows } = await sql<
    AreaRows[Kind]
  >`SELECT * ${from} ORDER BY name, id LIMIT ${limit} OFFSET ${offset}`.execute(tablesOf(context));
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function complete(
  context: AreasContext,
  atoms: AtomRecord[],
  changelogLimit: number,
): Promise<AtomRecord[]> {
  const named = await withNames(context, atoms);
  if (changelogLimit <= 0) return named;
  const recent = await recentChangelogs(context, 'atom', ids(atoms), changelogLimit);
  return named.map((atom) => ({ ...atom, changelog: recent.get(atom.id) ?? [] }));
}

export async function completeMolecules(
  context: AreasContext,
  molecules: MoleculeRecord[],
  changelogLimit: number,
): Promise<MoleculeRecord[]> {
  if (changelogLimit <= 0) return molecules;
  const recent = await recentChangelogs(context, 'molecule', ids(molecules), changelogLimit);
  return molecules.map((molecule) => ({ ...molecule, changelog: recent.get(molecule.id) ?? [] }));
}

/** Current names of related atoms; null if the other end was deleted. */
async function withNames(context: AreasContext, atoms: AtomRecord[]): Promise<AtomRecord[]> {
  const wanted = new Set(atoms.flatMap(({ relatedAtoms }) => relatedAtoms.map(({ atomId }) => atomId)));
  if (wanted.size === 0) return atoms;
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM graph_atoms WHERE id IN ${texts(wanted)}`.execute(tablesOf(context));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return atoms.map((atom) => ({
    ...atom,
    relatedAtoms: atom.relatedAtoms.map((other) => ({ ...other, name: names.get(other.atomId) ?? null })),
  }));
}

const ids = (records: Array<{ id: string }>) => records.map((record) => record.id);
