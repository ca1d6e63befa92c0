import { SylkError } from '../../base/errors.ts';
import {
  type Author,
  requireContainer,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';

/** Relations hold in both directions. The other end's version moves, because what it answers changed. */
export async function relate(
  context: WorkContext,
  by: Author,
  fromId: string,
  toId: string,
): Promise<boolean> {
  const there = await tablesOf(context)
    .selectFrom('work_relations')
    .select('to_id')
    .where('from_id', '=', fromId)
    .where('to_id', '=', toId)
    .executeTakeFirst();
  if (there) return false;
  await tablesOf(context)
    .insertInto('work_relations')
    .values([
      { from_id: fromId, to_id: toId },
      { from_id: toId, to_id: fromId },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await touch(context, by, toId);
  return true;
}

export async function unrelate(
  context: WorkContext,
  by: Author,
  fromId: string,
  toId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tablesOf(context)
    .deleteFrom('work_relations')
    .where((where) =>
      where.or([
        where.and([where('from_id', '=', fromId), where('to_id', '=', toId)]),
        where.and([where('from_id', '=', toId), where('to_id', '=', fromId)]),
      ]),
    )
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await touch(context, by, toId);
  return true;
}

export async function replaceRelations(
  context: WorkContext,
  by: Author,
  row: StoredContainer,
  wanted: string[],
): Promise<void> {
  const have = (
    await tablesOf(context)
      .selectFrom('work_relations')
      .select('to_id')
      .where('from_id', '=', row.id)
      .execute()
  ).map((relation) => relation.to_id);
  for (const id of wanted) {
    if (id === row.id)
      throw new SylkError('VALIDATION_ERROR', 'A container cannot relate to itself.', {
        hint: 'Remove its own id from relatedTo.',
      });
    if (!have.includes(id)) {
      await requireContainer(context, id);
      await relate(context, by, row.id, id);
    }
  }
  for (const id of have) if (!wanted.includes(id)) await unrelate(context, by, row.id, id);
}
