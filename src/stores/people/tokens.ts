import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { PeopleContext } from './context.ts';
import type { Right, ShownToken } from './member.ts';
import { memberRow } from './names.ts';
import type { PeopleTables } from './tables.ts';

/** `sylk_ID_SECRET`: the id finds the row, and the digest of the whole is compared in constant time. */
const form = /^sylk_([0-9a-f]{12})_[\w-]{43}$/;
const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
const millisecondsOfDay = 86_400_000;
export const longestDays = 366;

export interface TokenWish {
  member: string;
  label: string;
  days: number;
  right?: Right | undefined;
  repositories?: string[] | undefined;
  operations?: string[] | undefined;
}

/** The only time that the token itself is known: what is stored opens nothing. */
export async function createToken(
  context: PeopleContext,
  wish: TokenWish,
): Promise<{ token: string; shown: ShownToken }> {
  const { id: member, name } = await memberRow(context, wish.member);
  const id = randomBytes(6).toString('hex');
  const token = `sylk_${id}_${randomBytes(32).toString('base64url')}`;
  const now = context.clock.now();
  const row: PeopleTables['member_tokens'] = {
    id,
    member,
    digest: digestOf(token),
    label: wish.label,
    created_at: isoTime(now),
    expires_at: isoTime(now + wish.days * millisecondsOfDay),
    last_used_at: null,
    revoked_at: null,
    level: wish.right ?? null,
    repositories: wish.repositories ? JSON.stringify(wish.repositories) : null,
    operations: wish.operations ? JSON.stringify(wish.operations) : null,
  };
  await context.library.write(() => context.tables().insertInto('member_tokens').values(row).execute());
  return { token, shown: shownToken(row, name) };
}

export function shownToken(row: PeopleTables['member_tokens'], member: string): ShownToken {
  return {
    id: row.id,
    member,
    label: row.label,
    created_at: row.created_at,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at ?? undefined,
    revoked_at: row.revoked_at ?? undefined,
    right: row.level ?? undefined,
    repositories: row.repositories === null ? undefined : JSON.parse(row.repositories),
    operations: row.operations === null ? undefined : JSON.parse(row.operations),
  };
}

/** Newest first, with those that ended; of one member, or of all. */
export async function listTokens({ tables }: PeopleContext, member?: string): Promise<ShownToken[]> {
  let query = tables()
    .selectFrom('member_tokens')
    .innerJoin('members', 'members.id', 'member_tokens.member')
    .selectAll('member_tokens')
    .select('members.name as of')
    .orderBy('member_tokens.created_at', 'desc')
    .orderBy('member_tokens.id');
  if (member !== undefined) query = query.where('members.name', '=', member);
  return (await query.execute()).map((row) => shownToken(row, row.of));
}

/** `member`: whose token it has to be; a foreign one is answered as one that does not exist. */
export async function revokeToken(context: PeopleContext, id: string, member?: string): Promise<void> {
  const { tables, clock, library } = context;
  const owner = member === undefined ? undefined : (await memberRow(context, member)).id;
  const revoked = await library.write(async () => {
    let query = tables()
      .updateTable('member_tokens')
      .set({ revoked_at: isoTime(clock.now()) })
      .where('id', '=', id)
      .where('revoked_at', 'is', null);
    if (owner !== undefined) query = query.where('member', '=', owner);
    return Number((await query.executeTakeFirst()).numUpdatedRows);
  });
  if (revoked === 0)
    throw new SylkError('NOT_FOUND', `No token ${JSON.stringify(id.slice(0, 40))} is in force.`, {
      hint: 'Run `sylk people tokens` to list tokens.',
    });
}

/** The row of a token that is in force now. */
export async function findToken(
  { tables, clock }: PeopleContext,
  token: string,
): Promise<PeopleTables['member_tokens'] | undefined> {
  const id = form.exec(token)?.[1];
  if (id === undefined) return undefined;
  const row = await tables().selectFrom('member_tokens').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || !timingSafeEqual(Buffer.from(row.digest), Buffer.from(digestOf(token)))) return undefined;
  return row.revoked_at === null && row.expires_at > isoTime(clock.now()) ? row : undefined;
}

const useEveryMs = 60_000;

/** Writes down that a token was used, once a minute at most: every write waits for its turn. */
export async function noteUse(
  { tables, clock, library, usesWritten }: PeopleContext,
  id: string,
): Promise<void> {
  const now = clock.now();
  if (now - (usesWritten.get(id) ?? 0) < useEveryMs) return;
  usesWritten.set(id, now);
  await library.write(() =>
    tables()
      .updateTable('member_tokens')
      .set({ last_used_at: isoTime(now) })
      .where('id', '=', id)
      .execute(),
  );
}
