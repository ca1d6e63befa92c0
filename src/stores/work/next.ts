import { sql } from 'kysely';
import type { FeatureRecord, Priority, TaskRecord } from './container.ts';
import { type StoredContainer, tablesOf, type WorkContext } from './context.ts';
import { priorityRank } from './fields.ts';
import { leaseNow } from './lease-clock.ts';
import { exitState } from './pipeline.ts';
import { recordsOf } from './rows.ts';

export interface NextFilter {
  projectId?: string | undefined;
  featureId?: string | undefined;
  priority?: Priority | undefined;
}

/** HIGH first, then the simplest, then the oldest. The partial indexes hold exactly this order. */
const order = 'priority, complexity, created_at, seq';

/**
 * The task to do next: NEW, with no blocker, held by nobody. Free tasks are the first row of an index; lapsed claims
 * are few and looked through. With `lapsed`, tasks whose claimant vanished after starting are offered again too.
 */
export async function selectReady(
  context: WorkContext,
  filter: NextFilter,
  { lapsed = false } = {},
): Promise<StoredContainer | undefined> {
  const { index, where, values } = conditions(filter);
  const begun = lapsed ? "status IN ('NEW', 'ACTIVE')" : "status = 'NEW'";
  const now = leaseNow(context);
  const [row] = await context.library.statement<StoredContainer>(
    `SELECT * FROM (
      SELECT * FROM (SELECT * FROM work_containers INDEXED BY ${index}
        WHERE kind = 'task' AND status = 'NEW' AND blockers = 0 AND claim_expires_at IS NULL ${where}
        ORDER BY ${order} LIMIT 1)
      UNION ALL
      SELECT * FROM (SELECT * FROM work_containers INDEXED BY work_claims
        WHERE claim_expires_at <= ${now.text} AND kind = 'task' AND ${begun} AND blockers = 0 ${where}
        ORDER BY ${order} LIMIT 1))
    ORDER BY ${order} LIMIT 1`,
    ...[...values, ...now.values, ...values],
  );
  return row;
}

/** Made of fixed parts only, so that few texts exist and each is prepared once. */
function conditions({ projectId, featureId, priority }: NextFilter) {
  const parts: string[] = [];
  const values: unknown[] = [];
  const need = (text: string, value: unknown) => {
    parts.push(text);
    values.push(value);
  };
  // Naming the project beside the feature would lead the planner to the wider index.
  if (featureId !== undefined) need('AND feature_id = ?', featureId);
  else if (projectId !== undefined) need('AND project_id = ?', projectId);
  if (priority !== undefined) need('AND priority = ?', priorityRank(priority));
  const index =
    featureId !== undefined
      ? 'work_ready_in_feature'
      : projectId !== undefined
        ? 'work_ready_in_project'
        : 'work_ready';
  return { index, where: parts.join(' '), values };
}

export async function nextTask(context: WorkContext, filter: NextFilter): Promise<TaskRecord | undefined> {
  const row = await selectReady(context, filter);
  return row && ((await recordsOf(context, [row]))[0] as TaskRecord);
}

/** ACTIVE before NEW, with no blocker; then priority, then the oldest. */
export async function nextFeature(
  context: WorkContext,
  { projectId, priority }: Pick<NextFilter, 'projectId' | 'priority'>,
): Promise<FeatureRecord | undefined> {
  let query = tablesOf(context)
    .selectFrom('work_containers')
    .selectAll()
    .where('kind', '=', 'feature')
    .where('status', 'in', ['ACTIVE', 'NEW'])
    .where('blockers', '=', 0);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  if (priority !== undefined) query = query.where('priority', '=', priorityRank(priority));
  const row = await query
    .orderBy(sql`CASE status WHEN 'ACTIVE' THEN 0 ELSE 1 END`)
    .orderBy('priority')
    .orderBy('created_at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return row && ((await recordsOf(context, [row]))[0] as FeatureRecord);
}

/** Blocked work that is still meant to be done, HIGH first, then the oldest. */
export async function blockedContainers(
  context: WorkContext,
  kind: 'feature' | 'task',
  { projectId, featureId }: NextFilter,
): Promise<Array<FeatureRecord | TaskRecord>> {
  let query = tablesOf(context)
    .selectFrom('work_containers')
    .selectAll()
    .where('kind', '=', kind)
    .where('blockers', '>', 0)
    .where('status', '<>', exitState);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  if (featureId !== undefined) query = query.where('feature_id', '=', featureId);
  const rows = await query.orderBy('priority').orderBy('created_at').orderBy('seq').execute();
  return (await recordsOf(context, rows)) as Array<FeatureRecord | TaskRecord>;
}
