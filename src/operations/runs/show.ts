import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import {
  createStory,
  decide,
  type RunState,
  runHasEnded,
  tellStory,
} from '../../engines/orchestrator/index.ts';
import { planSchema, type RunEvent } from '../../stores/runs/index.ts';
import { diffOf } from '../diff-of.ts';
import { type OperationContext, operation } from '../operation.ts';
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
    diff: z.string().optional().describe('a node: with the lines that it changed'),
    until: z.coerce.number().int().min(1).optional().describe('as it was after this many events'),
  }),
  output: runView.extend({
    story: z.array(z.string()).optional(),
    plan: planSchema.optional(),
    diff: z.string().optional(),
  }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  render: (view) =>
    [
      renderRun(view),
      ...(view.plan === undefined ? [] : ['', JSON.stringify(view.plan, null, 2)]),
      ...(view.story === undefined ? [] : ['', ...view.story]),
      ...(view.diff === undefined ? [] : ['', view.diff]),
    ].join('\n'),
  run: async ({ run: given, story, plan, diff, until }, { app }) => {
    const id = await findRun(app, given);
    const runs = await app.runs();
    const now = await runs.state(id);
    const state =
      until === undefined || until >= now.number ? now : (stateAfter(await runs.events(id), until) ?? now);
    const view = await viewRun(app, state);
    const shown = view.nodes.find(({ id }) => id === diff);
    if (diff !== undefined && !shown)
      throw new SylkError('NOT_FOUND', `${id} has no node ${JSON.stringify(diff)}.`, {
        hint: `Its nodes: ${view.nodes.map((node) => node.id).join(', ')}`,
      });
    return {
      ...view,
      number: now.number,
      standing: state === now ? view.standing : state.status,
      diff: shown?.commit === undefined ? undefined : await diffOf(app.git, shown.commit),
      story: story ? tellStory(await runs.events(id)) : undefined,
      plan: plan ? (state.proposal?.plan ?? state.plan) : undefined,
    };
  },
});

/** The run as it was after so many events. */
function stateAfter(events: Array<RunEvent & { number: number }>, until: number): RunState | undefined {
  let state: RunState | undefined;
  for (const { number, ...event } of events) if (number <= until) state = decide(state, event).state;
  return state;
}

/** Every event after a number, once each, with its number: whoever was cut off goes on after the last one seen. */
async function followStory(
  app: App,
  run: string,
  { after, signal, emit }: { after: number } & Pick<OperationContext, 'signal' | 'emit'>,
): Promise<RunState> {
  const runs = await app.runs();
  let latest = await runs.state(run);
  const tell = createStory();
  for await (const { number, ...event } of runs.follow(run, { signal })) {
    const text = tell(event);
    const at = new Date(event.at).toISOString();
    if (number > after) emit({ type: 'run', run, at, what: 'event', text, number });
    // Only at the last event that is known is there a reason to look for more.
    if (number < latest.number) continue;
    latest = await runs.state(run);
    if (number >= latest.number && runHasEnded(latest)) break;
  }
  return latest;
}

export const watchRun = operation({
  name: 'watch_run',
  summary: 'Shows what happens in a run, in whatever process it is carried out, until it ends or needs you.',
  effect: 'read',
  live: 'lines',
  input: z.object({
    run,
    story: z.boolean().default(false).describe('every event as a sentence, until the run has ended'),
    after: z.coerce.number().int().min(0).default(0).describe('with story: only events after this number'),
  }),
  output: runView,
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  isFailure: exitOf,
  render: renderRun,
  run: async ({ run: given, story, after }, { app, signal, emit }) => {
    const id = await findRun(app, given);
    if (story) return viewRun(app, await followStory(app, id, { after, signal, emit }));
    return viewRun(app, await followRun(app, id, { signal, seen: 0, emit }));
  },
});
