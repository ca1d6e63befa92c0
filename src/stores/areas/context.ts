import { type Kysely, sql } from 'kysely';
import { type Clock, isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { fieldText } from '../../base/field-text.ts';
import type { Library } from '../../base/library/index.ts';
import type { DocumentIndex } from '../../base/search/index.ts';
import type { AreaKind } from './area.ts';
import type { AreaRows, AreaTables } from './tables.ts';

/** The author. Agents name the task they work on; a person need not. */
export interface Author {
  actor: string;
  person?: boolean;
}

/** What areas need from projects and tasks, which are in another store. */
export interface Surroundings {
  projectExists(id: string): Promise<boolean>;
  taskExists(id: string): Promise<boolean>;
}

export interface AreasContext {
  library: Library;
  clock: Clock;
  /** The word index of molecules and atoms. */
  words: DocumentIndex;
  around: Surroundings;
}

export const tablesOf = (context: AreasContext): Kysely<AreaTables> => context.library.tables<AreaTables>();
export const nowOf = (context: AreasContext): string => isoTime(context.clock.now());

const knowledgeBytes = 32 * 1024;
const maxRelated = 50;

export const nameText = (given: string) =>
  fieldText(given, { field: 'name', required: true, maxCharacters: 255, line: true });
export const knowledgeText = (given: string) =>
  fieldText(given, { field: 'knowledge', maxBytes: knowledgeBytes });
export const summaryText = (given: string) =>
  fieldText(given, { field: 'summary', required: true, maxBytes: 4 * 1024 });

/** Relations as stored. */
export function relatedText(given: Array<{ reason: string }>, field: string): string {
  if (given.length > maxRelated)
    throw new SylkError(
      'VALIDATION_ERROR',
      `${field} has ${given.length} entries; the limit is ${maxRelated}.`,
      {
        hint: 'Keep only the relations that a reader needs.',
      },
    );
  const reasonText = (reason: string) => fieldText(reason, { field: `${field} reason`, maxBytes: 4 * 1024 });
  return JSON.stringify(given.map((entry) => ({ ...entry, reason: reasonText(entry.reason) })));
}

export async function requireProject(context: AreasContext, id: string): Promise<void> {
  if (await context.around.projectExists(id)) return;
  throw new SylkError('NOT_FOUND', `Unknown project ${id}.`, {
    hint: 'Run `sylk work list --type project` to see the projects.',
  });
}

/** A task id must exist when written. A person may omit it; it is then ''. */
export async function requireTask(
  context: AreasContext,
  by: Author,
  id: string | undefined,
  field: string,
): Promise<string> {
  if (id === undefined || id === '') {
    if (by.person) return '';
    throw new SylkError('VALIDATION_ERROR', `Missing ${field}.`, {
      hint: 'Give the id of the task you work on; create one if there is none.',
    });
  }
  if (await context.around.taskExists(id)) return id;
  throw new SylkError('NOT_FOUND', `Unknown task ${id} (${field}).`, {
    hint: 'Run `sylk work list` to see the tasks.',
  });
}

export const tableOf = (kind: AreaKind) => sql.table(kind === 'atom' ? 'graph_atoms' : 'graph_molecules');

export async function areaRow<Kind extends AreaKind>(
  context: AreasContext,
  kind: Kind,
  id: string,
): Promise<AreaRows[Kind] | undefined> {
  const found = sql<AreaRows[Kind]>`SELECT * FROM ${tableOf(kind)} WHERE id = ${id}`;
  return (await found.execute(tablesOf(context))).rows[0];
}

export async function requireArea<Kind extends AreaKind>(
  context: AreasContext,
  kind: Kind,
  id: string,
): Promise<AreaRows[Kind]> {
  const row = await areaRow(context, kind, id);
  if (row) return row;
  throw new SylkError('NOT_FOUND', `Unknown ${kind} ${id}.`, {
    hint: 'Run `sylk areas list` to see the areas.',
  });
}

export function requireVersion(row: { id: string; version: number }, version: number): void {
  if (row.version === version) return;
  throw new SylkError(
    'CONFLICT',
    `Version ${version} is out of date: ${row.id} has version ${row.version}.`,
    {
      hint: 'Read it again, merge, and repeat with the current version.',
      data: { id: row.id, currentVersion: row.version },
    },
  );
}

export const note = (
  context: AreasContext,
  by: Author,
  action: string,
  kind: AreaKind,
  row: { id: string; name: string; project_id: string },
  detail: Record<string, unknown> = {},
): Promise<void> =>
  context.library.journal.record({
    at: nowOf(context),
    actor: by.actor,
    action,
    ref: `${kind}:${row.id}`,
    project: row.project_id,
    detail: { name: row.name, ...detail },
  });
