import { type RawBuilder, sql } from 'kysely';
import { leaseNow } from '../../base/durable/index.ts';
import { indexedBy } from '../../base/library/index.ts';
import type { FeatureRecord, Priority, TaskRecord } from './container.ts';
import { type StoredContainer, tablesOf, type WorkContext } from './context.ts';
import { priorityRank } from './fields.ts';
import { exitState } from './pipeline.ts';
import { recordsOf } from './rows.ts';

export interface NextFilter {
  projectId?: string | undefined;
  featureId?: string | undefined;
  priority?: Priority | undefined;
}

/** HIGH first, then the simplest, then the oldest. The partial indexes hold exactly this order. */
const order = sql`priority, complexity, created_at, seq`;

/**
 * The task to do next: NEW, with no blocker, held by nobody. Free tasks are the first row of an index; lapsed claims
 * are few and looked through. With `lapsed`, tasks whose claimant vanished after starting are offered again too.
 */
export async function selectReady(
  context: WorkContext,
  filter: NextFilter,
  { lapsed = false } = {},
): Promise<StoredContainer | undefined> {
  const { index, where } = conditions(filter);
  const begun = lapsed ? sql`status IN ('NEW', 'ACTIVE')` : sql`status = 'NEW'`;
  const from = (name: string) => sql`FROM work_containers ${indexedBy(context.library, name)}`;
  const { rows } = await sql<StoredContainer>`SELECT * FROM (
      SELECT * FROM (SELECT * ${from(index)}
        WHERE kind = 'task' AND status = 'NEW' AND blockers = 0 AND claim_expires_at IS NULL ${where}
        ORDER BY ${order} LIMIT 1) AS free
      UNION ALL
      SELECT * FROM (SELECT * ${from('work_claims')}
        WHERE claim_expires_at <= ${leaseNow(context.clock)} AND kind = 'task' AND ${begun} AND blockers = 0 ${where}
        ORDER BY ${order} LIMIT 1) AS lapsed) AS ready
    ORDER BY ${order} LIMIT 1`.execute(tablesOf(context));
  return rows[0];
}

/** Naming the project beside the feature would lead to the wider index. */
function conditions({ projectId, featureId, priority }: NextFilter) {
  const [index, home]: [string, RawBuilder<unknown>] =
    featureId !== undefined
      ? ['work_ready_in_feature', sql`AND feature_id = ${featureId}`]
      : projectId !== undefined
        ? ['work_ready_in_project', sql`AND project_id = ${projectId}`]
        : ['work_ready', sql``];
  const where = priority === undefined ? home : sql`${home} AND priority = ${priorityRank(priority)}`;
  return { index, where };
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
