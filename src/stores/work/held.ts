import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { newUuid } from '../../base/ids.ts';
import { texts } from '../../base/library/index.ts';
import { entityTypeOf, type Priority, type TaskRecord } from './container.ts';
import {
  type Author,
  all,
  findContainer,
  note,
  nowOf,
  requireContainer,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';
import { descriptionText, nameText, priorityRank, summaryText } from './fields.ts';
import { releaseDependents } from './links.ts';
import { oneRecord } from './rows.ts';
import { addSections, type NewSection, rowsOf } from './sections.ts';
import { type CatalogState, isTerminal, nearestState, type StagedKind } from './workflow-states.ts';
import { activeWorkflows, lockWorkflows } from './workflows.ts';

/**
 * Work that somebody else keeps the record of, such as the plan of a run: a feature with tasks that are written as told. Nobody
 * but its holder changes it; a claim of the holder never lapses.
 */
export interface HeldWork {
  holder: string;
  /** False once the holder is through with it: anybody may change it again. */
  isHeld: boolean;
  feature: {
    id: string;
    name: string;
    summary: string;
    status: CatalogState;
    projectId?: string | undefined;
  };
  tasks: HeldTask[];
}

export interface HeldTask {
  id: string;
  title: string;
  summary: string;
  description: string;
  priority: Priority;
  status: CatalogState;
  blockedBy: string[];
  /** Who works on it, and until when, in milliseconds since 1970. */
  claim: { by: string; until?: number | undefined } | undefined;
  sections: NewSection[];
}

/** Later than any lease, and a date that everybody can read. */
const never = Date.UTC(9999, 0, 1);
const middleComplexity = 5;

/** Writes a feature and the tasks that are given. What is as told already stays as it is. */
export async function holdWork(context: WorkContext, work: HeldWork): Promise<void> {
  const { holder, isHeld, feature, tasks } = work;
  const by: Author = { actor: holder, holds: holder };
  const held_by = isHeld ? holder : null;
  await context.library.write(async () => {
    await lockWorkflows(context);
    const home = await putFeature(context, by, feature, held_by);
    for (const task of tasks) await putTask(context, by, task, home, held_by);
    for (const task of tasks) await putBlockers(context, task);
  });
}

type Texts = Pick<StoredContainer, 'name' | 'summary' | 'description' | 'priority'>;
type Standing = Pick<StoredContainer, 'status' | 'held_by' | 'claimed_by' | 'claim_expires_at'>;

async function putFeature(
  context: WorkContext,
  by: Author,
  { id, name, summary, status, projectId }: HeldWork['feature'],
  held_by: string | null,
): Promise<StoredContainer> {
  const row = await findContainer(context, id, 'feature');
  const written = {
    name: nameText(name, 'name'),
    summary: summaryText(summary),
    description: row?.description ?? '',
    priority: row?.priority ?? priorityRank('MEDIUM'),
  };
  const standing = { status: await stateOf(context, 'feature', status), held_by, ...noClaim };
  const home = { project_id: row?.project_id ?? projectId ?? null, feature_id: null, complexity: null };
  await put(context, by, row, { id, kind: 'feature', ...home }, written, standing);
  return requireContainer(context, id);
}

const noClaim = { claimed_by: null, claim_expires_at: null };
const stateOf = async (context: WorkContext, kind: StagedKind, wanted: CatalogState): Promise<string> =>
  nearestState(kind, (await activeWorkflows(context))[kind], wanted);

async function putTask(
  context: WorkContext,
  by: Author,
  task: HeldTask,
  feature: StoredContainer,
  held_by: string | null,
): Promise<void> {
  const row = await findContainer(context, task.id, 'task');
  const written = {
    name: nameText(task.title, 'title'),
    summary: summaryText(task.summary),
    description: descriptionText(task.description),
    priority: priorityRank(task.priority),
  };
  const { claim } = task;
  const standing = {
    status: await stateOf(context, 'task', task.status),
    held_by,
    claimed_by: claim?.by ?? null,
    claim_expires_at: claim ? (claim.until ?? never) : null,
  };
  const home = { project_id: feature.project_id, feature_id: feature.id, complexity: middleComplexity };
  await put(context, by, row, { id: task.id, kind: 'task', ...home }, written, standing);
  await putSections(context, by, task);
}

async function put(
  context: WorkContext,
  by: Author,
  row: StoredContainer | undefined,
  place: Pick<StoredContainer, 'id' | 'kind' | 'project_id' | 'feature_id' | 'complexity'>,
  written: Texts,
  standing: Standing,
): Promise<void> {
  const values = { ...written, ...standing };
  if (row && !differs(row, values)) return;
  const isSameClaimant = row?.claimed_by === standing.claimed_by;
  const claim_token = isSameClaimant ? (row?.claim_token ?? null) : standing.claimed_by && newUuid();
  if (row) await touch(context, by, row.id, { ...values, claim_token });
  else await insert(context, by, { ...place, ...values, claim_token });
  const changed = await requireContainer(context, place.id);
  const detail = { from: row?.status ?? undefined, to: changed.status, by: changed.claimed_by ?? undefined };
  await note(context, by, row ? 'advance' : 'create', changed, detail);
  await releaseWaiting(context, by, row, changed);
}

const differs = <Values extends object>(row: StoredContainer, values: Values): boolean =>
  Object.entries(values).some(([name, value]) => row[name as keyof StoredContainer] !== value);

/** What was closed holds nothing back, of the plan or beside it. */
async function releaseWaiting(
  context: WorkContext,
  by: Author,
  before: StoredContainer | undefined,
  { id, kind, status }: StoredContainer,
): Promise<void> {
  if (kind === 'project' || before?.status === status) return;
  const states = (await activeWorkflows(context))[kind];
  if (isTerminal(states, status) && status === states.at(-1)) await releaseDependents(context, by, id);
}

async function insert(
  context: WorkContext,
  by: Author,
  row: Omit<
    StoredContainer,
    'seq' | 'version' | 'created_at' | 'modified_at' | 'modified_by' | 'blockers' | 'blocked_reason'
  >,
): Promise<void> {
  const now = nowOf(context);
  await tablesOf(context)
    .insertInto('work_containers')
    .values({
      ...row,
      blockers: 0,
      blocked_reason: null,
      version: 1,
      created_at: now,
      modified_at: now,
      modified_by: by.actor,
    })
    .execute();
}

async function putSections(context: WorkContext, by: Author, { id, sections }: HeldTask): Promise<void> {
  const stored = (await rowsOf(context, id)).map(({ title, content }) => `${title}\n${content}`);
  const wanted = sections.map(({ title, content }) => `${title}\n${content}`);
  if (isDeepStrictEqual(stored, wanted)) return;
  await all(context, sql`DELETE FROM work_sections WHERE entity_id = ${id}`);
  if (sections.length > 0)
    await addSections(context, by, { entityType: entityTypeOf.task, entityId: id }, sections);
}

async function putBlockers(context: WorkContext, { id, blockedBy }: HeldTask): Promise<void> {
  await all(
    context,
    sql`DELETE FROM work_blocks WHERE blocked_id = ${id} AND blocker_id NOT IN ${texts(blockedBy)}`,
  );
  for (const blocker of blockedBy)
    await all(
      context,
      sql`INSERT INTO work_blocks (blocked_id, blocker_id) VALUES (${id}, ${blocker}) ON CONFLICT DO NOTHING`,
    );
  await all(
    context,
    sql`UPDATE work_containers SET blockers = ${blockedBy.length} WHERE id = ${id} AND blockers <> ${blockedBy.length}`,
  );
}

/** A held task with the proof of its claim. */
export async function heldTask(
  context: WorkContext,
  id: string,
): Promise<{ task: TaskRecord; claimToken: string | null }> {
  const row = await requireContainer(context, id, 'task');
  return { task: await oneRecord<TaskRecord>(context, row), claimToken: row.claim_token };
}
