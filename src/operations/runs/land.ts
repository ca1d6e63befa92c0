import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type OperationContext, operation } from '../operation.ts';
import { carryOut, findRun } from './execute.ts';
import { renderRun, runView } from './view.ts';

export const landRun = operation({
  name: 'land_run',
  summary:
    'Brings a completed run onto a branch of yours as that branch is now, judged once more. A branch that is checked out is not moved: you get the command.',
  effect: 'setup',
  live: 'lines',
  input: z.object({
    run: z.string().optional().describe('id of the run, or the end of it; default: the newest'),
    onto: z.string().optional().describe('a branch; default: the one that is checked out'),
  }),
  output: runView.extend({
    onto: z.string(),
    problem: z.string().optional().describe('why it could not be landed'),
    command: z.string().optional().describe('what is left for you to type'),
  }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run', 'onto'] },
  isFailure: ({ problem }) => problem !== undefined,
  render: (view) => {
    const { run, problem, command, onto, landed = '' } = view;
    if (problem !== undefined) return `${run} could not be landed on ${onto}:\n${problem}`;
    if (command === undefined) return `${run} landed: ${onto} is at ${landed.slice(0, 12)} now.`;
    return `${renderRun(view)}\n${onto} is checked out, so it is yours to move: ${command}`;
  },
  run: async ({ run: given, onto }, context) => {
    const { app } = context;
    const id = await findRun(app, given);
    const target =
      onto ?? (await app.git.text(['symbolic-ref', '--short', '--quiet', 'HEAD'], { accept: [1] }));
    if (target === '')
      throw new SylkError('VALIDATION_ERROR', 'No branch is checked out.', {
        hint: `sylk run land ${id} BRANCH`,
      });
    const runs = await app.runs();
    const { number } = await runs.move(id, { type: 'landing_requested', target }, newId('move'));
    const view = await carryOut(context, id);
    const [answer] = await runs.events(id, number);
    const outcome = answer?.type === 'answered' ? answer.outcome : undefined;
    if (outcome?.result !== 'merged')
      return { ...view, onto: target, landed: undefined, problem: problemOf(outcome) };
    const landed = outcome.commit;
    await completeSession(app, view.session);
    const command = (await isMoved(context, target, landed)) ? undefined : `git merge --ff-only ${landed}`;
    return { ...view, onto: target, landed, command };
  },
});

/** What the run has learnt and what was verified of it is everybody's from now on. */
async function completeSession(app: App, id: string): Promise<void> {
  const memory = await app.memory();
  const session = await memory.sessions.find(id);
  if (session?.state === 'created') await memory.sessions.transition(id, 'activate');
  const active = await memory.sessions.find(id);
  if (active?.state === 'active') await memory.complete(active);
}

function problemOf(outcome: object | undefined): string {
  if (outcome && 'text' in outcome) return String(outcome.text);
  return outcome && 'message' in outcome ? String(outcome.message) : 'It was interrupted. Try again.';
}

const isMoved = async ({ app }: OperationContext, branch: string, commit: string): Promise<boolean> =>
  (await app.git.run(['merge-base', '--is-ancestor', commit, `refs/heads/${branch}`], { accept: [1] }))
    .code === 0;
