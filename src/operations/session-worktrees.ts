import { z } from 'zod';
import { requireRevision } from '../base/git/index.ts';
import { sessionSchema } from '../stores/sessions/index.ts';
import { memoryCaller } from './memory/shared.ts';
import { type OperationContext, operation } from './operation.ts';

const base = { toolset: 'sessions' } as const;

const placed = ({ worktree, branch_name }: z.output<typeof sessionSchema>): string =>
  worktree === '' ? 'It has no working tree.' : `${worktree} on ${branch_name}`;

const own = async (context: OperationContext, id: string) => {
  const memory = await context.app.memory();
  return memory.sessions.forCaller(memoryCaller(context), id);
};

const openSessionWorktree = operation({
  name: 'open_session_worktree',
  summary:
    'Gives a session a branch and a working tree of its own, so that two pieces of work do not meet on disk.',
  effect: 'setup',
  idempotent: true,
  ...base,
  input: z.object({
    id: z.string().describe('session id'),
    base_branch: z.string().optional().describe('branch to start from; the present one when left out'),
  }),
  output: sessionSchema,
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: placed,
  run: async ({ id, base_branch }, context) => {
    const from = base_branch === undefined ? undefined : requireRevision(base_branch);
    return (await context.app.sessionWorktrees()).open(await own(context, id), from);
  },
});

const mergeSession = operation({
  name: 'merge_session',
  summary:
    "Merges a session's branch back where it came from. Where both changed the same, nothing changes and the files are named.",
  effect: 'setup',
  ...base,
  input: z.object({ id: z.string().describe('session id') }),
  output: z.object({
    merged: z.boolean(),
    branch: z.string(),
    into: z.string(),
    commits: z.number(),
    conflicts: z.array(z.string()),
  }),
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: ({ merged, branch, into, commits, conflicts }) =>
    merged
      ? `${branch} is in ${into}: ${commits} commits.`
      : `Not merged; both sides changed:\n${conflicts.map((path) => `  ${path}`).join('\n')}\nMerge ${branch} by hand.`,
  run: async ({ id }, context) => (await context.app.sessionWorktrees()).merge(await own(context, id)),
});

const removeSessionWorktree = operation({
  name: 'remove_session_worktree',
  summary:
    "Removes a session's working tree and branch, only when nothing is lost by it; otherwise it says why not.",
  effect: 'setup',
  destructive: true,
  ...base,
  input: z.object({ id: z.string().describe('session id') }),
  output: sessionSchema,
  examples: [{ id: 'ses_0' }],
  command: { positionals: ['id'] },
  render: placed,
  run: async ({ id }, context) => (await context.app.sessionWorktrees()).remove(await own(context, id)),
});

export const sessionWorktreeOperations = [openSessionWorktree, mergeSession, removeSessionWorktree];
