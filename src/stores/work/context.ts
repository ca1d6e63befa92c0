import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Clock, isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import type { DocumentIndex } from '../../base/search/index.ts';
import type { ContainerKind } from './container.ts';
import type { ContainerRow, WorkTables } from './tables.ts';
import type { Workflows } from './workflow-states.ts';

/** The author. A person may do what a claim forbids to others. */
export interface Author {
  actor: string;
  person?: boolean;
  /** Never from outside: what this author holds, and therefore may change. */
  holds?: string;
}

/** Shared by the files of this store. */
export interface WorkContext {
  library: Library;
  clock: Clock;
  /** The word index of containers and sections. */
  words: DocumentIndex;
  /** As configured; `activeWorkflows` says what holds. */
  configured: Workflows;
  /** Set once the lock was seen in the library; a lock is changed by `sync`, never removed. */
  seen: { locked: boolean };
}

export type StoredContainer = Omit<ContainerRow, 'seq'> & { seq: number };

export const tablesOf = (context: WorkContext): Kysely<WorkTables> => context.library.tables<WorkTables>();

/** Rows of a statement. */
export const all = async <Row>(context: WorkContext, statement: RawBuilder<Row>): Promise<Row[]> =>
  (await statement.execute(tablesOf(context))).rows;

export const nowOf = (context: WorkContext): string => isoTime(context.clock.now());

export async function findContainer(
  context: WorkContext,
  id: string,
  kind?: ContainerKind,
): Promise<StoredContainer | undefined> {
  const [row] = await all(context, sql<StoredContainer>`SELECT * FROM work_containers WHERE id = ${id}`);
  return row && (kind === undefined || row.kind === kind) ? row : undefined;
}

export async function requireContainer(
  context: WorkContext,
  id: string,
  kind?: ContainerKind,
): Promise<StoredContainer> {
  const row = await findContainer(context, id);
  if (!row || (kind !== undefined && row.kind !== kind)) {
    throw new SylkError('NOT_FOUND', `Unknown ${kind ?? 'container'} ${id}.`, {
      hint: row ? `This id belongs to a ${row.kind}.` : 'Run `sylk work list` to see what exists.',
    });
  }
  return row;
}

export function requireVersion(row: { version: number; id: string }, version: number): void {
  if (row.version === version) return;
  throw new SylkError(
    'CONFLICT',
    `Version ${version} is out of date: ${row.id} has version ${row.version}.`,
    {
      hint: 'Read it again, check what changed, and repeat with the current version.',
      data: { id: row.id, currentVersion: row.version },
    },
  );
}

type NotedContainer = Pick<StoredContainer, 'id' | 'kind' | 'name' | 'project_id' | 'held_by'>;

export function refuseHeld(by: Author, { kind, name, held_by }: NotedContainer): void {
  if (held_by === null || held_by === by.holds) return;
  throw new SylkError(
    'INVALID_OPERATION',
    `The ${kind} ${JSON.stringify(name)} belongs to ${held_by}: only the plan of the run changes it.`,
    {
      hint: 'Claim a task by its id to do it yourself, or terminate it to take it out of the plan.',
    },
  );
}

/** Records a change in the journal, in the transaction that makes it. Every change is recorded: one of held work is refused here. */
export async function note(
  context: WorkContext,
  by: Author,
  action: string,
  row: NotedContainer,
  detail: Record<string, unknown> = {},
): Promise<void> {
  refuseHeld(by, row);
  return context.library.journal.record({
    at: nowOf(context),
    actor: by.actor,
    action,
    ref: `${row.kind}:${row.id}`,
    project: row.kind === 'project' ? row.id : (row.project_id ?? ''),
    detail: { name: row.name, ...detail },
  });
}

/** New values for a container; also sets its version and author. */
export async function touch(
  context: WorkContext,
  by: Author,
  id: string,
  values: Partial<Omit<ContainerRow, 'seq' | 'version'>> = {},
): Promise<void> {
  await tablesOf(context)
    .updateTable('work_containers')
    .set((expression) => ({
      ...values,
      version: expression('version', '+', 1),
      modified_at: nowOf(context),
      modified_by: by.actor,
    }))
    .where('id', '=', id)
    .execute();
}
