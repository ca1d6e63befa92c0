import { isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { SylkError } from '../base/errors.ts';
import { requireRevision } from '../base/git/index.ts';
import { looseList } from '../base/loose-input.ts';
import { redact } from '../base/redact.ts';
import { sessionChanges } from '../engines/memory/index.ts';
import {
  contextPatchSchema,
  type Session,
  sessionConfigSchema,
  sessionSchema,
  sessionStates,
} from '../stores/sessions/index.ts';
import { memoryCaller, sessionInput } from './memory/shared.ts';
import { type OperationContext, operation } from './operation.ts';

const line = (session: Omit<Session, 'context'>): string =>
  `${session.id}  ${session.state.padEnd(9)}  ${session.last_active_at.slice(0, 16).replace('T', ' ')}  ${session.name}${session.branch_name ? `  on ${session.branch_name}` : ''}`;
const ownId = z.string().optional().describe('session id; yours when omitted');

async function forWriting(context: OperationContext, id: string | undefined) {
  const memory = await context.app.memory();
  return { memory, session: await memory.sessions.forWriting(memoryCaller(context), id) };
}

const createSession = operation({
  name: 'create_session',
  summary: 'Start a separate session: private context, notes and files that no other session sees.',
  effect: 'write',
  input: z.object({
    name: z.string().max(200).optional(),
    base_branch: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    config: sessionConfigSchema.partial().optional(),
    activate: z.boolean().default(true),
  }),
  output: sessionSchema,
  examples: [{ name: 'rate limits' }],
  command: { positionals: ['name'], rest: true },
  render: line,
  run: async (input, context) => {
    const { sessions } = await context.app.memory();
    const caller = memoryCaller(context);
    if (input.config?.enable_git_isolation && caller.kind !== 'person')
      throw new SylkError('DENIED', "A branch and a working tree are a person's to open.", {
        hint: 'Create the session without enable_git_isolation; a person runs `sylk session worktree ID`.',
      });
    const created = await sessions.create({
      ...input,
      metadata: { ...input.metadata, client: caller.client, worktree: caller.worktree },
    });
    const session = input.activate ? (await sessions.current.switchTo(caller, created.id)).session : created;
    if (!session.config.enable_git_isolation) return session;
    const from = input.base_branch === undefined ? undefined : requireRevision(input.base_branch);
    return (await context.app.sessionWorktrees()).open(session, from);
  },
});

const listSessions = operation({
  name: 'list_sessions',
  summary: 'Sessions of this repository, latest first, with the count per state.',
  effect: 'read',
  input: z.object({ state: z.enum(sessionStates).optional(), include_closed: z.boolean().default(false) }),
  output: z.object({
    sessions: z.array(sessionSchema.omit({ context: true })),
    total: z.number().describe('include closed sessions'),
    by_state: z.record(z.string(), z.number()),
  }),
  examples: [{}, { state: 'active' }],
  command: { positionals: ['state'] },
  render: ({ sessions, total, by_state }) =>
    total === 0
      ? 'No sessions yet.'
      : [
          ...sessions.map(line),
          `${total} in total: ${Object.entries(by_state)
            .map(([state, count]) => `${count} ${state}`)
            .join(', ')}`,
        ].join('\n'),
  run: async (input, context) => {
    const { sessions } = await context.app.memory();
    await sessions.current.enforceLimits();
    const all = sessions.visibleTo(memoryCaller(context), await sessions.list({ archived: true }));
    const by_state = Object.fromEntries(
      [...Map.groupBy(all, ({ state }) => state)].map(([state, group]) => [state, group.length]),
    );
    const listed = all.filter(
      ({ state, archived }) =>
        (input.include_closed || !archived) && (input.state === undefined || state === input.state),
    );
    return { sessions: listed, total: all.length, by_state };
  },
});

const getSession = operation({
  name: 'get_session',
  summary: 'One session: its private context, decisions, failures and changed files.',
  effect: 'read',
  input: z.object({ id: ownId }),
  output: z.object({
    session: sessionSchema.nullable(),
    events: z.array(z.object({ at: z.string(), event: z.string(), data: z.record(z.string(), z.unknown()) })),
    session_id: z.string(),
    text: z.string().describe('what it did so far'),
    counts: z.record(z.string(), z.number()).describe('entries by category'),
    files_modified: z.array(z.string()),
  }),
  examples: [{}],
  command: { positionals: ['id'] },
  render: ({ session, text }) => (session ? `${text}\n\n${JSON.stringify(session.context, null, 2)}` : text),
  run: async ({ id }, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forReading(memoryCaller(context), id);
    if (!session) {
      const text = 'You have no session yet. The first write starts one.';
      return { session: null, events: [], session_id: '', text, counts: {}, files_modified: [] };
    }
    const { session_id, text, counts, files_modified } = await memory.summarise(session);
    const events = await memory.sessions.events(session.id);
    return { session, events, session_id, text, counts, files_modified };
  },
});

const updateSession = operation({
  name: 'update_session',
  summary:
    'Change a session: suspend or resume it, switch to it, complete it (shares its verified decisions), fail or close it, or set its task, objective, next steps and blockers.',
  effect: 'write',
  input: z.object({
    id: ownId,
    change: z
      .enum(sessionChanges)
      .optional()
      .describe('switch moves only you; a named session that nobody uses then is suspended'),
    context: contextPatchSchema.optional().describe('omitted fields stay unchanged'),
    reason: z.string().optional(),
    summary: z
      .string()
      .optional()
      .describe('for complete: what was done; derived from the entries when omitted'),
  }),
  output: sessionSchema.extend({
    left: z.string().nullable().optional().describe('the session that switch suspended'),
    promoted: z.array(z.string()).optional().describe('entries shared by this call'),
    waiting: z
      .array(z.object({ id: z.string(), title: z.string() }))
      .optional()
      .describe('entries that a person may share'),
  }),
  examples: [
    { context: { current_task: 'limit attempts', next_steps: ['write tests'] } },
    { id: 'ses_0', change: 'suspend' },
    { id: 'ses_0', change: 'complete' },
  ],
  command: { positionals: ['change', 'id'] },
  render: ({ left, promoted, waiting = [], ...session }) =>
    [
      line(session),
      ...(left ? [`suspended ${left}`] : []),
      ...(promoted ? [session.summary, '', `Shared: ${promoted.length}`] : []),
      ...(waiting.length > 0 ? ['You can share these entries with `sylk memory promote ID`:'] : []),
      ...waiting.map((entry) => `  ${entry.id}  ${entry.title}`),
    ].join('\n'),
  run: async ({ id, change, context: patch, ...words }, context) => {
    const memory = await context.app.memory();
    const caller = memoryCaller(context);
    const session =
      change && id
        ? await memory.sessions.forCaller(caller, id)
        : await memory.sessions.forWriting(caller, id);
    if (patch) await memory.sessions.updateContext(session.id, patch);
    return change ? memory.changeSession(caller, session, change, words) : memory.sessions.get(session.id);
  },
});

const closeSessions = operation({
  name: 'close_sessions',
  summary: 'Archive every session that has ended.',
  effect: 'setup',
  input: z.object({}),
  output: z.object({ closed: z.array(z.string()) }),
  examples: [{}],
  render: ({ closed }) => `Archived ${closed.length} sessions.`,
  run: async (_input, { app }) => {
    const { sessions } = await app.memory();
    const ended = (await sessions.list()).filter(({ state }) => state === 'completed' || state === 'failed');
    for (const { id } of ended) await sessions.close(id);
    return { closed: ended.map(({ id }) => id) };
  },
});

const snapshotSession = operation({
  name: 'snapshot_session',
  summary: 'Save a snapshot of a session, or restore a session from a snapshot.',
  effect: 'write',
  input: z.object({ id: ownId, restore: z.string().optional().describe('id of the snapshot to restore') }),
  output: z.object({
    snapshot_id: z.string(),
    session_id: z.string(),
    created_at: z.string().optional(),
    session: sessionSchema.optional(),
  }),
  examples: [{}],
  command: { positionals: ['id'] },
  render: ({ snapshot_id, session_id, session }) =>
    session ? `Restored ${session_id} from ${snapshot_id}.` : `Saved ${session_id} as ${snapshot_id}.`,
  run: async ({ id, restore }, context) => {
    if (restore !== undefined) {
      const session = await (await context.app.memory()).restore(restore, memoryCaller(context));
      return { snapshot_id: restore, session_id: session.id, session };
    }
    const { memory, session } = await forWriting(context, id);
    const { id: snapshot_id, created_at } = await memory.snapshot(session);
    return { snapshot_id, session_id: session.id, created_at };
  },
});

/** One file has one name, and only files of this repository are locked in it; they need not exist yet. */
function insideRepository(root: string, path: string): string {
  // Before its form changes: an address with a password would not look like one any more.
  const inside = relative(root, resolve(root, redact(path)));
  if (inside === '' || inside === '..' || inside.startsWith('../') || isAbsolute(inside))
    throw new SylkError(
      'VALIDATION_ERROR',
      `${JSON.stringify(path.slice(0, 200))} is no file of this repository.`,
      {
        hint: 'Name files by their path in the repository, such as src/auth/session.ts.',
      },
    );
  return inside;
}

const lockFiles = operation({
  name: 'lock_files',
  summary: 'Lock files against other sessions while you work on them: many readers or one writer.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    paths: looseList(z.string().min(1)).optional().describe('for unlock: all when omitted'),
    mode: z.enum(['read', 'write', 'unlock']).default('write'),
    seconds: z.coerce.number().int().min(1).max(86_400).default(900),
    ...sessionInput,
  }),
  output: z.object({ locked: z.array(z.string()), released: z.number(), session_id: z.string() }),
  examples: [{ paths: ['src/auth/session.ts'] }, { mode: 'unlock' }],
  command: { positionals: ['paths'], rest: true },
  render: ({ locked, released, session_id }) =>
    locked.length > 0 ? `Locked for ${session_id}: ${locked.join(', ')}` : `Released ${released} locks.`,
  run: async ({ paths, mode, seconds, session: id }, context) => {
    const { memory, session } = await forWriting(context, id);
    const { locks } = memory.sessions;
    if (mode === 'unlock') {
      const named = paths?.map((path) => insideRepository(context.app.repository.root, path));
      return { locked: [], released: await locks.release(session.id, named), session_id: session.id };
    }
    const locked = (paths ?? []).map((path) => insideRepository(context.app.repository.root, path));
    await locks.acquire(session.id, locked, mode, seconds);
    return { locked, released: 0, session_id: session.id };
  },
});

const sessionWorktree = operation({
  name: 'session_worktree',
  summary:
    'Give a session its own branch and working tree, merge its branch back, or remove both. A branch that is checked out is not moved: the answer says what to type. On a conflict or possible data loss nothing changes.',
  effect: 'setup',
  destructive: true,
  input: z.object({
    id: z.string().describe('session id'),
    action: z.enum(['open', 'merge', 'remove']).default('open'),
    base_branch: z.string().optional().describe('branch to start from; default: the current one'),
  }),
  output: sessionSchema.extend(
    z
      .object({
        merged: z.boolean(),
        branch: z.string(),
        into: z.string(),
        commits: z.number(),
        conflicts: z.array(z.string()).describe('files that both sides changed'),
        removed: z.string().describe('the working tree that was removed; branch: with it'),
        command: z.string().describe('what is left to type, where the base is checked out'),
      })
      .partial().shape,
  ),
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: ({ worktree, branch_name, merged, branch, into, commits, removed, conflicts = [], command }) => {
    if (removed !== undefined) return `Removed ${removed}${branch ? ` and the branch ${branch}` : ''}.`;
    if (merged) return `Merged ${branch} into ${into}: ${commits} commits.`;
    if (command)
      return `${branch} fits: ${commits} commits, no conflicts. ${into} is checked out, so type: ${command}`;
    if (merged === undefined)
      return worktree === '' ? 'This session has no working tree.' : `${worktree} on ${branch_name}`;
    return `Not merged; both sides changed:\n${conflicts.map((path) => `  ${path}`).join('\n')}\nMerge ${branch} by hand.`;
  },
  run: async ({ id, action, base_branch }, context) => {
    const { sessions } = await context.app.memory();
    const worktrees = await context.app.sessionWorktrees();
    const session = await sessions.forCaller(memoryCaller(context), id);
    if (action === 'merge') return { ...session, ...(await worktrees.merge(session)) };
    if (action === 'remove') {
      const { worktree: removed, branch, session: left } = await worktrees.remove(session);
      return { ...left, removed, branch };
    }
    const from = base_branch === undefined ? undefined : requireRevision(base_branch);
    return worktrees.open(session, from);
  },
});

export const operations = [
  createSession,
  listSessions,
  getSession,
  updateSession,
  closeSessions,
  snapshotSession,
  lockFiles,
  sessionWorktree,
];
