import { z } from 'zod';
import { looseList } from '../base/loose-input.ts';
import {
  contextPatchSchema,
  sessionConfigSchema,
  sessionSchema,
  sessionStates,
} from '../stores/sessions/index.ts';
import { memoryCaller } from './memory/shared.ts';
import { type AnyOperation, type OperationContext, operation } from './operation.ts';
import { sessionWorktreeOperations } from './session-worktrees.ts';

const base = { toolset: 'sessions' } as const;
type Shown = z.output<typeof sessionSchema>;
const row = (session: Shown): string =>
  `${session.id}  ${session.state.padEnd(9)}  ${session.last_active_at.slice(0, 16).replace('T', ' ')}  ${session.name}${session.branch_name ? `  on ${session.branch_name}` : ''}`;
const id = { id: z.string().describe('session id') };

async function own(context: OperationContext, sessionId: string) {
  const memory = await context.app.memory();
  return { memory, session: await memory.sessions.forCaller(memoryCaller(context), sessionId) };
}

const createSession = operation({
  name: 'create_session',
  summary: 'Start a piece of work of its own: private context, notes and files that no other session sees.',
  effect: 'write',
  ...base,
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
  render: row,
  run: async (input, context) => {
    const memory = await context.app.memory();
    const caller = memoryCaller(context);
    const created = await memory.sessions.create({
      ...input,
      metadata: { ...input.metadata, client: caller.client, worktree: caller.worktree },
    });
    return input.activate ? (await memory.sessions.current.switchTo(caller, created.id)).session : created;
  },
});

const listSessions = operation({
  name: 'list_sessions',
  summary: 'Sessions of this repository by state, the latest first.',
  effect: 'read',
  ...base,
  input: z.object({ state: z.enum(sessionStates).optional(), include_closed: z.boolean().default(false) }),
  output: z.object({ sessions: z.array(sessionSchema.omit({ context: true })) }),
  examples: [{}, { state: 'active' }],
  command: { positionals: ['state'] },
  render: ({ sessions }) =>
    sessions.length === 0
      ? 'There is no session yet.'
      : sessions.map((session) => row(session as Shown)).join('\n'),
  run: async (input, context) => {
    const { sessions } = await context.app.memory();
    const caller = memoryCaller(context);
    await sessions.current.enforceLimits();
    const all = await sessions.list({ state: input.state, archived: input.include_closed });
    const visible = [];
    for (const session of all)
      if (caller.kind === 'person' || (await sessions.forCaller(caller, session.id).catch(() => undefined)))
        visible.push(session);
    return { sessions: visible };
  },
});

const getSession = operation({
  name: 'get_session',
  summary: 'One session with its private context: task, steps, blockers, files.',
  effect: 'read',
  ...base,
  input: z.object({ id: z.string().optional().describe('yours when left out') }),
  output: z.object({
    session: sessionSchema.nullable(),
    events: z.array(z.object({ at: z.string(), event: z.string(), data: z.record(z.string(), z.unknown()) })),
  }),
  examples: [{}],
  command: { positionals: ['id'] },
  render: ({ session }) =>
    session
      ? `${row(session)}\n${JSON.stringify(session.context, null, 2)}`
      : 'You have no session yet; it is made when you first write something.',
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forReading(memoryCaller(context), input.id);
    return { session: session ?? null, events: session ? await memory.sessions.events(session.id) : [] };
  },
});

/** The changes of state that are nothing but that. */
const transition = (verb: 'activate' | 'resume' | 'fail', summary: string) =>
  operation({
    name: `${verb}_session`,
    summary,
    effect: 'write',
    ...base,
    input: z.object({ ...id, reason: z.string().optional() }),
    output: sessionSchema,
    examples: [{ id: 'ses_0' }],
    command: { positionals: ['id'] },
    render: row,
    run: async (input, context) => {
      const { memory, session } = await own(context, input.id);
      return memory.sessions.transition(session.id, verb, input.reason ? { reason: input.reason } : {});
    },
  });

const suspendSession = operation({
  name: 'suspend_session',
  summary: 'Pause a session; its whole context is kept and comes back when it is resumed.',
  effect: 'write',
  ...base,
  input: z.object(id),
  output: sessionSchema,
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: row,
  run: async (input, context) => {
    const { memory, session } = await own(context, input.id);
    return memory.suspend(session);
  },
});

const completeSession = operation({
  name: 'complete_session',
  summary:
    'End a session well: its verified, undisputed decisions and patterns are shared, the rest is listed for a person.',
  effect: 'write',
  ...base,
  input: z.object({ ...id, summary: z.string().optional() }),
  output: z.object({
    session: sessionSchema,
    summary: z.string(),
    promoted: z.array(z.string()),
    waiting: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: ({ summary, promoted, waiting }) =>
    `${summary}\n\nShared: ${promoted.length}${waiting.length > 0 ? `\nFor you to share (sylk memory promote ID):\n${waiting.map((entry) => `  ${entry.id}  ${entry.title}`).join('\n')}` : ''}`,
  run: async (input, context) => {
    const { memory, session } = await own(context, input.id);
    const done = await memory.complete(session, input.summary);
    await (await context.app.graph()).shareLinksOf(session.id);
    return {
      session: done.session,
      summary: input.summary ?? done.summary.text,
      promoted: done.promoted.map((entry) => entry.id),
      waiting: done.waiting.map((entry) => ({ id: entry.id, title: entry.title })),
    };
  },
});

const closeSession = operation({
  name: 'close_session',
  summary: 'Archive a session that has ended; it no longer shows in lists.',
  effect: 'write',
  idempotent: true,
  ...base,
  input: z.object(id),
  output: sessionSchema,
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: row,
  run: async (input, context) => {
    const { memory, session } = await own(context, input.id);
    return memory.sessions.close(session.id);
  },
});

const closeAllSessions = operation({
  name: 'close_all_sessions',
  summary: 'Archive every session that has ended.',
  effect: 'setup',
  ...base,
  input: z.object({}),
  output: z.object({ closed: z.array(z.string()) }),
  examples: [{}],
  run: async (_input, { app }) => {
    const { sessions } = await app.memory();
    const ended = [
      ...(await sessions.list({ state: 'completed' })),
      ...(await sessions.list({ state: 'failed' })),
    ];
    for (const session of ended) await sessions.close(session.id);
    return { closed: ended.map((session) => session.id) };
  },
});

const switchSession = operation({
  name: 'switch_session',
  summary:
    'Go to another session; the one you leave is suspended when nothing runs in it and nobody else has it.',
  effect: 'write',
  ...base,
  input: z.object(id),
  output: z.object({ session: sessionSchema, left: z.string().nullable() }),
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: ({ session, left }) => `${row(session)}${left ? `\nsuspended ${left}` : ''}`,
  run: async (input, context) => {
    const { memory, session } = await own(context, input.id);
    const { session: now, left } = await memory.sessions.current.switchTo(memoryCaller(context), session.id);
    return { session: now, left: left?.id ?? null };
  },
});

const updateSessionContext = operation({
  name: 'update_session_context',
  summary: 'Set task, step, objective, next steps or blockers of your session. Fields you leave out stay.',
  effect: 'write',
  idempotent: true,
  ...base,
  input: z.object({ id: z.string().optional(), context: contextPatchSchema }),
  output: sessionSchema,
  examples: [{ context: { current_task: 'limit attempts', next_steps: ['write tests'] } }],
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forWriting(memoryCaller(context), input.id);
    return memory.sessions.updateContext(session.id, input.context);
  },
});

const sessionSummary = operation({
  name: 'session_summary',
  summary: 'What a session did: decisions, failures, files, what is open.',
  effect: 'read',
  ...base,
  input: z.object({ id: z.string().optional().describe('yours when left out') }),
  output: z.object({
    session_id: z.string(),
    text: z.string(),
    counts: z.record(z.string(), z.number()),
    files_modified: z.array(z.string()),
  }),
  examples: [{}],
  command: { positionals: ['id'] },
  render: ({ text }) => text,
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forReading(memoryCaller(context), input.id);
    if (!session) return { session_id: '', text: 'You have no session yet.', counts: {}, files_modified: [] };
    const { session_id, text, counts, files_modified } = await memory.summarise(session);
    return { session_id, text, counts, files_modified };
  },
});

const snapshotSession = operation({
  name: 'snapshot_session',
  summary: 'Keep a copy of a session as it is now, to restore later.',
  effect: 'write',
  ...base,
  input: z.object({ id: z.string().optional() }),
  output: z.object({ snapshot_id: z.string(), session_id: z.string(), created_at: z.string() }),
  examples: [{}],
  command: { positionals: ['id'] },
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forWriting(memoryCaller(context), input.id);
    const taken = await memory.snapshot(session);
    return { snapshot_id: taken.id, session_id: session.id, created_at: taken.created_at };
  },
});

const restoreSession = operation({
  name: 'restore_session',
  summary: 'Put a session back as it was in a snapshot: context, workflow and notes.',
  effect: 'write',
  idempotent: true,
  ...base,
  input: z.object({ snapshot_id: z.string() }),
  output: sessionSchema,
  examples: [{ snapshot_id: 'snap_0' }],
  command: { positionals: ['snapshot_id'] },
  render: row,
  run: async (input, context) =>
    (await context.app.memory()).restore(input.snapshot_id, memoryCaller(context)),
});

const sessionStatistics = operation({
  name: 'session_statistics',
  summary: 'How many sessions there are in each state.',
  effect: 'read',
  ...base,
  input: z.object({}),
  output: z.object({ total: z.number(), by_state: z.record(z.string(), z.number()) }),
  examples: [{}],
  run: async (_input, { app }) => (await app.memory()).sessions.statistics(),
});

const lockFiles = operation({
  name: 'lock_files',
  summary: 'Lock files against other sessions while you work on them: many may read, one may write.',
  effect: 'write',
  idempotent: true,
  ...base,
  input: z.object({
    paths: looseList(z.string().min(1)),
    mode: z.enum(['read', 'write']).default('write'),
    seconds: z.coerce.number().int().min(1).max(86_400).default(900),
    session: z.string().optional(),
  }),
  output: z.object({ locked: z.array(z.string()), session_id: z.string() }),
  examples: [{ paths: ['src/auth/session.ts'] }],
  command: { positionals: ['paths'], rest: true },
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forWriting(memoryCaller(context), input.session);
    await memory.sessions.locks.acquire(session.id, input.paths, input.mode, input.seconds);
    return { locked: input.paths, session_id: session.id };
  },
});

const unlockFiles = operation({
  name: 'unlock_files',
  summary: 'Release locks of your session, on some files or on all.',
  effect: 'write',
  idempotent: true,
  ...base,
  input: z.object({ paths: looseList(z.string()).optional(), session: z.string().optional() }),
  output: z.object({ released: z.number() }),
  examples: [{}],
  command: { positionals: ['paths'], rest: true },
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forWriting(memoryCaller(context), input.session);
    return { released: await memory.sessions.locks.release(session.id, input.paths) };
  },
});

export const operations: AnyOperation[] = [
  createSession,
  listSessions,
  getSession,
  transition('activate', 'Begin a session that was created but not started.'),
  transition('resume', 'Go on with a suspended session; its context is as it was.'),
  transition('fail', 'End a session because it cannot go on; its entries stay its own.'),
  suspendSession,
  completeSession,
  closeSession,
  closeAllSessions,
  switchSession,
  updateSessionContext,
  sessionSummary,
  snapshotSession,
  restoreSession,
  sessionStatistics,
  lockFiles,
  unlockFiles,
  ...sessionWorktreeOperations,
];
