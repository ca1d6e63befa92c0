import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { operation } from '../operation.ts';
import { carryOut, findRun } from './execute.ts';
import { readAnswer } from './speak.ts';
import { exitOf, renderRun, runView, viewRun } from './view.ts';
import { choiceOf, openWorkerFor } from './workers.ts';

const run = z.string().optional().describe('id of the run, or the end of it; default: the newest');

export const approveRun = operation({
  name: 'approve_run',
  summary:
    'Approves the plan that a run proposes, in the revision that you saw, and carries it out; or sends it back with your words.',
  effect: 'setup',
  live: 'lines',
  input: z.object({
    run,
    revision: z.coerce
      .number()
      .int()
      .optional()
      .describe('the revision that you saw; default: the one that waits'),
    remarks: z.string().max(20_000).optional().describe('something for the engineers to mind'),
    reject: z.string().max(20_000).optional().describe('send it back, with what should be different'),
    start: z.boolean().default(true).describe('carry it out now'),
  }),
  output: runView,
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run'] },
  isFailure: exitOf,
  render: renderRun,
  run: async ({ run: given, revision, remarks, reject, start }, context) => {
    const { app } = context;
    const id = await findRun(app, given);
    const runs = await app.runs();
    const { proposal, session } = await runs.state(id);
    // Before anything is begun: without a worker there is nothing to begin.
    if (start && reject === undefined) await openWorkerFor(app, 'engineer', await choiceOf(app, session));
    const seen = revision ?? proposal?.revision ?? 0;
    const move =
      reject === undefined
        ? ({ type: 'plan_approved', revision: seen, start, remarks } as const)
        : ({ type: 'plan_rejected', revision: seen, message: reject } as const);
    const state = await runs.move(id, move, newId('move'));
    return start ? carryOut(context, id) : viewRun(app, state);
  },
});

export const answerRun = operation({
  name: 'answer_run',
  summary:
    'Answers what a run waits for: one of the choices that it offers, your words, or a choice and your words.',
  effect: 'setup',
  live: 'lines',
  input: z.object({
    run: z.string().describe('id of the run, or the end of it'),
    answer: z.string().min(1).max(100_000).describe('a choice, words, or both'),
    question: z.string().optional().describe('which question, where it asks several'),
    start: z.boolean().default(true).describe('go on with the run in this process'),
  }),
  output: runView,
  examples: [{ run: 'run_that_was_never_started', answer: 'retry' }],
  command: { positionals: ['run', 'answer'], rest: true },
  isFailure: exitOf,
  render: renderRun,
  run: async ({ run: given, answer, question, start }, context) => {
    const { app } = context;
    const id = await findRun(app, given);
    const runs = await app.runs();
    const asks = (await runs.state(id)).open.filter(({ kind }) => kind === 'ask');
    const ask =
      question === undefined ? asks[0] : asks.find((each) => each.id === question || each.node === question);
    if (!ask || (question === undefined && asks.length > 1))
      throw new SylkError(
        'INVALID_OPERATION',
        asks.length > 1 ? `${id} asks ${asks.length} things.` : `${id} asks nothing.`,
        {
          hint:
            asks.length > 1
              ? `Name one with --question: ${asks.map((each) => each.node ?? each.id).join(', ')}`
              : `sylk run show ${id}`,
        },
      );
    await runs.answer(ask.id, { result: 'answered', ...(await readAnswer(runs, ask, { run: id, answer })) });
    return start ? carryOut(context, id) : viewRun(app, await runs.state(id));
  },
});
