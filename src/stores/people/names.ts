import { SylkError } from '../../base/errors.ts';
import type { PeopleContext } from './context.ts';
import type { PeopleTables } from './tables.ts';

type MemberRow = PeopleTables['members'];

/** Names that look alike are one name. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

export async function memberRow({ tables }: PeopleContext, name: string): Promise<MemberRow> {
  const row = await tables()
    .selectFrom('members')
    .selectAll()
    .where('name_key', '=', nameKey(name))
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (row) return row;
  throw unknownMember(name);
}

export const unknownMember = (name: string): SylkError =>
  new SylkError('NOT_FOUND', `Nobody is called ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: 'Run `sylk people` to list people, agents and services.',
  });
