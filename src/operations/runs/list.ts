import { z } from 'zod';
import type { App } from '../../app.ts';
import { isoTime } from '../../base/clock.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { isExecuting, type RunState } from '../../engines/orchestrator/index.ts';
import { needsYou } from '../../engines/pipelines/index.ts';
import { operation } from '../operation.ts';
import { findRun } from './execute.ts';
import { needsText, needView, stageWords, standingOf } from './view.ts';

const ended = new Set(['completed', 'failed', 'cancelled']);

const runSchema = z.object({
  id: z.string(),
  session: z.string(),
  prompt: z.string(),
  status: z.string(),
  standing: z.string().describe('the status, or: waits for you, interrupted'),
  phase: z.string(),
  updated_at: z.string(),
});

export const listRuns = operation({
  name: 'list_runs',
  summary: 'Runs of plans in this repository, newest first: the request and how far each is.',
  effect: 'read',
  input: z.object({
    session: z.string().optional(),
    active: looseBoolean.default(false).describe('only runs that have not ended'),
    limit: z.coerce.number().int().min(1).max(200).default(20),
    max_tokens: pagingInput.max_tokens,
  }),
  output: z.object({ runs: z.array(runSchema), total: pagingOutput.total }),
  examples: [{}, { active: true }],
  render: ({ runs }) =>
    runs
      .map(
        ({ id, standing, updated_at, prompt }) =>
          `${id}  ${standing === 'interrupted' ? `interrupted: sylk run resume ${id}` : standing}  ${updated_at}  ${prompt.split('\n', 1)[0]}`,
      )
      .join('\n') || 'No runs.',
  run: async ({ session, active, limit, max_tokens }, { app }) => {
    const stored = await app.runs();
    const found = await stored.list({ session, limit: active ? 500 : limit });
    const rows = active ? found.filter(({ status }) => !ended.has(status)).slice(0, limit) : found;
    const runs = rows.map(async ({ id, session_id, prompt, status, phase, updated_at }) => ({
      id,
      session: session_id,
      prompt,
      status,
      standing: ended.has(status) ? status : await standingOf(app, await stored.state(id)),
      phase,
      updated_at: isoTime(Number(updated_at)),
    }));
    const { items, total } = await pageOf(await Promise.all(runs), { max_tokens });
    return { runs: items, total };
  },
});

const nodeSchema = z.object({
  task: z.string().describe('the address of the node, which stays the same across hand-overs'),
  run: z.string(),
  session: z.string(),
  number: z.number(),
  node: z.string(),
  agent: z.string(),
  stage: z.string(),
  legs: z.number(),
  loops: z.object({ inspector: z.number(), tester: z.number(), merge: z.number() }),
  prompt: z.string(),
});

export const listPipelines = operation({
  name: 'list_pipelines',
  summary:
    'Nodes of runs, each a pipeline of engineer, inspector and tester: of one session, of one run, or only those at work.',
  effect: 'read',
  input: z.object({
    session: z.string().optional(),
    run: z.string().optional().describe('id of a run, or the end of it'),
    active: looseBoolean.default(false).describe('only nodes that somebody works on, judges or merges'),
    ...pagingInput,
  }),
  output: z.object({ pipelines: z.array(nodeSchema), ...pagingOutput }),
  examples: [{}, { active: true }],
  render: ({ pipelines }) =>
    pipelines
      .map(
        ({ task, node, agent, stage, legs, prompt }) =>
          `${task}  ${node} (${agent}): ${stageWords[stage] ?? stage}${legs > 1 ? `, ${legs} legs` : ''}  ${prompt.split('\n', 1)[0]?.slice(0, 80)}`,
      )
      .join('\n') || 'No nodes.',
  run: async ({ session, run, active, ...paging }, { app }) => {
    const runs = await app.runs();
    const ids =
      run === undefined
        ? (await runs.list({ session, limit: 200 }))
            .filter(({ status }) => !active || !ended.has(status))
            .map(({ id }) => id)
        : [await findRun(app, run)];
    const states = await Promise.all(ids.map((id) => runs.state(id)));
    const nodes = states
      .filter((state) => session === undefined || state.session === session)
      .flatMap((state) => state.nodes.map((node, at) => ({ state, node, number: at + 1 })))
      .filter(({ node }) => !active || isExecuting(node))
      .map(({ state, node: { id, spec, stage, legs, loops }, number }) => ({
        task: `task:${state.run}/${number}`,
        run: state.run,
        session: state.session,
        number,
        node: id,
        agent: spec.agent,
        stage,
        legs,
        loops,
        prompt: spec.prompt,
      }));
    const { items, total, next_cursor } = await pageOf(nodes, paging);
    return { pipelines: items, total, next_cursor };
  },
});

export const listWaiting = operation({
  name: 'list_waiting',
  summary:
    'What all runs and their agents wait for you to say, oldest first, each with the command that answers it.',
  effect: 'read',
  input: z.object({ ...pagingInput }),
  output: z.object({
    waiting: z.array(needView.extend({ run: z.string(), prompt: z.string() })),
    ...pagingOutput,
  }),
  examples: [{}],
  render: ({ waiting }) =>
    waiting
      .flatMap(({ run, prompt, ...need }) => [
        `${run}: ${prompt.split('\n', 1)[0]}`,
        ...needsText(run, [need]),
      ])
      .join('\n') || 'Nothing waits for you.',
  run: async (input, { app }) => {
    const runs = await app.runs();
    const open = (await runs.list({ limit: 500 })).filter(({ status }) => !ended.has(status)).reverse();
    const states = await Promise.all(open.map(({ id }) => runs.state(id)));
    const waiting = states.flatMap((state) =>
      needsYou(state).map((need) => ({ ...need, run: state.run, prompt: state.prompt })),
    );
    const asked = await approvalsOf(app, states);
    const { items, total, next_cursor } = await pageOf([...waiting, ...asked], input);
    return { waiting: items, total, next_cursor };
  },
});

/** What agents at work want to be allowed. Nobody's answer is a no. */
async function approvalsOf(app: App, states: RunState[]) {
  const pending = await (await app.questions()).approvals.list({ status: 'pending' });
  return pending.flatMap(({ id, prompt, targets, requested_by, expires_at }) => {
    const state = states.find(({ run }) => requested_by.endsWith(` of ${run}`));
    const wanted = targets.map(({ target }) => target).join(', ');
    const question = `${prompt}: ${wanted} (a no without an answer; asked until ${expires_at})`;
    return state
      ? [{ id, node: undefined, question, options: ['approve'], run: state.run, prompt: state.prompt }]
      : [];
  });
}
