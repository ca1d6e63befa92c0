import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { readPlan } from '../../engines/orchestrator/index.ts';
import { operation } from '../operation.ts';
import { preparePlan, readPlanFile } from './check-plan.ts';
import { findRun } from './execute.ts';
import { renderRun, runView, viewRun } from './view.ts';

export const editPlan = operation({
  name: 'edit_plan',
  summary:
    'Replaces the plan of a run by one that you wrote. It is checked first, and waits for your approval; finished nodes stay.',
  effect: 'setup',
  input: z.object({
    run: z.string().describe('id of the run, or the end of it'),
    from: z.string().optional().describe('a file with the plan (YAML, JSON, or Markdown with a table)'),
    plan: z.string().max(2_000_000).optional().describe('the text of the plan, instead of a file'),
    revision: z.coerce
      .number()
      .int()
      .optional()
      .describe('the newest one that you have seen; refused where there is a newer one'),
  }),
  output: runView,
  examples: [{ run: 'run_that_was_never_started', from: 'plan.yaml' }],
  command: { positionals: ['run', 'from'] },
  render: renderRun,
  run: async ({ run: given, from, plan: text, revision }, context) => {
    const { app } = context;
    const run = await findRun(app, given);
    const written = text ?? (from === undefined ? undefined : readPlanFile(context, from));
    if (written === undefined)
      throw new SylkError('VALIDATION_ERROR', 'Missing plan.', {
        hint: `sylk run edit ${run} plan.yaml; sylk run show ${run} --plan shows the one it has.`,
      });
    const { plan } = await preparePlan(context, readPlan(written), from);
    const runs = await app.runs();
    const seen = revision ?? (await runs.state(run)).revision;
    return viewRun(app, await runs.move(run, { type: 'plan_edited', plan, revision: seen }, newId('move')));
  },
});
