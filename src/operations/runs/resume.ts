import { z } from 'zod';
import { newId } from '../../base/ids.ts';
import { operation } from '../operation.ts';
import { carryOut, findRun } from './execute.ts';
import { exitOf, renderRun, runView } from './view.ts';
import { workerInput } from './workers.ts';

export const resumeRun = operation({
  name: 'resume_run',
  summary:
    'Goes on with a run that was interrupted, paused or stopped, or with one node of it: nothing that was finished is done again.',
  effect: 'setup',
  live: 'lines',
  input: z.object({
    run: z.string().optional().describe('id of the run, or the end of it; default: the newest'),
    node: z.string().optional().describe('only this node, which was paused'),
    ...workerInput,
  }),
  output: runView,
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run', 'node'] },
  isFailure: exitOf,
  render: renderRun,
  run: async ({ run: given, node, model, agent }, context) => {
    const { app, signal } = context;
    const id = await findRun(app, given);
    const runs = await app.runs();
    const { status } = await runs.state(id);
    if (node !== undefined) await runs.move(id, { type: 'node_resumed', node }, newId('move'));
    else if (status === 'stopped' || status === 'suspended')
      await runs.move(id, { type: 'resumed' }, newId('move'));
    else if (status === 'approved') await runs.move(id, { type: 'started' }, newId('move'));
    await (await app.code()).update({ signal });
    return carryOut(context, id, { model, agent });
  },
});
