import { SylkError } from '../../base/errors.ts';
import { type Author, nowOf, tablesOf, type WorkContext } from './context.ts';
import { exitState, type StagedKind, type Workflows } from './workflow-states.ts';

/** The locked workflows once work exists; before that, the configured ones. */
export async function activeWorkflows(context: WorkContext): Promise<Workflows> {
  return (await lockedWorkflows(context)) ?? context.configured;
}

export async function lockedWorkflows(context: WorkContext): Promise<Workflows | undefined> {
  const rows = await tablesOf(context).selectFrom('work_pipelines').selectAll().execute();
  if (rows.length === 0) return undefined;
  const states = (kind: StagedKind) =>
    JSON.parse(rows.find((row) => row.kind === kind)?.states ?? 'null') ?? context.configured[kind];
  return { feature: states('feature'), task: states('task') };
}

/** Called by the first feature or task: from now on the states of existing work have one meaning. */
export async function lockWorkflows(context: WorkContext): Promise<void> {
  if (context.seen.locked) return;
  if (await lockedWorkflows(context)) context.seen.locked = true;
  else await store(context, context.configured);
}

async function store(context: WorkContext, pipelines: Workflows): Promise<void> {
  for (const kind of ['feature', 'task'] as const) {
    const states = JSON.stringify(pipelines[kind]);
    await tablesOf(context)
      .insertInto('work_pipelines')
      .values({ kind, states })
      .onConflict((conflict) => conflict.column('kind').doUpdateSet({ states }))
      .execute();
  }
}

export interface SyncReport {
  pipelines: Workflows;
  configured: Workflows;
  inSync: boolean;
  /** Rows whose state the configured workflows do not have. */
  orphaned: Array<{ kind: StagedKind; status: string; count: number }>;
  mapped: number;
  backup?: string;
}

export type StateMapping = Record<string, string>;

/**
 * Compares the locked workflows with the configured ones. With `override` the configured ones are adopted: removed
 * states are mapped as given, or the call is refused and nothing changes. The library is backed up first.
 */
export async function syncWorkflows(
  context: WorkContext,
  by: Author,
  { override, mapping }: { override: boolean; mapping: StateMapping },
): Promise<SyncReport> {
  const report = async (extra: { mapped: number; backup?: string }): Promise<SyncReport> => {
    const pipelines = await activeWorkflows(context);
    return {
      pipelines,
      configured: context.configured,
      inSync: JSON.stringify(pipelines) === JSON.stringify(context.configured),
      orphaned: await orphans(context),
      ...extra,
    };
  };
  if (!override || (await report({ mapped: 0 })).inSync) return report({ mapped: 0 });
  await refuseUnmapped(context, mapping);
  const backup = context.library.backUp('before-sync');
  const mapped = await context.library.write(async () => {
    await refuseUnmapped(context, mapping);
    let moved = 0;
    for (const { kind, status } of await orphans(context)) {
      const { numUpdatedRows } = await tablesOf(context)
        .updateTable('work_containers')
        .set((expression) => ({
          status: mapping[status]!,
          version: expression('version', '+', 1),
          modified_at: nowOf(context),
          modified_by: by.actor,
        }))
        .where('kind', '=', kind)
        .where('status', '=', status)
        .executeTakeFirst();
      moved += Number(numUpdatedRows);
    }
    await store(context, context.configured);
    await context.library.journal.record({
      at: nowOf(context),
      actor: by.actor,
      action: 'sync',
      ref: 'work:pipelines',
      project: '',
      detail: { pipelines: context.configured, mapping, moved },
    });
    return moved;
  });
  return report(backup === undefined ? { mapped } : { mapped, backup });
}

async function orphans(context: WorkContext): Promise<SyncReport['orphaned']> {
  const rows = await tablesOf(context)
    .selectFrom('work_containers')
    .select(({ fn }) => ['kind', 'status', fn.countAll<number>().as('count')])
    .where('kind', '<>', 'project')
    .groupBy(['kind', 'status'])
    .orderBy('kind')
    .orderBy('status')
    .execute();
  return rows
    .map((row) => ({ kind: row.kind as StagedKind, status: row.status!, count: Number(row.count) }))
    .filter(({ kind, status }) => status !== exitState && !context.configured[kind].includes(status));
}

async function refuseUnmapped(context: WorkContext, mapping: StateMapping): Promise<void> {
  for (const { kind, status, count } of await orphans(context)) {
    const target = mapping[status];
    if (
      target !== undefined &&
      context.configured[kind].includes(target) &&
      target !== context.configured[kind].at(-1)
    )
      continue;
    const states = context.configured[kind].slice(0, -1);
    throw new SylkError(
      'INVALID_OPERATION',
      target === undefined
        ? `${count} ${kind}(s) are in ${status}, which the configured workflow does not have.`
        : `${status} cannot be mapped to ${target} for a ${kind}.`,
      {
        hint: `Repeat with mapping {"${status}": "${states.at(-1)}"} (one of ${states.join(', ')}). Nothing was changed.`,
        data: { kind, status, count, targets: states },
      },
    );
  }
}
