import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { type AreaKind, atomOf, moleculeOf } from './area.ts';
import {
  type AreasContext,
  type Author,
  areaRow,
  knowledgeText,
  nameText,
  note,
  nowOf,
  relatedText,
  requireProject,
  summaryText,
  tableOf,
  tablesOf,
} from './context.ts';
import { nextGeneration, putRow, requireHome } from './ingest.ts';
import { checkPatterns } from './patterns.ts';
import type { AreaRows, AtomRow, MoleculeRow } from './tables.ts';

/** A molecule or an atom with its whole changelog, as exported to files. */
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

/** Molecules first, then atoms, each by age: the order in which they can be imported. */
export async function areaDocuments(context: AreasContext): Promise<AreaDocument[]> {
  const rowsOf = async <Kind extends AreaKind>(kind: Kind) =>
    (
      await sql<AreaRows[Kind]>`SELECT * FROM ${tableOf(kind)} ORDER BY created_at, id`.execute(
        tablesOf(context),
      )
    ).rows;
  const documents: AreaDocument[] = [];
  for (const row of await rowsOf('molecule')) documents.push(await documentOf(context, 'molecule', row));
  for (const row of await rowsOf('atom')) documents.push(await documentOf(context, 'atom', row));
  return documents;
}

export async function areaDocument(
  context: AreasContext,
  kind: AreaKind,
  id: string,
): Promise<AreaDocument | undefined> {
  const row = await areaRow(context, kind, id);
  return row && documentOf(context, kind, row);
}

async function documentOf(
  context: AreasContext,
  kind: AreaKind,
  row: AtomRow | MoleculeRow,
): Promise<AreaDocument> {
  const { rows: changelog } = await sql<AreaDocument['changelog'][number]>`
    SELECT id, task_id AS "taskId", summary, created_at AS "createdAt" FROM graph_changelog
    WHERE parent_type = ${kind} AND parent_id = ${row.id} ORDER BY created_at, seq`.execute(
    tablesOf(context),
  );
  if ('related_molecules' in row) {
    const { relatedMolecules, ...record } = moleculeOf(row);
    const related = relatedMolecules.map(({ moleculeId, reason }) => ({ id: moleculeId, reason }));
    return { ...record, kind, moleculeId: null, paths: [], related, changelog };
  }
  const { relatedAtoms, knowledgeAt: _knowledgeAt, ...record } = atomOf(row);
  const related = relatedAtoms.map(({ atomId, reason }) => ({ id: atomId, reason }));
  return { ...record, kind, related, changelog };
}

/**
 * Imports a document. A new one keeps its version and times, so that it exports byte for byte; an existing
 * one gets its next version. Changelog entries are added, never edited or removed.
 */
export async function putAreaDocument(context: AreasContext, by: Author, given: AreaDocument): Promise<void> {
  await context.library.write(async () => {
    const { kind, id, projectId, moleculeId } = given;
    await requireProject(context, projectId);
    const before = await areaRow(context, kind, id);
    if (before && before.project_id !== projectId)
      throw new SylkError('VALIDATION_ERROR', 'projectId cannot be changed.', {
        hint: 'Give the file a new id.',
      });
    const common = {
      id,
      project_id: projectId,
      name: nameText(given.name),
      knowledge: knowledgeText(given.knowledge),
      created_by_task_id: given.createdByTaskId,
      last_task_id: given.lastTaskId,
      version: before ? before.version + 1 : given.version,
      created_at: before?.created_at ?? given.createdAt,
      updated_at: before ? nowOf(context) : given.updatedAt,
    };
    if (kind === 'molecule') {
      const related = given.related.map((other) => ({ moleculeId: other.id, reason: other.reason }));
      await putRow(context, kind, { ...common, related_molecules: relatedText(related, 'relatedMolecules') });
    } else {
      await requireHome(context, projectId, moleculeId);
      const related = given.related.map((other) => ({ atomId: other.id, reason: other.reason }));
      await putRow(context, kind, {
        ...common,
        knowledge_at: common.updated_at,
        molecule_id: moleculeId,
        paths: JSON.stringify(checkPatterns(given.paths)),
        related_atoms: relatedText(related, 'relatedAtoms'),
        generation: await nextGeneration(context, projectId),
      });
    }
    for (const { id: entry, taskId, summary, createdAt } of given.changelog)
      await sql`INSERT INTO graph_changelog (id, parent_type, parent_id, task_id, summary, created_at)
        VALUES (${entry}, ${kind}, ${id}, ${taskId}, ${summaryText(summary)}, ${createdAt})
        ON CONFLICT (id) DO NOTHING`.execute(tablesOf(context));
    await note(context, by, 'import', kind, common, { version: common.version });
  });
}
