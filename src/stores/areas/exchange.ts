import { SylkError } from '../../base/errors.ts';
import type { AreaKind } from './area.ts';
import { nextGeneration } from './atoms.ts';
import {
  type AreasContext,
  type Author,
  knowledgeText,
  nameText,
  note,
  nowOf,
  relatedList,
  requireMolecule,
  requireProject,
  summaryText,
  tablesOf,
} from './context.ts';
import { checkPatterns } from './patterns.ts';
import { atomOf, moleculeOf } from './rows.ts';
import type { AtomRow, MoleculeRow } from './tables.ts';

/** A molecule or an atom with its whole changelog, as it travels in files. */
export interface AreaDocument {
  kind: AreaKind;
  id: string;
  projectId: string;
  moleculeId: string | null;
  name: string;
  paths: string[];
  knowledge: string;
  related: Array<{ id: string; reason: string }>;
  createdByTaskId: string;
  lastTaskId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** Oldest first. */
  changelog: Array<{ id: string; taskId: string; summary: string; createdAt: string }>;
}

/** Molecules first, then atoms, each by age: the order in which they can be read back. */
export async function areaDocuments(context: AreasContext): Promise<AreaDocument[]> {
  const tables = tablesOf(context);
  const molecules = await tables
    .selectFrom('graph_molecules')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const atoms = await tables
    .selectFrom('graph_atoms')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const documents: AreaDocument[] = [];
  for (const row of molecules) documents.push(await moleculeDocument(context, row));
  for (const row of atoms) documents.push(await atomDocument(context, row));
  return documents;
}

export async function areaDocument(
  context: AreasContext,
  kind: AreaKind,
  id: string,
): Promise<AreaDocument | undefined> {
  const tables = tablesOf(context);
  if (kind === 'molecule') {
    const row = await tables
      .selectFrom('graph_molecules')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && moleculeDocument(context, row);
  }
  const row = await tables.selectFrom('graph_atoms').selectAll().where('id', '=', id).executeTakeFirst();
  return row && atomDocument(context, row);
}

async function moleculeDocument(context: AreasContext, row: MoleculeRow): Promise<AreaDocument> {
  const { relatedMolecules, changelog: _shallow, ...record } = moleculeOf(row);
  return {
    ...record,
    kind: 'molecule',
    moleculeId: null,
    paths: [],
    related: relatedMolecules.map(({ moleculeId, reason }) => ({ id: moleculeId, reason })),
    changelog: await entries(context, 'molecule', row.id),
  };
}

async function atomDocument(context: AreasContext, row: AtomRow): Promise<AreaDocument> {
  const { relatedAtoms, changelog: _shallow, ...record } = atomOf(row);
  return {
    ...record,
    kind: 'atom',
    related: relatedAtoms.map(({ atomId, reason }) => ({ id: atomId, reason })),
    changelog: await entries(context, 'atom', row.id),
  };
}

async function entries(
  context: AreasContext,
  kind: AreaKind,
  id: string,
): Promise<AreaDocument['changelog']> {
  const rows = await tablesOf(context)
    .selectFrom('graph_changelog')
    .selectAll()
    .where('parent_type', '=', kind)
    .where('parent_id', '=', id)
    .orderBy('created_at')
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    taskId: row.task_id,
    summary: row.summary,
    createdAt: row.created_at,
  }));
}

/**
 * Takes a document in. A new one keeps its version and times, so that it is written out again byte for byte; one
 * that is there already moves to its next version. Changelog entries are added, never edited and never removed.
 */
export async function putAreaDocument(context: AreasContext, by: Author, given: AreaDocument): Promise<void> {
  await context.library.write(async () => {
    await requireProject(context, given.projectId);
    const before = await areaDocument(context, given.kind, given.id);
    if (before && before.projectId !== given.projectId)
      throw new SylkError('VALIDATION_ERROR', 'projectId cannot be changed.', {
        hint: 'Give the file a new id.',
      });
    const common = {
      id: given.id,
      project_id: given.projectId,
      name: nameText(given.name),
      knowledge: knowledgeText(given.knowledge),
      created_by_task_id: given.createdByTaskId,
      last_task_id: given.lastTaskId,
      version: before ? before.version + 1 : given.version,
      created_at: before?.createdAt ?? given.createdAt,
      updated_at: before ? nowOf(context) : given.updatedAt,
    };
    if (given.kind === 'molecule') await putMolecule(context, common, given, before !== undefined);
    else await putAtom(context, common, given, before !== undefined);
    for (const entry of given.changelog) {
      await tablesOf(context)
        .insertInto('graph_changelog')
        .values({
          id: entry.id,
          parent_type: given.kind,
          parent_id: given.id,
          task_id: entry.taskId,
          summary: summaryText(entry.summary),
          created_at: entry.createdAt,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    }
    await note(context, by, 'import', given.kind, common, { version: common.version });
  });
}

type Common = Omit<MoleculeRow, 'related_molecules'>;

async function putMolecule(
  context: AreasContext,
  common: Common,
  given: AreaDocument,
  there: boolean,
): Promise<void> {
  const related = given.related.map(({ id, reason }) => ({ moleculeId: id, reason }));
  const row: MoleculeRow = {
    ...common,
    related_molecules: JSON.stringify(relatedList(related, 'relatedMolecules')),
  };
  const tables = tablesOf(context);
  if (there) await tables.updateTable('graph_molecules').set(row).where('id', '=', row.id).execute();
  else await tables.insertInto('graph_molecules').values(row).execute();
}

async function putAtom(
  context: AreasContext,
  common: Common,
  given: AreaDocument,
  there: boolean,
): Promise<void> {
  if (given.moleculeId && (await requireMolecule(context, given.moleculeId)).project_id !== given.projectId)
    throw new SylkError('INVARIANT_VIOLATION', 'The molecule belongs to another project.', {
      hint: 'An atom and its molecule live in the same project.',
    });
  const related = given.related.map(({ id, reason }) => ({ atomId: id, reason }));
  const row: AtomRow = {
    ...common,
    molecule_id: given.moleculeId,
    paths: JSON.stringify(checkPatterns(given.paths)),
    related_atoms: JSON.stringify(relatedList(related, 'relatedAtoms')),
    generation: await nextGeneration(context, given.projectId),
  };
  const tables = tablesOf(context);
  if (there) await tables.updateTable('graph_atoms').set(row).where('id', '=', row.id).execute();
  else await tables.insertInto('graph_atoms').values(row).execute();
}
