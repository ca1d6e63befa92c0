import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { PeopleContext } from './context.ts';
import type { GivenRight, MemberKind } from './member.ts';
import { memberRow, nameKey } from './names.ts';
import { hashPassword, isPassword } from './passwords.ts';

export interface NewMember {
  name: string;
  kind: MemberKind;
  person?: string | undefined;
  email?: string | undefined;
  by: string;
}

/** Names that callers without a member go by. */
const taken = ['api', 'command line', 'dashboard', 'network', 'operator', 'person', 'worker'];

export async function addMember(context: PeopleContext, member: NewMember): Promise<void> {
  const { name, kind, person, email, by } = member;
  const { tables, clock, library } = context;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._@+ -]{0,63}$/u.test(name) || taken.includes(nameKey(name)))
    throw new SylkError('VALIDATION_ERROR', `${JSON.stringify(name.slice(0, 80))} can't be a name here.`, {
      hint: 'Use up to 64 letters, digits, spaces and . _ @ + -',
    });
  if ((kind === 'agent') !== (person !== undefined))
    throw new SylkError('VALIDATION_ERROR', 'An agent works for a person; people and services for nobody.', {
      hint: 'sylk people add NAME --kind agent --person PERSON',
    });
  const owner = person === undefined ? null : await personRow(context, person);
  const now = clock.now();
  await library.write(async () => {
    const { numInsertedOrUpdatedRows } = await tables()
      .insertInto('members')
      .values({
        id: newId('mem', now),
        kind,
        name,
        name_key: nameKey(name),
        owner: owner?.id ?? null,
        email: email ?? null,
        password: null,
        subject: null,
        added_at: isoTime(now),
        added_by: by,
        ended_at: null,
      })
      .onConflict((conflict) => conflict.column('name_key').doNothing())
      .executeTakeFirst();
    if (Number(numInsertedOrUpdatedRows) === 0)
      throw new SylkError('CONFLICT', `${name} is a name of this team already.`, {
        hint: 'Names stay taken after somebody left, so that records stay clear. Choose another.',
      });
  });
}

async function personRow(context: PeopleContext, name: string) {
  const row = await memberRow(context, name);
  if (row.kind === 'person') return row;
  throw new SylkError('VALIDATION_ERROR', `${row.name} is not a person.`, {
    hint: 'Name the person that the agent works for.',
  });
}

export async function giveRight(
  context: PeopleContext,
  { name, repository, right, by }: { name: string; repository: string; right: GivenRight; by: string },
): Promise<void> {
  const { id: member } = await memberRow(context, name);
  const given = { level: right, given_at: isoTime(context.clock.now()), given_by: by };
  await context.library.write(() =>
    context
      .tables()
      .insertInto('member_rights')
      .values({ member, repository, ...given })
      .onConflict((conflict) => conflict.columns(['member', 'repository']).doUpdateSet(given))
      .execute(),
  );
}

/** The row stays, so that records keep their names; tokens of the member and of its agents end. */
export async function endMember(context: PeopleContext, name: string): Promise<void> {
  const { tables, library, clock } = context;
  const { id } = await memberRow(context, name);
  const now = isoTime(clock.now());
  await library.write(async () => {
    await tables()
      .updateTable('member_tokens')
      .set({ revoked_at: now })
      .where('revoked_at', 'is', null)
      .where(({ eb, selectFrom, or }) =>
        or([
          eb('member', '=', id),
          eb('member', 'in', selectFrom('members').select('members.id').where('owner', '=', id)),
        ]),
      )
      .execute();
    await tables()
      .updateTable('members')
      .set({ ended_at: now, password: null })
      .where(({ eb, or }) => or([eb('id', '=', id), eb('owner', '=', id)]))
      .where('ended_at', 'is', null)
      .execute();
  });
}

export async function setPassword(context: PeopleContext, name: string, password: string): Promise<void> {
  const { id } = await personRow(context, name);
  const hash = await hashPassword(password);
  await context.library.write(() =>
    context.tables().updateTable('members').set({ password: hash }).where('id', '=', id).execute(),
  );
}

/** The name and id of the person whose password it is. */
export async function checkPassword(
  context: PeopleContext,
  name: string,
  password: string,
): Promise<{ id: string; name: string } | undefined> {
  const row = await memberRow(context, name).catch(() => undefined);
  const isRight = await isPassword(password, row?.password);
  return isRight && row ? { id: row.id, name: row.name } : undefined;
}

/** Ties an identity of an identity provider to a person, once: by the email that the admin wrote down. */
export async function adoptSubject(
  context: PeopleContext,
  { subject, email }: { subject: string; email: string | undefined },
): Promise<{ id: string; name: string } | undefined> {
  const { tables, library } = context;
  const people = () =>
    tables()
      .selectFrom('members')
      .select(['id', 'name'])
      .where('kind', '=', 'person')
      .where('ended_at', 'is', null);
  const bound = await people().where('subject', '=', subject).executeTakeFirst();
  if (bound || email === undefined) return bound;
  const invited = await people().where('email', '=', email).where('subject', 'is', null).executeTakeFirst();
  if (!invited) return undefined;
  await library.write(() =>
    tables()
      .updateTable('members')
      .set({ subject })
      .where('id', '=', invited.id)
      .where('subject', 'is', null)
      .execute(),
  );
  return people().where('subject', '=', subject).executeTakeFirst();
}
