import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { SylkError } from '../base/errors.ts';
import { looseList } from '../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../base/paging.ts';
import {
  everyRepository,
  givenRights,
  longestDays,
  type Member,
  memberKinds,
  memberSchema,
  reaches,
  rights,
  type ShownToken,
  tokenSchema,
} from '../stores/people/index.ts';
import { type Caller, operation } from './operation.ts';
import { repositoryName } from './rights.ts';

const rightsText = (given: Member['rights'], person?: string): string =>
  given.map(({ repository, right }) => `${right} in ${repository}`).join(', ') ||
  (person ? `writer where ${person} is` : 'no rights');

/** At the terminal of the database's owner there is no access to ask. An admin of one repository is none of the others. */
const isAdmin = ({ access }: Caller, where = everyRepository): boolean =>
  access === undefined || reaches(access.rightIn(where), 'admin');

function requireAdmin(caller: Caller, where = everyRepository): void {
  if (isAdmin(caller, where)) return;
  throw new SylkError(
    'DENIED',
    `This needs the right admin in ${where === everyRepository ? 'all repositories (*)' : where}.`,
    {
      hint: 'Ask an admin of the whole team.',
    },
  );
}

/** What the caller may know of a member: rights in repositories that are open to the caller. Undefined where nothing is left. */
function seenBy({ access }: Caller, member: Member): Member | undefined {
  if (access === undefined || isAdmin({ kind: 'person', name: '', access })) return member;
  const given = member.rights.filter(
    ({ repository: where }) => where === everyRepository || access.rightIn(where),
  );
  const isOwn = [member.name, member.person].includes(access.name);
  return given.length > 0 || isOwn
    ? { ...member, email: isOwn ? member.email : undefined, rights: given }
    : undefined;
}

const memberLine = ({ name, kind, person, rights: given, ended_at }: Member): string =>
  `${name}  ${kind}${person ? ` of ${person}` : ''}  ${ended_at ? `left ${ended_at}` : rightsText(given, person)}`;

const memberName = z.string().max(64);
const repository = z
  .string()
  .max(100)
  .optional()
  .describe('name of a repository of the team, or * for all; this one when left out');

const listPeople = operation({
  name: 'list_people',
  summary: 'People, agents and services of the team, with their rights by repository.',
  effect: 'read',
  input: z.object({ ...pagingInput }),
  output: z.object({ people: z.array(memberSchema), ...pagingOutput }),
  examples: [{}],
  render: ({ people }) =>
    people.map(memberLine).join('\n') || 'Nobody yet. Add the first: sylk people add NAME --right admin',
  run: async (input, { app, caller }) => {
    const all = await (await app.people()).list();
    const seen = all.flatMap((member) => seenBy(caller, member) ?? []);
    const { items, total, next_cursor } = await pageOf(seen, input);
    return { people: items, total, next_cursor };
  },
});

const addPerson = operation({
  name: 'add_person',
  summary: 'Adds a person, an agent of a person, or a service to the team, with a right in a repository.',
  effect: 'setup',
  input: z.object({
    name: memberName.describe('how records name them'),
    kind: z.enum(memberKinds).default('person'),
    person: memberName.optional().describe('for an agent: the person it works for'),
    email: z.email().optional().describe('for a person who logs in through an identity provider'),
    right: z.enum(rights).optional().describe('reader, writer, reviewer or admin'),
    repository,
  }),
  output: memberSchema,
  examples: [{ name: 'Ada', right: 'admin', repository: '*' }],
  command: { positionals: ['name'] },
  render: (member) =>
    `Added ${memberLine(member)}\nA token: sylk people token ${JSON.stringify(member.name)}`,
  run: async ({ right, repository: wanted, ...member }, { app, caller }) => {
    const people = await app.people();
    const where = wanted ?? repositoryName(app);
    requireAdmin(caller, where);
    await people.add({ ...member, by: caller.name });
    if (right !== undefined)
      await people.giveRight({ name: member.name, right, repository: where, by: caller.name });
    return people.get(member.name);
  },
});

const changeRight = operation({
  name: 'change_right',
  summary: 'Gives a member of the team another right in a repository, or takes it away (none).',
  effect: 'setup',
  input: z.object({ name: memberName, right: z.enum(givenRights), repository }),
  output: memberSchema,
  examples: [{ name: 'Ada', right: 'writer' }],
  command: { positionals: ['name', 'right'] },
  render: memberLine,
  run: async ({ name, right, repository: wanted }, { app, caller }) => {
    const people = await app.people();
    const where = wanted ?? repositoryName(app);
    requireAdmin(caller, where);
    await people.giveRight({ name, right, repository: where, by: caller.name });
    const member = await people.get(name);
    return seenBy(caller, member) ?? member;
  },
});

const removePerson = operation({
  name: 'remove_person',
  summary:
    'Ends a membership: tokens of the member and of its agents stop working. What they wrote stays under their name.',
  effect: 'setup',
  destructive: true,
  input: z.object({ name: memberName }),
  output: z.object({ removed: z.string() }),
  examples: [{ name: 'Ada' }],
  command: { positionals: ['name'] },
  render: ({ removed }) => `${removed} is no longer a member. Tokens ended.`,
  run: async ({ name }, { app, caller }) => {
    requireAdmin(caller);
    await (await app.people()).end(name);
    return { removed: name };
  },
});

const createToken = operation({
  name: 'create_token',
  summary:
    'Makes a token for yourself, for an agent of yours or, as an admin, for any member. It is shown once.',
  effect: 'setup',
  showsSecret: true,
  input: z.object({
    name: memberName.optional().describe('whose token; your own when left out'),
    label: z.string().max(100).default('token').describe('where it is used, such as laptop'),
    days: z.coerce.number().int().min(1).max(longestDays).default(90).describe('until it expires'),
    right: z.enum(rights).optional().describe('at most this right'),
    repositories: looseList(z.string()).optional().describe('in these repositories only'),
    operations: looseList(z.string()).optional().describe('these operations only'),
  }),
  output: tokenSchema.extend({
    token: z.string().describe('shown once; send it as Authorization: Bearer TOKEN'),
  }),
  examples: [{ name: 'Ada', label: 'laptop' }],
  command: { positionals: ['name'] },
  render: ({ token, member, expires_at }) =>
    `${token}\nFor ${member}, until ${expires_at}. It is not shown again.`,
  run: async ({ name, ...wish }, context) => {
    const people = await context.app.people();
    const { access } = context.caller;
    const member = name ?? access?.name;
    if (member === undefined)
      throw new SylkError('VALIDATION_ERROR', 'Missing NAME.', { hint: 'Usage: sylk people token NAME' });
    const { name: found, person } = await people.get(member);
    const isOwn = access !== undefined && [found, person].includes(access.name);
    if (!isOwn && !isAdmin(context.caller)) throw people.unknown(member);
    const { token, shown } = await people.createToken({ ...wish, ...narrowed(wish, access?.token), member });
    return { ...shown, token };
  },
});

/** Whoever has a narrow token can't make a wider one. */
function narrowed(
  wish: Pick<ShownToken, 'right' | 'repositories' | 'operations'>,
  own: ShownToken | undefined,
): Pick<ShownToken, 'right' | 'repositories' | 'operations'> {
  const within = (wanted: string[] | undefined, limit: string[] | undefined) =>
    limit === undefined ? wanted : (wanted ?? limit).filter((each) => limit.includes(each));
  const right =
    own?.right !== undefined && (wish.right === undefined || reaches(wish.right, own.right))
      ? own.right
      : wish.right;
  return {
    right,
    repositories: within(wish.repositories, own?.repositories),
    operations: within(wish.operations, own?.operations),
  };
}

const tokenLine = (token: ShownToken): string =>
  [
    `${token.id}  ${token.member}  ${token.label}  ${token.revoked_at ? `revoked ${token.revoked_at}` : `until ${token.expires_at}`}`,
    token.last_used_at ? `last used ${token.last_used_at}` : 'never used',
    token.right && `at most ${token.right}`,
    token.repositories && `in ${token.repositories.join(', ')}`,
    token.operations && `for ${token.operations.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');

const listTokens = operation({
  name: 'list_tokens',
  summary:
    'Tokens with their owner, expiry, last use and limits: your own, or everybody’s for an admin. Never the token itself.',
  effect: 'read',
  input: z.object({ name: memberName.optional().describe('of this member'), ...pagingInput }),
  output: z.object({ tokens: z.array(tokenSchema), ...pagingOutput }),
  examples: [{}],
  command: { positionals: ['name'] },
  render: ({ tokens }) => tokens.map(tokenLine).join('\n') || 'No tokens. Make one: sylk people token NAME',
  run: async ({ name, ...paging }, context) => {
    const { access } = context.caller;
    const all = await (await context.app.people()).listTokens(name);
    const found = isAdmin(context.caller) ? all : all.filter(({ member }) => member === access?.name);
    const { items, total, next_cursor } = await pageOf(found, paging);
    return { tokens: items, total, next_cursor };
  },
});

const revokeToken = operation({
  name: 'revoke_token',
  summary: 'Ends a token at once: your own, or anybody’s for an admin.',
  effect: 'setup',
  input: z.object({ id: z.string().describe('as shown by `sylk people tokens`') }),
  output: z.object({ revoked: z.string() }),
  examples: [{ id: '000000000000' }],
  command: { positionals: ['id'] },
  render: ({ revoked }) => `${revoked} has ended.`,
  run: async ({ id }, context) => {
    const own = isAdmin(context.caller) ? undefined : context.caller.access?.name;
    await (await context.app.people()).revokeToken(id, own);
    return { revoked: id };
  },
});

const setPassword = operation({
  name: 'set_password',
  summary:
    'Gives a person a password for the dashboard and for `sylk login`: your own or, as an admin, anybody’s.',
  effect: 'setup',
  showsSecret: true,
  input: z.object({
    name: memberName.optional().describe('whose; your own when left out'),
    password: z.string().max(1000).optional().describe('one is made and shown once when left out'),
  }),
  output: z.object({ name: z.string(), password: z.string().optional() }),
  examples: [{ name: 'Ada' }],
  command: { positionals: ['name'] },
  render: ({ name, password }) =>
    password ? `${password}\nThe password of ${name}. It is not shown again.` : `${name} has a new password.`,
  run: async ({ name, password }, { app, caller }) => {
    const people = await app.people();
    const member = name ?? caller.access?.name;
    if (member === undefined)
      throw new SylkError('VALIDATION_ERROR', 'Missing NAME.', { hint: 'Usage: sylk people password NAME' });
    const { name: found } = await people.get(member);
    if (found !== caller.access?.name && !isAdmin(caller)) throw people.unknown(member);
    const made = password === undefined ? newPassword() : undefined;
    await people.setPassword(found, password ?? made ?? '');
    return { name: found, password: made };
  },
});

/** 120 bits, in groups that can be read aloud. */
const newPassword = (): string => randomBytes(15).toString('hex').match(/.{5}/g)?.join('-') ?? '';

const whoAmI = operation({
  name: 'who_am_i',
  summary: 'Your name in the team, your right here, and until when your token works.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    kind: z.enum(memberKinds),
    person: z.string().optional(),
    repository: z.string(),
    right: z.enum(rights),
    token: tokenSchema.optional(),
  }),
  examples: [{}],
  render: ({ name, kind, person, right, repository: here, token }) =>
    `${name} (${kind}${person ? ` of ${person}` : ''}): ${right} in ${here}${token ? `, token until ${token.expires_at}` : ''}`,
  run: async (_input, { app, caller: { access, name, kind } }) => {
    await app.people();
    const here = repositoryName(app);
    return {
      name: access?.name ?? name,
      kind: access?.kind ?? (kind === 'person' ? ('person' as const) : ('agent' as const)),
      person: access?.person,
      repository: here,
      right: access ? (access.rightIn(here) ?? 'reader') : ('admin' as const),
      token: access?.token,
    };
  },
});

export const operations = [
  listPeople,
  addPerson,
  changeRight,
  removePerson,
  createToken,
  listTokens,
  revokeToken,
  setPassword,
  whoAmI,
];
