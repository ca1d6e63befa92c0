import { SylkError } from '../../base/errors.ts';
import { noOperation, type StagedRecord } from './container.ts';
import {
  type Author,
  findContainer,
  note,
  requireContainer,
  requireVersion,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';
import { reasonText } from './fields.ts';
import { isTerminal, type StagedKind } from './pipeline.ts';
import { pipelinesInForce } from './pipelines.ts';
import { oneRecord } from './rows.ts';

export interface BlockRequest {
  kind: StagedKind;
  id: string;
  version: number;
  /** Ids of tasks and features, or NO_OP. */
  blockedBy: string[];
  reason?: string | undefined;
}

export async function block(
  context: WorkContext,
  by: Author,
  request: BlockRequest,
): Promise<{ record: StagedRecord; added: string[] }> {
  if (request.blockedBy.length === 0) {
    throw new SylkError('VALIDATION_ERROR', 'blockedBy is empty.', {
      hint: 'Name what blocks it, or use unblock to remove blockers.',
    });
  }
  const reason = request.reason?.trim() ? reasonText(request.reason, 'blockedReason') : undefined;
  if (request.blockedBy.includes(noOperation) && reason === undefined) {
    throw new SylkError('VALIDATION_ERROR', 'NO_OP needs a blockedReason.', {
      hint: 'Say what it waits for.',
    });
  }
  return context.library.write(async () => {
    const row = await requireContainer(context, request.id, request.kind);
    requireVersion(row, request.version);
    await refuseTerminal(context, row, 'INVALID_OPERATION');
    const added = await addBlockers(context, row, request.blockedBy);
    await touch(context, by, row.id, {
      blockers: row.blockers + added.length,
      ...(reason === undefined ? {} : { blocked_reason: reason }),
    });
    await note(context, by, 'block', row, { added });
    return { record: await stagedRecord(context, row.id), added };
  });
}

export async function unblock(
  context: WorkContext,
  by: Author,
  request: Omit<BlockRequest, 'reason'>,
): Promise<{ record: StagedRecord; removed: string[] }> {
  return context.library.write(async () => {
    const row = await requireContainer(context, request.id, request.kind);
    requireVersion(row, request.version);
    const before = await blockersOf(context, row.id);
    const removed = before.filter((id) => request.blockedBy.includes(id));
    await removeBlockers(context, by, row, removed);
    await note(context, by, 'unblock', row, { removed });
    return { record: await stagedRecord(context, row.id), removed };
  });
}

/** Adds edges after refusing what cannot hold: strangers, finished blockers, itself, a circle. Answers the new ones. */
export async function addBlockers(
  context: WorkContext,
  row: StoredContainer,
  blockers: string[],
): Promise<string[]> {
  const have = await blockersOf(context, row.id);
  const added = [...new Set(blockers)].filter((id) => !have.includes(id));
  for (const id of added) {
    if (id === noOperation) continue;
    const blocker = await findContainer(context, id);
    if (!blocker || blocker.kind === 'project') {
      throw new SylkError('VALIDATION_ERROR', `The blocker ${id} does not exist.`, {
        hint: 'Only a task or a feature can block.',
      });
    }
    await refuseTerminal(context, blocker, 'VALIDATION_ERROR');
    await refuseCycle(context, { blocked: row, blocker });
  }
  if (added.length > 0)
    await tablesOf(context)
      .insertInto('work_blocks')
      .values(added.map((blocker_id) => ({ blocked_id: row.id, blocker_id })))
      .execute();
  return added;
}

/** The reason goes with the last NO_OP. */
export async function removeBlockers(
  context: WorkContext,
  by: Author,
  row: StoredContainer,
  removed: string[],
): Promise<void> {
  if (removed.length > 0)
    await tablesOf(context)
      .deleteFrom('work_blocks')
      .where('blocked_id', '=', row.id)
      .where('blocker_id', 'in', removed)
      .execute();
  const left = await blockersOf(context, row.id);
  await touch(context, by, row.id, {
    blockers: left.length,
    ...(left.includes(noOperation) ? {} : { blocked_reason: null }),
  });
}

export interface Dependent {
  id: string;
  type: StagedKind;
  name: string;
  stillBlocked: boolean;
}

/** What waits for `id`, in order of name. */
export async function dependentsOf(context: WorkContext, id: string): Promise<StoredContainer[]> {
  return tablesOf(context)
    .selectFrom('work_blocks')
    .innerJoin('work_containers', 'work_containers.id', 'work_blocks.blocked_id')
    .selectAll('work_containers')
    .where('work_blocks.blocker_id', '=', id)
    .orderBy('work_containers.name')
    .orderBy('work_containers.id')
    .execute();
}

/** Finished work holds nothing back: it is removed from every blockedBy. */
export async function releaseDependents(context: WorkContext, by: Author, id: string): Promise<Dependent[]> {
  const released: Dependent[] = [];
  for (const row of await dependentsOf(context, id)) {
    await removeBlockers(context, by, row, [id]);
    await note(context, by, 'unblock', row, { removed: [id], because: 'closed' });
    released.push(asDependent(row, row.blockers > 1));
  }
  return released;
}

export const asDependent = (row: StoredContainer, stillBlocked: boolean): Dependent => ({
  id: row.id,
  type: row.kind as StagedKind,
  name: row.name,
  stillBlocked,
});

export async function blockersOf(context: WorkContext, id: string): Promise<string[]> {
  const rows = await tablesOf(context)
    .selectFrom('work_blocks')
    .select('blocker_id')
    .where('blocked_id', '=', id)
    .orderBy('blocker_id')
    .execute();
  return rows.map((row) => row.blocker_id);
}

export async function refuseTerminal(
  context: WorkContext,
  row: StoredContainer,
  code: 'INVALID_OPERATION' | 'VALIDATION_ERROR',
): Promise<void> {
  const pipelines = await pipelinesInForce(context);
  if (!isTerminal(pipelines[row.kind as StagedKind], row.status!)) return;
  throw new SylkError(code, `The ${row.kind} ${JSON.stringify(row.name)} is ${row.status}, which is final.`, {
    hint: 'Create a new one for work that came up later.',
    data: { id: row.id, status: row.status },
  });
}

/** Walks from the blocker to what blocks it; meeting the blocked one closes a circle, which is named. */
async function refuseCycle(
  context: WorkContext,
  { blocked, blocker }: { blocked: StoredContainer; blocker: StoredContainer },
): Promise<void> {
  const cameFrom = new Map<string, string>([[blocker.id, '']]);
  let frontier = [blocker.id];
  while (frontier.length > 0 && !cameFrom.has(blocked.id)) {
    const edges = await tablesOf(context)
      .selectFrom('work_blocks')
      .selectAll()
      .where('blocked_id', 'in', frontier)
      .execute();
    frontier = [];
    for (const edge of edges) {
      if (cameFrom.has(edge.blocker_id)) continue;
      cameFrom.set(edge.blocker_id, edge.blocked_id);
      frontier.push(edge.blocker_id);
    }
  }
  if (!cameFrom.has(blocked.id)) return;
  const cycle: string[] = [];
  for (let at = blocked.id; at !== ''; at = cameFrom.get(at)!) cycle.push(at);
  cycle.push(blocked.id);
  const names = await namesOf(context, cycle);
  throw new SylkError(
    'CIRCULAR_DEPENDENCY',
    `These would wait for each other for ever: ${cycle.map((id) => JSON.stringify(names.get(id) ?? id)).join(' blocks ')}.`,
    { hint: 'Remove one of these dependencies first, or turn it around.', data: { cycle } },
  );
}

async function namesOf(context: WorkContext, ids: string[]): Promise<Map<string, string>> {
  const rows = await tablesOf(context)
    .selectFrom('work_containers')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

export const stagedRecord = async (context: WorkContext, id: string): Promise<StagedRecord> =>
  oneRecord<StagedRecord>(context, await requireContainer(context, id));
