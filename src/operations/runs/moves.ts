import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { runHasEnded } from '../../engines/orchestrator/index.ts';
import type { Move } from '../../stores/runs/index.ts';
import { authorName } from '../author-name.ts';
import { isPersonSpeaking, type OperationContext, operation } from '../operation.ts';
import { findRun } from './execute.ts';
import { isOfBudget, renderRun, runView, viewRun } from './view.ts';

const run = z.string().describe('id of the run, or the end of it');
const node = z.string().describe('id of a node');
const shared = { output: runView, render: renderRun };
const unknown = 'run_that_was_never_started';

async function makeMove({ app }: Pick<OperationContext, 'app'>, given: string, move: Move) {
  const id = await findRun(app, given);
  return viewRun(app, await (await app.runs()).move(id, move, newId('move')));
}

export const pauseRun = operation({
  name: 'pause_run',
  summary: 'Pauses a run, or one node of it, after the step that is under way. `sylk run resume` goes on.',
  effect: 'setup',
  ...shared,
  input: z.object({ run, node: node.optional() }),
  examples: [{ run: unknown }],
  command: { positionals: ['run', 'node'] },
  run: ({ run: given, node: only }, context) =>
    makeMove(
      context,
      given,
      only === undefined ? { type: 'suspended' } : { type: 'node_interrupted', node: only },
    ),
});

export const stopRun = operation({
  name: 'stop_run',
  summary:
    'Stops a run and keeps what was done, so that it can be resumed; ends it for good with --for-good, or ends one node.',
  effect: 'setup',
  ...shared,
  input: z.object({ run, node: node.optional(), for_good: z.boolean().default(false) }),
  examples: [{ run: unknown }],
  command: { positionals: ['run', 'node'] },
  run: async ({ run: given, node: only, for_good }, context) => {
    if (only !== undefined) return makeMove(context, given, { type: 'node_cancelled', node: only });
    const view = await makeMove(context, given, { type: for_good ? 'cancelled' : 'stopped' });
    // Where a process carries it out, that one removes the trees when it is done.
    await context.app.tidyRun(view.run);
    return view;
  },
});

export const dropNode = operation({
  name: 'drop_node',
  summary:
    'Takes a node out of a run. What it has merged is taken out again, judged like a merge, by `sylk run resume`.',
  effect: 'setup',
  ...shared,
  input: z.object({ run, node }),
  examples: [{ run: unknown, node: 'limiter' }],
  command: { positionals: ['run', 'node'] },
  run: ({ run: given, node: only }, context) =>
    makeMove(context, given, { type: 'node_dropped', node: only }),
});

export const retryNode = operation({
  name: 'retry_node',
  summary:
    'Tries a node that failed or was ended once more, with a word of yours. `sylk run resume` carries it out.',
  effect: 'setup',
  ...shared,
  input: z.object({ run, node, message: z.string().max(20_000).optional() }),
  examples: [{ run: unknown, node: 'limiter' }],
  command: { positionals: ['run', 'node', 'message'], rest: true },
  run: ({ run: given, node: only, message }, context) =>
    makeMove(context, given, { type: 'node_retried', node: only, message }),
});

export const overrideNode = operation({
  name: 'override_node',
  summary:
    'Lets a node pass one of its judges, whatever that finds, or takes that back until it is merged. It has the id NODE/JUDGE and is listed among what is left for later.',
  effect: 'setup',
  ...shared,
  input: z.object({
    run,
    node: z.string().describe('id of a node, or of an override: limiter/tester'),
    gate: z.enum(['inspector', 'tester']).optional(),
    take_back: z.boolean().default(false).describe('the judge counts again'),
  }),
  examples: [
    { run: unknown, node: 'limiter', gate: 'tester' },
    { run: unknown, node: 'limiter/tester', take_back: true },
  ],
  command: { positionals: ['run', 'node', 'gate'] },
  run: ({ run: given, node: named, gate: judge, take_back }, context) => {
    const [, only = named, gate = judge] = /^(.*)\/(inspector|tester)$/.exec(named) ?? [];
    if (gate !== 'inspector' && gate !== 'tester')
      throw new SylkError('VALIDATION_ERROR', 'Which judge?', {
        hint: `inspector or tester: ${named}/tester`,
      });
    return makeMove(context, given, {
      type: 'gate_overridden',
      node: only,
      gate,
      taken_back: take_back || undefined,
    });
  },
});

export const setRunBudget = operation({
  name: 'set_run_budget',
  summary:
    'Sets the most that a run may cost, in US dollars. Questions about the old budget are answered by it.',
  effect: 'setup',
  ...shared,
  input: z.object({ run, dollars: z.coerce.number().positive().max(1_000_000) }),
  examples: [{ run: unknown, dollars: 5 }],
  command: { positionals: ['run', 'dollars'] },
  run: async ({ run: given, dollars }, { app }) => {
    const id = await findRun(app, given);
    const runs = await app.runs();
    const state = await runs.state(id);
    if (runHasEnded(state))
      throw new SylkError('INVALID_OPERATION', `${id} is ${state.status}: it spends nothing more.`, {
        hint: 'sylk run "what you want" --budget DOLLARS starts another run.',
      });
    await runs.move(id, { type: 'budget_raised', budget: dollars }, newId('move'));
    const { open } = await runs.state(id);
    const text = `The budget is $${dollars} now. Go on.`;
    for (const { id: question, kind, options = [], message = '' } of open)
      if (kind === 'ask' && options.length === 0 && isOfBudget(message))
        await runs.answer(question, { result: 'answered', choice: 'answer', text });
    return viewRun(app, await runs.state(id));
  },
});

export const messageRun = operation({
  name: 'message_run',
  summary:
    'Says something to the engineer of a node, who hears it at the next step; without a node, asks for a change of the plan.',
  effect: 'write',
  ...shared,
  input: z.object({ run, node: node.optional(), message: z.string().min(1).max(20_000) }),
  examples: [{ run: unknown, message: 'Also add a limit for each endpoint' }],
  command: { positionals: ['run', 'message'], rest: true },
  run: async ({ run: given, node: only, message: said }, context) => {
    const { app } = context;
    const id = await findRun(app, given);
    const state = await (await app.runs()).state(id);
    // It would begin again, and wait for an Architect.
    if (runHasEnded(state))
      throw new SylkError('INVALID_OPERATION', `${id} is ${state.status}: nobody hears a message.`, {
        hint: 'sylk run "what you want" starts another run.',
      });
    const isPerson = isPersonSpeaking(context.caller);
    const message = isPerson
      ? said
      : `Said by ${JSON.stringify(authorName(context))}, not by the person: ${said}`;
    return makeMove(
      context,
      id,
      only === undefined
        ? { type: 'change_requested', message }
        : { type: 'node_prompted', node: only, message },
    );
  },
});
