import { z } from 'zod';
import { unopenedState } from '../app/state-notices.ts';
import { isoTime } from '../base/clock.ts';
import { reportOf, SylkError } from '../base/errors.ts';
import { version } from '../version.ts';
import { type Call, callsOf } from './calls.ts';
import { indexRepository } from './indexing.ts';
import { type OperationContext, operation } from './operation.ts';

const indexState = z.object({ source: z.string(), state: z.string(), detail: z.string() });

const failure = z.object({ source: z.string(), message: z.string(), hint: z.string().optional() });
type Failure = z.output<typeof failure>;

const getStatus = operation({
  name: 'get_status',
  summary: 'The current repository, where Sylk stores its data, and how fresh each index is.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    repository: z.string(),
    state_directory: z.string().describe('databases, caches and logs; only on this machine'),
    sylk_directory: z.string().describe('text shared through git: settings, areas, skills'),
    trusted: z.boolean(),
    withheld: z.array(z.string()).describe('settings of this repository that wait for trust'),
    indexes: z.array(indexState),
    failures: z
      .array(failure)
      .describe('indexes that could not be read at the last attempt, and state that is not opened'),
    watching: z.enum(['elsewhere', 'watching', 'polling', 'off']),
    notices: z.array(z.string()),
  }),
  examples: [{}],
  render: (status) =>
    [
      `Sylk ${status.version} in ${status.repository}`,
      `state     ${status.state_directory}`,
      ...status.indexes.map(
        (index) => `${index.source.padEnd(9)} ${index.state}${index.detail ? ` · ${index.detail}` : ''}`,
      ),
      ...status.failures.map(({ message, hint }) => `failed    ${message}${hint ? ` ${hint}` : ''}`),
      `watching  ${status.watching}`,
      ...status.withheld,
      ...status.notices,
    ].join('\n'),
  isFailure: ({ failures, indexes }) =>
    failures.length > 0 || indexes.some(({ state }) => state === 'failed'),
  run: async (_input, { app }) => {
    const indexing = await app.indexing();
    const failed = indexing.failures().map(({ source, message, hint }) => ({ source, message, hint }));
    const unopened = unopenedState(app.repository).map((message) => ({ source: 'state', message }));
    const withheld = app.loadedConfig.warnings.filter((warning) => warning.includes('`sylk trust`'));
    return {
      version,
      repository: app.repository.root,
      state_directory: app.repository.state.directory,
      sylk_directory: app.repository.sharedDirectory,
      trusted: app.trustedContent().size > 0 && withheld.length === 0,
      withheld,
      indexes: await indexing.freshness(),
      failures: [...unopened, ...(failed.length > 0 ? failed : await gitRefusal(app))],
      watching: indexing.watching(),
      notices: app.notices.filter((line) => !unopened.some(({ message }) => message === line)),
    };
  },
});

/** What keeps git from reading the repository at all; an index that was never tried has not told it yet. */
async function gitRefusal({ git }: OperationContext['app']): Promise<Failure[]> {
  try {
    await git.text(['rev-parse', '--git-dir']);
    return [];
  } catch (error) {
    const { message, hint } = reportOf(error);
    return [{ source: 'git', message, hint }];
  }
}

const callShape = z.object({
  call: z.string(),
  operation: z.string(),
  caller: z.string(),
  started_at: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
});

/** A person sees every call of this process; other callers see those of their own name. */
const visibleCalls = ({ app, caller }: OperationContext): Call[] =>
  [...callsOf(app).values()].filter(
    (call) =>
      caller.kind === 'person' || (call.caller.kind === caller.kind && call.caller.name === caller.name),
  );

function visibleCall(context: OperationContext, id: string): Call {
  const call = visibleCalls(context).find((candidate) => candidate.id === id);
  if (call) return call;
  throw new SylkError('NOT_FOUND', `Unknown call ${JSON.stringify(id)}.`, {
    hint: 'Calls belong to the process that runs them and end with it. Run `sylk calls` to list them.',
  });
}

const describeCall = ({ id, operation, caller, startedAt, state }: Call) => ({
  call: id,
  operation,
  caller: caller.name,
  started_at: isoTime(startedAt),
  state,
});

const listCalls = operation({
  name: 'list_calls',
  summary:
    'Operations in progress on this server, and the last ones that reported progress. With call, follow that one until it ends.',
  effect: 'read',
  input: z.object({ call: z.string().optional() }),
  output: z.object({ calls: z.array(callShape), ...callShape.partial().shape }),
  examples: [{}],
  render: ({ calls }) =>
    calls.map(({ call, operation, state }) => `${call}  ${state}  ${operation}`).join('\n') ||
    'No calls in progress.',
  run: async ({ call: id }, context) => {
    if (id !== undefined) {
      const call = visibleCall(context, id);
      await call.watch(context.emit, context.signal);
      return { calls: [describeCall(call)], ...describeCall(call) };
    }
    const others = visibleCalls(context).filter(({ operation }) => operation !== 'list_calls');
    return { calls: others.map(describeCall) };
  },
});

const cancelCall = operation({
  name: 'cancel_call',
  summary: 'Cancel a call of this server, if it can be canceled. What it has written stays.',
  effect: 'write',
  idempotent: true,
  input: z.object({ call: z.string() }),
  output: callShape,
  examples: [{ call: 'call_0' }],
  command: { positionals: ['call'] },
  run: async (input, context) => {
    const call = visibleCall(context, input.call);
    call.cancel();
    return describeCall(call);
  },
});

export const operations = [indexRepository, getStatus, listCalls, cancelCall];
