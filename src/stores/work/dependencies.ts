import { SylkError } from '../../base/errors.ts';
import { addBlockers, blockersOf, dependentsOf, refuseTerminal, removeBlockers } from './blocking.ts';
import { noOperation } from './container.ts';
import {
  type Author,
  findContainer,
  note,
  requireContainer,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';
import type { StagedKind } from './pipeline.ts';
import { relate, unrelate } from './relations.ts';

export interface DependencyRequest {
  operation: 'create' | 'delete';
  fromId: string;
  toId: string;
  type: 'BLOCKS' | 'RELATES_TO';
}

export interface DependencyReply extends DependencyRequest {
  fromEntityType: StagedKind;
  toEntityType: StagedKind;
  changed: boolean;
  /** Blockers of the target after the change. */
  blockedBy: string[];
}

export async function manageDependency(
  context: WorkContext,
  by: Author,
  request: DependencyRequest,
): Promise<DependencyReply> {
  if (request.fromId === request.toId) {
    throw new SylkError('VALIDATION_ERROR', 'A dependency needs two different ends.', {
      hint: 'fromId blocks toId.',
    });
  }
  return context.library.write(async () => {
    const from = await requireStaged(context, request.fromId);
    const to = await requireStaged(context, request.toId);
    const changed =
      request.type === 'BLOCKS'
        ? await changeBlock(context, by, request.operation, from, to)
        : await changeRelation(context, by, request.operation, from, to);
    if (changed)
      await note(context, by, request.operation === 'create' ? 'link' : 'unlink', to, {
        type: request.type,
        from: from.id,
      });
    return {
      ...request,
      fromEntityType: from.kind as StagedKind,
      toEntityType: to.kind as StagedKind,
      changed,
      blockedBy: await blockersOf(context, to.id),
    };
  });
}

async function requireStaged(context: WorkContext, id: string): Promise<StoredContainer> {
  const row = await findContainer(context, id);
  if (row && row.kind !== 'project') return row;
  throw new SylkError('NOT_FOUND', `There is no task or feature ${id}.`, {
    hint: 'Dependencies are between tasks and features.',
  });
}

async function changeBlock(
  context: WorkContext,
  by: Author,
  operation: DependencyRequest['operation'],
  from: StoredContainer,
  to: StoredContainer,
): Promise<boolean> {
  await refuseTerminal(context, from, 'VALIDATION_ERROR');
  await refuseTerminal(context, to, 'VALIDATION_ERROR');
  if (operation === 'create') {
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
  operation: DependencyRequest['operation'],
  from: StoredContainer,
  to: StoredContainer,
): Promise<boolean> {
  const changed =
    operation === 'create'
      ? await relate(context, by, from.id, to.id)
      : await unrelate(context, by, from.id, to.id);
  if (changed) await touch(context, by, from.id);
  return changed;
}

export interface DependencyLink {
  type: 'BLOCKS' | 'RELATES_TO';
  fromId: string;
  toId: string;
  fromEntityType?: StagedKind;
  toEntityType?: StagedKind;
  /** Name of the other end. */
  name?: string;
}

/** `dependencies`: what it waits for and relates to. `dependents`: what waits for it and relates to it. */
export async function queryDependencies(
  context: WorkContext,
  kind: StagedKind,
  id: string,
): Promise<{ dependencies: DependencyLink[]; dependents: DependencyLink[] }> {
  await requireContainer(context, id, kind);
  const blockers = await blockersOf(context, id);
  const blocked = await dependentsOf(context, id);
  const related = (
    await tablesOf(context)
      .selectFrom('work_relations')
      .select('to_id')
      .where('from_id', '=', id)
      .orderBy('to_id')
      .execute()
  ).map((row) => row.to_id);
  const ends = new Map<string, StoredContainer>();
  for (const end of [...blockers, ...related]) {
    const row = end === noOperation ? undefined : await findContainer(context, end);
    if (row) ends.set(end, row);
  }
  const other = (end: string) => {
    const row = ends.get(end);
    return row ? { kind: row.kind as StagedKind, name: row.name } : undefined;
  };
  const blocking = blockers.map((fromId): DependencyLink => {
    const end = other(fromId);
    return {
      type: 'BLOCKS',
      fromId,
      toId: id,
      toEntityType: kind,
      ...(end ? { fromEntityType: end.kind, name: end.name } : {}),
    };
  });
  const relation =
    (outward: boolean) =>
    (toId: string): DependencyLink => {
      const end = other(toId);
      const [fromId, target] = outward ? [id, toId] : [toId, id];
      return {
        type: 'RELATES_TO',
        fromId,
        toId: target,
        ...(end
          ? outward
            ? { fromEntityType: kind, toEntityType: end.kind, name: end.name }
            : { fromEntityType: end.kind, toEntityType: kind, name: end.name }
          : {}),
      };
    };
  return {
    dependencies: [...blocking, ...related.map(relation(true))],
    dependents: [
      ...blocked.map(
        (row): DependencyLink => ({
          type: 'BLOCKS',
          fromId: id,
          toId: row.id,
          fromEntityType: kind,
          toEntityType: row.kind as StagedKind,
          name: row.name,
        }),
      ),
      ...related.map(relation(false)),
    ],
  };
}
