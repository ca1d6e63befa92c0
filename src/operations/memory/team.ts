import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import type { TeamLibrary } from '../../engines/memory/index.ts';
import { type SharedEntry, sharedEntrySchema } from '../../stores/chronicle/index.ts';
import { authorName } from '../author-name.ts';
import { isPersonSpeaking, type OperationContext, operation } from '../operation.ts';

const taken = z.object({
  taken: z.array(
    z.object({
      id: z.string(),
      result: z.enum(['taken', 'merged', 'conflicting']),
      entry: sharedEntrySchema.optional(),
    }),
  ),
});

const changes = z.object({
  entries: z.array(sharedEntrySchema),
  position: z.string(),
  more: z.boolean(),
});

/** Nobody writes in the name of another: who sent it is its author, and only a person's token brings a person's word. */
function signed(entry: SharedEntry, context: OperationContext): SharedEntry {
  const isPersons = isPersonSpeaking(context.caller) && entry.source_kind === 'person';
  return {
    ...entry,
    source: isPersons ? authorName(context) : authorName(context, entry.source),
    source_kind: isPersons || entry.source_kind !== 'person' ? entry.source_kind : 'agent',
    verification: isPersons ? 'by_user' : 'none',
    confidence: Math.min(1, Math.max(0, entry.confidence)),
  };
}

/** Positions count what every session writes: that is for members of a team. */
function requireMember({ caller: { access } }: OperationContext): void {
  if (access === undefined)
    throw new SylkError('DENIED', 'Entries are exchanged with members of a team only.', {
      hint: 'Use search_history to find what is shared.',
    });
}

const takeEntries = operation({
  name: 'take_entries',
  summary:
    'For laptops of a team: takes shared entries under the ids that they got there. The same call again changes nothing; what both sides changed is kept twice and marked as conflicting.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    offers: z
      .array(z.object({ entry: sharedEntrySchema, base: z.string().max(64).nullable() }))
      .max(1000)
      .describe('entries, each with the hash of what both sides had last'),
  }),
  output: taken,
  examples: [{ offers: [] }],
  run: async ({ offers }, context) => {
    requireMember(context);
    const memory = await context.app.memory();
    const entries = offers.map(({ entry, base }) => ({ entry: signed(entry, context), base }));
    const result = await memory.team.serve(authorName(context)).take(entries);
    await memory.adopt(entries.map(({ entry }) => entry.id));
    return { taken: result };
  },
});

const listSharedEntries = operation({
  name: 'list_shared_entries',
  summary: 'For laptops of a team: shared entries that changed since a position, and where to go on.',
  effect: 'read',
  input: z.object({ position: z.string().max(200).optional().describe('as the last answer gave it') }),
  output: changes,
  examples: [{}],
  run: async ({ position }, context) => {
    requireMember(context);
    return (await context.app.memory()).team.serve(authorName(context)).changes(position);
  },
});

export function requireLogin(app: App) {
  const login = app.login();
  if (login) return login;
  throw new SylkError('NOT_FOUND', 'This repository has no team on this machine.', {
    hint: 'Run `sylk login https://SERVER` with the token that an admin gave you.',
  });
}

/** The library of the team on its server. */
function remoteLibrary(app: App, timeoutMs?: number): TeamLibrary {
  const login = requireLogin(app);
  const call = (name: string, input: object) =>
    app.callTeam({ login, name, input, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  return {
    take: async (offers) => taken.parse(await call('take_entries', { offers })).taken,
    changes: async (position) => changes.parse(await call('list_shared_entries', { position })),
  };
}

/** What belongs to one team, also where its server gets another token. */
export const teamOf = (app: App): string => {
  const { url, repository } = requireLogin(app);
  return `${url} ${repository}`.trim();
};

export async function syncTeam(app: App, timeoutMs?: number) {
  const memory = await app.memory();
  const { ids, mayOnlyRead, ...synced } = await memory.team.exchange(
    teamOf(app),
    remoteLibrary(app, timeoutMs),
  );
  if (ids.length > 0) await memory.adopt(ids);
  return { ...synced, may_only_read: mayOnlyRead };
}

const sync = operation({
  name: 'sync_team',
  summary:
    'Sends what was written here to the server of the team, and brings what the team wrote. Commands and MCP servers do it by themselves; this tells the outcome.',
  effect: 'write',
  idempotent: true,
  input: z.object({}),
  output: z.object({
    team: z.string(),
    sent: z.number().describe('entries that the server has now'),
    received: z.number(),
    conflicts: z.array(z.string()).describe('entries that both sides changed; both texts are kept'),
    may_only_read: z.boolean().describe('the server takes nothing from you'),
  }),
  examples: [{}],
  render: ({ team, sent, received, conflicts, may_only_read }) =>
    [
      `${team}: ${sent} entries sent, ${received} received.`,
      ...(may_only_read ? ['You may only read there: what you wrote stays here.'] : []),
      ...conflicts.map(
        (id) =>
          `${id} was changed by somebody else too: both texts are kept. The dashboard of the server shows them.`,
      ),
    ].join('\n'),
  run: async (_input, { app }) => ({ team: teamOf(app), ...(await syncTeam(app)) }),
});

export const teamOperations = [takeEntries, listSharedEntries, sync];
