import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { texts } from '../../base/library/index.ts';
import { noOperation, type StagedRecord } from './container.ts';
import {
  type Author,
  all,
  findContainer,
  note,
  requireContainer,
  requireVersion,
  type StoredContainer,
  touch,
  type WorkContext,
} from './context.ts';
import { reasonText } from './fields.ts';
import { oneRecord } from './rows.ts';
import { isTerminal, type StagedKind } from './workflow-states.ts';
import { activeWorkflows } from './workflows.ts';

interface BlockRequest {
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
  if (request.blockedBy.length === 0)
    throw new SylkError('VALIDATION_ERROR', 'Missing blockedBy.', {
      hint: 'Name what blocks it, or use unblock to remove blockers.',
    });
  const reason = request.reason?.trim() ? reasonText(request.reason, 'blockedReason') : undefined;
  if (request.blockedBy.includes(noOperation) && reason === undefined)
    throw new SylkError('VALIDATION_ERROR', 'NO_OP needs a blockedReason.', {
      hint: 'Say what it waits for.',
    });
  return context.library.write(async () => {
    const row = await requireContainer(context, request.id, request.kind);
    requireVersion(row, request.version);
    await refuseTerminal(context, row, 'INVALID_OPERATION');
    const added = await addBlockers(context, row, request.blockedBy);
    await touch(context, by, row.id, { blockers: row.blockers + added.length, blocked_reason: reason });
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
    const removed = (await blockersOf(context, row.id)).filter((id) => request.blockedBy.includes(id));
    await removeBlockers(context, by, row, removed);
    await note(context, by, 'unblock', row, { removed });
    return { record: await stagedRecord(context, row.id), removed };
  });
}

/** Adds edges after refusing invalid ones: unknown or finished blockers, itself, a cycle. Returns the new ones. */
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
    if (!blocker || blocker.kind === 'project')
      throw new SylkError('VALIDATION_ERROR', `Unknown blocker ${id}.`, {
        hint: 'Only a task or a feature can block.',
      });
    await refuseTerminal(context, blocker, 'VALIDATION_ERROR');
    await refuseCycle(context, { blocked: row, blocker });
  }
  for (const id of added)
    await all(context, sql`INSERT INTO work_blocks (blocked_id, blocker_id) VALUES (${row.id}, ${id})`);
  return added;
}

/** The reason is removed with the last NO_OP. */
async function removeBlockers(
  context: WorkContext,
  by: Author,
  row: StoredContainer,
  removed: string[],
): Promise<void> {
  await all(
    context,
    sql`DELETE FROM work_blocks WHERE blocked_id = ${row.id} AND blocker_id IN ${texts(removed)}`,
  );
  const left = await blockersOf(context, row.id);
  const blocked_reason = left.includes(noOperation) ? undefined : null;
  await touch(context, by, row.id, { blockers: left.length, blocked_reason });
}

export interface Dependent {
  id: string;
  type: StagedKind;
  name: string;
  stillBlocked: boolean;
}

/** What waits for `id`, by name. */
export const dependentsOf = (context: WorkContext, id: string): Promise<StoredContainer[]> =>
  all(
    context,
    sql<StoredContainer>`SELECT c.* FROM work_blocks b JOIN work_containers c ON c.id = b.blocked_id
      WHERE b.blocker_id = ${id} ORDER BY c.name, c.id`,
  );

/** Finished work blocks nothing: it is removed from every blockedBy. */
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
  type: stagedKind(row),
  name: row.name,
  stillBlocked,
});

const stagedKind = ({ kind }: Pick<StoredContainer, 'kind'>): StagedKind =>
  kind === 'feature' ? kind : 'task';

export const blockersOf = async (context: WorkContext, id: string): Promise<string[]> =>
  (
    await all(
      context,
      sql<{
        id: string;
      }>`SELECT blocker_id AS id FROM work_blocks WHERE blocked_id = ${id} ORDER BY blocker_id`,
    )
  ).map((row) => row.id);

async function refuseTerminal(
  context: WorkContext,
  row: StoredContainer,
  code: 'INVALID_OPERATION' | 'VALIDATION_ERROR',
): Promise<void> {
  const workflows = await activeWorkflows(context);
  if (!isTerminal(workflows[stagedKind(row)], row.status)) return;
  throw new SylkError(code, `The ${row.kind} ${JSON.stringify(row.name)} is ${row.status}, which is final.`, {
    hint: 'Create a new one for later work.',
    data: { id: row.id, status: row.status },
  });
}

/** Walks from the blocker to its blockers; meeting the blocked one closes a cycle, which is reported. */
async function refuseCycle(
  context: WorkContext,
  { blocked, blocker }: { blocked: StoredContainer; blocker: StoredContainer },
): Promise<void> {
  const cameFrom = new Map([[blocker.id, '']]);
  let frontier = [blocker.id];
  while (frontier.length > 0 && !cameFrom.has(blocked.id)) {
    const edges = await all(
      context,
      sql<{
        blocked_id: string;
        blocker_id: string;
      }>`SELECT * FROM work_blocks WHERE blocked_id IN ${texts(frontier)}`,
    );
    frontier = [];
    for (const edge of edges) {
      if (cameFrom.has(edge.blocker_id)) continue;
      cameFrom.set(edge.blocker_id, edge.blocked_id);
      frontier.push(edge.blocker_id);
    }
  }
  if (!cameFrom.has(blocked.id)) return;
  const cycle: string[] = [];
  for (let at = blocked.id; at !== ''; at = cameFrom.get(at) ?? '') cycle.push(at);
  cycle.push(blocked.id);
  const names: string[] = [];
  for (const id of cycle) names.push(JSON.stringify((await findContainer(context, id))?.name ?? id));
  throw new SylkError(
    'CIRCULAR_DEPENDENCY',
    `These would wait for each other forever: ${names.join(' blocks ')}.`,
    {
      hint: 'Remove one of these dependencies first, or reverse it.',
      data: { cycle },
    },
  );
}

export const stagedRecord = async (context: WorkContext, id: string): Promise<StagedRecord> =>
  oneRecord<StagedRecord>(context, await requireContainer(context, id));

export const relatedOf = async (context: WorkContext, id: string): Promise<string[]> =>
  (
    await all(
      context,
      sql<{ id: string }>`SELECT to_id AS id FROM work_relations WHERE from_id = ${id} ORDER BY to_id`,
    )
  ).map((row) => row.id);

/** Relations go both ways. The other end's version changes, too, because its answer changed. */
async function relate(context: WorkContext, by: Author, from: string, to: string): Promise<boolean> {
  if ((await relatedOf(context, from)).includes(to)) return false;
  await all(
    context,
    sql`INSERT INTO work_relations (from_id, to_id) VALUES (${from}, ${to}), (${to}, ${from}) ON CONFLICT DO NOTHING`,
  );
  await touch(context, by, to);
  return true;
}

async function unrelate(context: WorkContext, by: Author, from: string, to: string): Promise<boolean> {
  if (!(await relatedOf(context, from)).includes(to)) return false;
  await all(
    context,
    sql`DELETE FROM work_relations WHERE (from_id = ${from} AND to_id = ${to}) OR (from_id = ${to} AND to_id = ${from})`,
  );
  await touch(context, by, to);
  return true;
}

export async function replaceRelations(
  context: WorkContext,
  by: Author,
  row: StoredContainer,
  wanted: string[],
): Promise<void> {
  const have = await relatedOf(context, row.id);
  for (const id of wanted) {
    if (id === row.id)
      throw new SylkError('VALIDATION_ERROR', 'A container cannot relate to itself.', {
        hint: 'Remove its own id from relatedTo.',
      });
    if (have.includes(id)) continue;
    await requireContainer(context, id);
    await relate(context, by, row.id, id);
  }
  for (const id of have) if (!wanted.includes(id)) await unrelate(context, by, row.id, id);
}

export interface DependencyRequest {
  operation: 'create' | 'delete';
  fromId: string;
  toId: string;
  type: 'BLOCKS' | 'RELATES_TO';
}

/** `blockedBy`: the blockers of the target after the change. */
export async function manageDependency(context: WorkContext, by: Author, request: DependencyRequest) {
  if (request.fromId === request.toId)
    throw new SylkError('VALIDATION_ERROR', 'A dependency needs two different ends.', {
      hint: 'fromId blocks toId.',
    });
  return context.library.write(async () => {
    const from = await requireStaged(context, request.fromId);
    const to = await requireStaged(context, request.toId);
    const isNew = request.operation === 'create';
    const changed =
      request.type === 'BLOCKS'
        ? await changeBlock(context, by, isNew, from, to)
        : await changeRelation(context, by, isNew, from, to);
    if (changed)
      await note(context, by, isNew ? 'link' : 'unlink', to, { type: request.type, from: from.id });
    return {
      ...request,
      fromEntityType: stagedKind(from),
      toEntityType: stagedKind(to),
      changed,
      blockedBy: await blockersOf(context, to.id),
    };
  });
}

async function requireStaged(context: WorkContext, id: string): Promise<StoredContainer> {
  const row = await findContainer(context, id);
  if (row && row.kind !== 'project') return row;
  throw new SylkError('NOT_FOUND', `Unknown task or feature ${id}.`, {
    hint: 'Dependencies are between tasks and features.',
  });
}

async function changeBlock(
  context: WorkContext,
  by: Author,
  isNew: boolean,
  from: StoredContainer,
  to: StoredContainer,
): Promise<boolean> {
  await refuseTerminal(context, from, 'VALIDATION_ERROR');
  await refuseTerminal(context, to, 'VALIDATION_ERROR');
  if (isNew) {
    const added = await addBlockers(context, to, [from.id]);
    if (added.length > 0) await touch(context, by, to.id, { blockers: to.blockers + added.length });
    return added.length > 0;
  }
  if (!(await blockersOf(context, to.id)).includes(from.id)) return false;
  await removeBlockers(context, by, to, [from.id]);
  return true;
}

async function changeRelation(
  context: WorkContext,
  by: Author,
  isNew: boolean,
  from: StoredContainer,
  to: StoredContainer,
): Promise<boolean> {
  const changed = await (isNew ? relate : unrelate)(context, by, from.id, to.id);
  if (changed) await touch(context, by, from.id);
  return changed;
}

interface DependencyLink {
  type: 'BLOCKS' | 'RELATES_TO';
  fromId: string;
  toId: string;
  fromEntityType?: StagedKind | undefined;
  toEntityType?: StagedKind | undefined;
  /** Name of the other end. */
  name?: string | undefined;
}

/** `dependencies`: what it waits for and relates to. `dependents`: what waits for it and relates to it. */
export async function queryDependencies(
  context: WorkContext,
  kind: StagedKind,
  id: string,
): Promise<{ dependencies: DependencyLink[]; dependents: DependencyLink[] }> {
  await requireContainer(context, id, kind);
  const [blockers, related] = [await blockersOf(context, id), await relatedOf(context, id)];
  const ends = new Map((await dependentsOf(context, id)).map((row) => [row.id, row]));
  const blocked = [...ends.keys()];
  for (const end of [...blockers, ...related]) {
    const row = end === noOperation ? undefined : await findContainer(context, end);
    if (row) ends.set(end, row);
  }
  const link = (type: DependencyLink['type'], other: string, outward: boolean): DependencyLink => {
    const end = ends.get(other);
    const far = end && stagedKind(end);
    // A relation to something deleted names neither end.
    const near = type === 'BLOCKS' || end ? kind : undefined;
    const named = { type, name: end?.name };
    return outward
      ? { ...named, fromId: id, toId: other, fromEntityType: near, toEntityType: far }
      : { ...named, fromId: other, toId: id, fromEntityType: far, toEntityType: near };
  };
  return {
    dependencies: [
      ...blockers.map((other) => link('BLOCKS', other, false)),
      ...related.map((other) => link('RELATES_TO', other, true)),
    ],
    dependents: [
      ...blocked.map((other) => link('BLOCKS', other, true)),
      ...related.map((other) => link('RELATES_TO', other, false)),
    ],
  };
}
