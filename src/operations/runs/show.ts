import { z } from 'zod';
import { tellStory } from '../../engines/orchestrator/index.ts';
import { operation } from '../operation.ts';
import { findRun, followRun } from './execute.ts';
import { exitOf, renderRun, runView, viewRun } from './view.ts';

const run = z.string().optional().describe('id of the run, or the end of it; default: the newest');

export const getRun = operation({
  name: 'get_run',
  summary:
    'One run: its nodes with their progress, what it waits for, its cost, and with story its events as sentences.',
  effect: 'read',
  input: z.object({
    run,
    story: z.boolean().default(false).describe('every event as a sentence'),
    plan: z.boolean().default(false).describe('the plan, or the one that waits for approval'),
  }),
  output: runView.extend({ story: z.array(z.string()).optional(), plan: z.unknown().optional() }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  render: (view) =>
    [
      renderRun(view),
      ...(view.plan === undefined ? [] : ['', JSON.stringify(view.plan, null, 2)]),
      ...(view.story === undefined ? [] : ['', ...view.story]),
    ].join('\n'),
  run: async ({ run: given, story, plan }, { app }) => {
    const id = await findRun(app, given);
    const runs = await app.runs();
    const state = await runs.state(id);
    return {
      ...(await viewRun(app, state)),
      story: story ? tellStory(await runs.events(id)) : undefined,
      plan: plan ? (state.proposal?.plan ?? state.plan) : undefined,
    };
  },
});

export const watchRun = operation({
  name: 'watch_run',
  summary: 'Shows what happens in a run, in whatever process it is carried out, until it ends or needs you.',
  effect: 'read',
  live: 'lines',
  input: z.object({ run }),
  output: runView,
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  isFailure: exitOf,
  render: renderRun,
  run: async ({ run: given }, { app, signal, emit }) => {
    const id = await findRun(app, given);
    return viewRun(app, await followRun(app, id, { signal, seen: 0, emit }));
  },
});
