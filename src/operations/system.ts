import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import { SylkError } from '../base/errors.ts';
import { version } from '../version.ts';
import { type OperationContext, operation } from './operation.ts';
import { type Run, runsOf } from './runs.ts';

const indexState = z.object({ source: z.string(), state: z.string(), detail: z.string() });

const getStatus = operation({
  name: 'get_status',
  summary: 'Which repository is served, where Sylk keeps its data, and how fresh each index is.',
  effect: 'read',
  toolset: 'system',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    repository: z.string(),
    state_directory: z.string().describe('databases, caches and logs; only on this machine'),
    sylk_directory: z.string().describe('text that is shared through git: settings, areas, skills'),
    trusted: z.boolean(),
    withheld: z.array(z.string()).describe('settings of this repository that wait for trust'),
    indexes: z.array(indexState),
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
      `watching  ${status.watching}`,
      ...status.withheld,
      ...status.notices,
    ].join('\n'),
  run: async (_input, { app }) => {
    const indexing = await app.indexing();
    const withheld = app.loadedConfig.warnings.filter((warning) => warning.includes('`sylk trust`'));
    return {
      version,
      repository: app.repository.root,
      state_directory: app.repository.state.directory,
      sylk_directory: app.repository.sharedDirectory,
      trusted: app.trustedContent().size > 0 && withheld.length === 0,
      withheld,
      indexes: await indexing.freshness(),
      watching: indexing.watching(),
      notices: app.notices,
    };
  },
});

const runShape = z.object({
  run: z.string(),
  operation: z.string(),
  caller: z.string(),
  started_at: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
});

/** A person sees every run of this process; others see those of their own name. */
const visibleRuns = ({ app, caller }: OperationContext): Run[] =>
  [...runsOf(app).values()].filter(
    (run) => caller.kind === 'person' || (run.caller.kind === caller.kind && run.caller.name === caller.name),
  );

function visibleRun(context: OperationContext, id: string): Run {
  const run = visibleRuns(context).find((candidate) => candidate.id === id);
  if (run) return run;
  throw new SylkError('NOT_FOUND', `There is no run ${JSON.stringify(id)}.`, {
    hint: 'Runs belong to the process that runs them, and end with it. list_runs shows them.',
  });
}

const describeRun = ({ id, operation, caller, startedAt, state }: Run) => ({
  run: id,
  operation,
  caller: caller.name,
  started_at: isoTime(startedAt),
  state,
});

const listRuns = operation({
  name: 'list_runs',
  summary: 'Operations that run now in this server, and the last ones that reported progress.',
  effect: 'read',
  toolset: 'system',
  input: z.object({}),
  output: z.object({ runs: z.array(runShape) }),
  examples: [{}],
  render: ({ runs }) =>
    runs.map(({ run, operation, state }) => `${run}  ${state}  ${operation}`).join('\n') || 'Nothing runs.',
  run: async (_input, context) => ({
    runs: visibleRuns(context)
      .filter(({ operation }) => operation !== 'list_runs')
      .map(describeRun),
  }),
});

const watchRun = operation({
  name: 'watch_run',
  summary: 'Follow a run of this server: what it said so far and says until it ends.',
  effect: 'read',
  toolset: 'system',
  input: z.object({ run: z.string() }),
  output: runShape,
  examples: [{ run: 'run_0' }],
  command: { positionals: ['run'] },
  run: async (input, context) => {
    const run = visibleRun(context, input.run);
    await run.watch(context.emit, context.signal);
    return describeRun(run);
  },
});

const cancelRun = operation({
  name: 'cancel_run',
  summary: 'Stop a run of this server where it can be stopped. What it has written stays.',
  effect: 'write',
  idempotent: true,
  toolset: 'system',
  input: z.object({ run: z.string() }),
  output: runShape,
  examples: [{ run: 'run_0' }],
  command: { positionals: ['run'] },
  run: async (input, context) => {
    const run = visibleRun(context, input.run);
    run.cancel();
    return describeRun(run);
  },
});

export const operations = [getStatus, listRuns, watchRun, cancelRun];
