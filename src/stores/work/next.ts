import { type RawBuilder, sql } from 'kysely';
import { leaseNow } from '../../base/durable/index.ts';
import { indexedBy } from '../../base/library/index.ts';
import type { FeatureRecord, Priority, TaskRecord } from './container.ts';
import { all, type StoredContainer, tablesOf, type WorkContext } from './context.ts';
import { priorityRank } from './fields.ts';
import { oneRecord, recordsOf } from './rows.ts';
import { exitState } from './workflow-states.ts';

export interface NextFilter {
  projectId?: string | undefined;
  featureId?: string | undefined;
  priority?: Priority | undefined;
}

/** HIGH first, then the simplest, then the oldest. The partial indexes have exactly this order. */
const order = sql`priority, complexity, created_at, seq`;

/**
 * The next task: NEW, without blockers, unclaimed. Free tasks are the first row of an index; expired claims
 * are few and scanned. With `lapsed`, tasks whose claimant vanished after starting are also offered again.
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
        WHERE claim_expires_at <= ${leaseNow(context.clock)} AND kind = 'task' AND ${begun} AND blockers = 0
          AND held_by IS NULL ${where}
        ORDER BY ${order} LIMIT 1) AS lapsed) AS ready
    ORDER BY ${order} LIMIT 1`.execute(tablesOf(context));
  return rows[0];
}

/** Adding the project to the feature would select the wider index. */
function homeOf({ projectId, featureId }: NextFilter): [index: string, condition: RawBuilder<unknown>] {
  if (featureId !== undefined) return ['work_ready_in_feature', sql`AND feature_id = ${featureId}`];
  if (projectId !== undefined) return ['work_ready_in_project', sql`AND project_id = ${projectId}`];
  return ['work_ready', sql``];
}

function conditions({ priority, ...filter }: NextFilter) {
  const [index, home] = homeOf(filter);
  const where = priority === undefined ? home : sql`${home} AND priority = ${priorityRank(priority)}`;
  return { index, where };
}

export async function nextTask(context: WorkContext, filter: NextFilter): Promise<TaskRecord | undefined> {
  const row = await selectReady(context, filter);
  return row && oneRecord<TaskRecord>(context, row);
}

/** ACTIVE before NEW, without blockers; then priority, then the oldest. */
export async function nextFeature(
  context: WorkContext,
  { projectId, priority }: Pick<NextFilter, 'projectId' | 'priority'>,
): Promise<FeatureRecord | undefined> {
  const [row] = await all(
    context,
    sql<StoredContainer>`SELECT * FROM work_containers
      WHERE kind = 'feature' AND status IN ('ACTIVE', 'NEW') AND blockers = 0 ${conditions({ projectId, priority }).where}
      ORDER BY CASE status WHEN 'ACTIVE' THEN 0 ELSE 1 END, priority, created_at, seq LIMIT 1`,
  );
  return row && oneRecord<FeatureRecord>(context, row);
}

/** Blocked work that is still planned, HIGH first, then the oldest. */
export async function blockedContainers(
  context: WorkContext,
  kind: 'feature' | 'task',
  { projectId, featureId }: NextFilter,
): Promise<Array<FeatureRecord | TaskRecord>> {
  const inFeature = featureId === undefined ? sql`` : sql`AND feature_id = ${featureId}`;
  const rows = await all(
    context,
    sql<StoredContainer>`SELECT * FROM work_containers
      WHERE kind = ${kind} AND blockers > 0 AND status <> ${exitState} ${conditions({ projectId }).where} ${inFeature}
      ORDER BY priority, created_at, seq`,
  );
  return (await recordsOf(context, rows)) as Array<FeatureRecord | TaskRecord>;
}
