import type { PeopleContext } from './context.ts';
import { type Access, type Grant, grantedIn, leastOf, type Member } from './member.ts';
import { memberRow, unknownMember } from './names.ts';
import { findToken, noteUse, shownToken } from './tokens.ts';

export async function listMembers({ tables }: PeopleContext): Promise<Member[]> {
  const rows = await tables().selectFrom('members').selectAll().orderBy('name_key').execute();
  const grants = await tables().selectFrom('member_rights').selectAll().orderBy('repository').execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    person: row.owner === null ? undefined : names.get(row.owner),
    email: row.email ?? undefined,
    rights: grants
      .filter(({ member }) => member === row.id)
      .map(({ repository, level }) => ({ repository, right: level })),
    has_password: row.password !== null,
    added_at: row.added_at,
    added_by: row.added_by,
    ended_at: row.ended_at ?? undefined,
  }));
}

export async function getMember(context: PeopleContext, name: string): Promise<Member> {
  const { name: found } = await memberRow(context, name);
  const member = (await listMembers(context)).find((each) => each.name === found);
  if (member) return member;
  throw unknownMember(name);
}

export async function hasMembers({ tables }: PeopleContext): Promise<boolean> {
  const row = await tables().selectFrom('members').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Who holds a token that is in force, and what it allows now: rights are read at each call, so that a change holds at once. */
export async function identify(context: PeopleContext, token: string): Promise<Access | undefined> {
  const row = await findToken(context, token);
  if (!row) return undefined;
  const access = await accessOf(context, row.member);
  if (!access) return undefined;
  await noteUse(context, row.id);
  const shown = shownToken(row, access.name);
  const { right, repositories } = shown;
  return {
    ...access,
    token: shown,
    rightIn: (repository) => {
      const own = access.rightIn(repository);
      if (own === undefined || repositories?.includes(repository) === false) return undefined;
      return leastOf([own, right ?? 'admin']);
    },
  };
}

/** What a member may do without a token between: for a session in the dashboard. Undefined for one who left. */
export async function accessOf({ tables }: PeopleContext, member: string): Promise<Access | undefined> {
  const rows = await tables()
    .selectFrom('members')
    .leftJoin('members as owners', 'owners.id', 'members.owner')
    .leftJoin('member_rights', (join) =>
      join.on(({ eb, ref, or }) =>
        or([
          eb('member_rights.member', '=', ref('members.id')),
          eb('member_rights.member', '=', ref('owners.id')),
        ]),
      ),
    )
    .select(['members.id', 'members.name', 'members.kind', 'owners.name as person'])
    .select(['owners.ended_at as left_at', 'member_rights.member as holder', 'member_rights.repository'])
    .select('member_rights.level')
    .where('members.id', '=', member)
    .where('members.ended_at', 'is', null)
    .execute();
  const [first] = rows;
  if (!first || first.left_at !== null) return undefined;
  const grantsOf = (isOwn: boolean): Grant[] =>
    rows.flatMap(({ holder, repository, level }) =>
      repository !== null && level !== null && (holder === member) === isOwn
        ? [{ repository, right: level }]
        : [],
    );
  const [own, owners] = [grantsOf(true), grantsOf(false)];
  const { name, kind, person } = first;
  return {
    name,
    kind,
    person: person ?? undefined,
    rightIn: (repository) => {
      if (person === null) return leastOf([grantedIn(own, repository)]);
      // An agent without rights of its own writes for its person; it never has more than that person.
      const agents = own.length === 0 ? 'writer' : grantedIn(own, repository);
      return leastOf([agents, grantedIn(owners, repository)]);
    },
  };
}
