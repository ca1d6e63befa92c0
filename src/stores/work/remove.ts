import { SylkError } from '../../base/errors.ts';
import { type Dependent, releaseDependents } from './blocking.ts';
import type { ContainerKind } from './container.ts';
import {
  type Author,
  note,
  requireContainer,
  requireVersion,
  tablesOf,
  type WorkContext,
} from './context.ts';

export interface RemoveReply {
  id: string;
  deleted: { projects: number; features: number; tasks: number };
  /** What waited for something that is gone, and waits for it no more. */
  unblockedEntities: Dependent[];
}

/** Removes a container. Children are only removed when told so; without, their number is named and nothing happens. */
export async function removeContainer(
  context: WorkContext,
  by: Author,
  request: { kind: ContainerKind; id: string; version?: number | undefined; cascade: boolean },
): Promise<RemoveReply> {
  return context.library.write(async () => {
    const row = await requireContainer(context, request.id, request.kind);
    if (request.version !== undefined) requireVersion(row, request.version);
    const children = await childrenOf(context, row.id);
    const count = (kind: ContainerKind) => children.filter((child) => child.kind === kind).length;
    if (children.length > 0 && !request.cascade) {
      throw new SylkError(
        'INVALID_OPERATION',
        `The ${row.kind} ${JSON.stringify(row.name)} has ${count('feature')} feature(s) and ${count('task')} task(s).`,
        {
          hint: 'Pass cascade: true to delete them too. Nothing was deleted.',
          data: { features: count('feature'), tasks: count('task') },
        },
      );
    }
    const gone = [...children.map((child) => child.id), row.id];
    const unblocked: Dependent[] = [];
    for (const id of gone) unblocked.push(...(await forget(context, by, id)));
    await note(context, by, 'delete', row, { children: children.length });
    const total = (kind: ContainerKind) => count(kind) + (row.kind === kind ? 1 : 0);
    return {
      id: row.id,
      deleted: { projects: total('project'), features: total('feature'), tasks: total('task') },
      unblockedEntities: unblocked.filter((entity) => !gone.includes(entity.id)),
    };
  });
}

/** Tasks first, so that nothing is removed before what hangs on it. */
async function childrenOf(context: WorkContext, id: string) {
  const rows = await tablesOf(context)
    .selectFrom('work_containers')
    .select(['id', 'kind'])
    .where((where) => where.or([where('project_id', '=', id), where('feature_id', '=', id)]))
    .execute();
  return rows.sort((a, b) => (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : 0));
}

async function forget(context: WorkContext, by: Author, id: string): Promise<Dependent[]> {
  const tables = tablesOf(context);
  const released = await releaseDependents(context, by, id);
  await tables
    .deleteFrom('work_relations')
    .where((where) => where.or([where('from_id', '=', id), where('to_id', '=', id)]))
    .execute();
  await tables.deleteFrom('work_tags').where('entity_id', '=', id).execute();
  await tables.deleteFrom('work_containers').where('id', '=', id).execute();
  return released;
}
