import { type RawBuilder, sql } from 'kysely';
import { escapeLike } from '../../base/text/index.ts';
import type { AreaKind, AtomRecord, MoleculeRecord } from './area.ts';
import { recentChangelogs } from './changelog.ts';
import { type AreasContext, requireAtom, requireMolecule, tablesOf } from './context.ts';
import { withNames } from './names.ts';
import { atomOf, moleculeOf } from './rows.ts';
import type { AtomRow, MoleculeRow } from './tables.ts';

/** How many changelog entries come along; 0 leaves them out. */
export interface Shallow {
  changelogLimit: number;
}

export async function getAtom(
  context: AreasContext,
  id: string,
  { changelogLimit }: Shallow,
): Promise<AtomRecord> {
  return (await complete(context, [atomOf(await requireAtom(context, id))], changelogLimit))[0]!;
}

/** With its member atoms, in order of name. */
export async function getMolecule(
  context: AreasContext,
  id: string,
  { changelogLimit }: Shallow,
): Promise<{ molecule: MoleculeRecord; atoms: AtomRecord[] }> {
  const molecule = moleculeOf(await requireMolecule(context, id));
  const rows = await tablesOf(context)
    .selectFrom('graph_atoms')
    .selectAll()
    .where('molecule_id', '=', id)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return {
    molecule: (await completeMolecules(context, [molecule], changelogLimit))[0]!,
    atoms: await complete(context, rows.map(atomOf), changelogLimit),
  };
}

export interface AreaSearch extends Shallow {
  projectId: string;
  /** Every word must occur in name or knowledge, in any case. */
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
  const { rows, total } = await find<AtomRow>(context, 'atom', where, search);
  return { items: await complete(context, rows.map(atomOf), search.changelogLimit), total };
}

export async function searchMolecules(
  context: AreasContext,
  search: AreaSearch,
): Promise<{ items: MoleculeRecord[]; total: number }> {
  const { rows, total } = await find<MoleculeRow>(context, 'molecule', filters(search), search);
  return { items: await completeMolecules(context, rows.map(moleculeOf), search.changelogLimit), total };
}

function filters(search: AreaSearch): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [sql`project_id = ${search.projectId}`];
  for (const word of (search.query ?? '').toLowerCase().split(/\s+/).filter(Boolean))
    parts.push(sql`lower(name || ' ' || knowledge) LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\'`);
  return parts;
}

async function find<Row>(
  context: AreasContext,
  kind: AreaKind,
  where: RawBuilder<unknown>[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Row[]; total: number }> {
  const from = sql`FROM ${sql.table(kind === 'atom' ? 'graph_atoms' : 'graph_molecules')} WHERE ${sql.join(where, sql` AND `)}`;
  const counted = await sql<{ total: number }>`SELECT count(*) AS total ${from}`.execute(tablesOf(context));
  const { rows } = await sql<Row>`SELECT * ${from} ORDER BY name, id LIMIT ${limit} OFFSET ${offset}`.execute(
    tablesOf(context),
  );
  return { rows, total: counted.rows[0]!.total };
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

const ids = (records: Array<{ id: string }>) => records.map((record) => record.id);
