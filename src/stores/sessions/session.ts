import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';

export const sessionStates = ['created', 'active', 'suspended', 'completed', 'failed'] as const;
export type SessionState = (typeof sessionStates)[number];

const fileNote = z.object({
  summary: z.string().optional(),
  changes: z.array(z.string()).optional(),
  at: z.string(),
});
/** Clients send plain texts too; the store adds the time. */
const intent = z.preprocess(
  (given) => (typeof given === 'string' ? { content: given } : given),
  z.object({ content: z.string(), at: z.string().optional() }),
);

/** The private context of a session: no other session reads it. */
export const sessionContextSchema = z.object({
  current_task: z.string().default(''),
  current_step: z.string().default(''),
  current_objective: z.string().default(''),
  completed_steps: z.array(z.string()).default([]),
  next_steps: z.array(z.string()).default([]),
  blockers: z.array(z.string()).default([]),
  modified_files: z.record(z.string(), fileNote).default({}),
  read_files: z.record(z.string(), fileNote).default({}),
  created_files: z.record(z.string(), fileNote).default({}),
  user_wants: z.array(intent).default([]),
  user_rejects: z.array(intent).default([]),
  active_agents: z.record(z.string(), z.object({ status: z.string() })).default({}),
  conversation_id: z.string().default(''),
  message_history: z.array(z.string()).default([]),
});
export type SessionContext = z.output<typeof sessionContextSchema>;
/** A patch: given fields replace, absent fields stay. */
export const contextPatchSchema = z.object(
  Object.fromEntries(
    Object.entries(sessionContextSchema.shape).map(([key, field]) => [key, field.unwrap().optional()]),
  ),
) as unknown as z.ZodType<Partial<SessionContext>>;

/** Limits of one session. Durations in seconds; 0 means no limit. */
export const sessionConfigSchema = z.object({
  max_concurrent_tasks: z.number().int().min(1).max(64).default(4),
  max_engineers: z.number().int().min(1).max(64).default(4),
  task_timeout: z.number().int().min(0).default(1800),
  session_timeout: z.number().int().min(0).default(0),
  auto_suspend_after: z.number().int().min(0).default(7200),
  enable_git_isolation: z.boolean().default(false),
});
export type SessionConfig = z.output<typeof sessionConfigSchema>;

/** `main`: the part of the repository's common session that belongs to one client. `named`: opened for a piece of work. */
export const sessionKinds = ['main', 'named'] as const;

export const sessionSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(sessionKinds),
  state: z.enum(sessionStates),
  archived: z.boolean(),
  created_at: z.string(),
  activated_at: z.string().nullable(),
  suspended_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  last_active_at: z.string(),
  context: sessionContextSchema,
  active_dag_id: z.string(),
  dag_history: z.array(z.string()),
  branch_name: z.string(),
  base_branch: z.string(),
  worktree: z.string(),
  config: sessionConfigSchema,
  metadata: z.record(z.string(), z.unknown()),
  summary: z.string(),
  /** Incremented with every change; a cached view of an older version is stale. */
  version: z.number(),
});
export type Session = z.output<typeof sessionSchema>;

export const transitions = ['activate', 'suspend', 'resume', 'complete', 'fail'] as const;
export type Transition = (typeof transitions)[number];

/** The allowed state transitions. All others are refused. */
const allowed: Record<Transition, { from: SessionState[]; to: SessionState }> = {
  activate: { from: ['created'], to: 'active' },
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  complete: { from: ['active', 'suspended'], to: 'completed' },
  fail: { from: ['active'], to: 'failed' },
};

export function nextState(
  { id, state, kind }: Pick<Session, 'id' | 'state' | 'kind'>,
  transition: Transition,
): SessionState {
  const { from, to } = allowed[transition];
  if (kind === 'main' && to !== 'active')
    throw new SylkError('INVALID_OPERATION', `The main session cannot ${transition}: it never ends.`, {
      hint: 'Open a named session for work that ends: `sylk session new NAME`.',
      data: { state },
    });
  if (from.includes(state)) return to;
  throw new SylkError('INVALID_OPERATION', `Session ${id} cannot ${transition}: it is ${state}.`, {
    hint: possible(state),
    data: { state, allowed_from: from },
  });
}

function possible(state: SessionState): string {
  const verbs = transitions.filter((verb) => allowed[verb].from.includes(state));
  return verbs.length > 0
    ? `Allowed from ${state}: ${verbs.join(', ')}.`
    : `${state} is final; close archives it.`;
}
