import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { readResult, startRun } from '../../engines/pipelines/index.ts';
import { type Caller, operation } from '../operation.ts';
import { followRun } from './follow.ts';
import { recallText, registryTools } from './registry-tools.ts';
import { stepEvents } from './step-events.ts';

const result = z.object({
  run: z.string(),
  status: z.string().describe('completed, or why not: running means that it waits for you'),
  branch: z.string().optional(),
  commit: z.string().optional(),
  files: z.array(z.string()),
  gates: z.array(z.string()).describe('what the tools of the project said'),
  output: z.string().describe('what the agent says that it did'),
  cost: z.number().describe('US dollars, as far as prices are known'),
  unpriced: z.number().describe('answers of a model whose price is unknown'),
  tokens: z.object({ input: z.number(), cached: z.number(), output: z.number() }),
  questions: z.array(z.object({ command: z.string(), question: z.string(), options: z.array(z.string()) })),
  error: z.string().optional(),
});
type Result = z.output<typeof result>;

export const runAgent = operation({
  name: 'run_agent',
  summary:
    "Lets one engineer do a task in a copy of the repository, under your rules and your budget: a branch with a commit comes back, judged by the project's own tools.",
  effect: 'setup',
  live: true,
  input: z.object({
    task: z.string().min(1).max(100_000).optional().describe('what is to be done'),
    model: z
      .string()
      .optional()
      .describe('provider/model, a role, or script:FILE; default: the model of the engineer'),
    budget: z.coerce.number().positive().optional().describe('US dollars that it may cost'),
    base: z.string().optional().describe('branch or commit to start from; default: HEAD'),
    resume: z.string().optional().describe('a run that was interrupted or waited for you'),
    answer: z.string().optional().describe('with resume: what you say to its question'),
  }),
  output: result,
  examples: [{ resume: 'run_that_was_never_started' }],
  command: { positionals: ['task'], rest: true },
  isFailure: ({ status }) => status !== 'completed',
  render,
  run: async ({ task, model, budget, base, resume, answer }, { app, signal, emit, caller, registry }) => {
    if (resume === undefined && task === undefined)
      throw new SylkError('VALIDATION_ERROR', 'No task given.', {
        hint: 'sylk agent "rename the flag --foo to --bar everywhere"',
      });
    const wanted = model ?? 'engineer';
    // Before anything is begun: without a model there is nothing to begin.
    await app.openModel(wanted, { agent: 'engineer' });
    if (resume !== undefined) await takeUp(app, resume, answer);
    // Which tests a change reaches is read from the index.
    await (await app.code()).update({ signal });
    const run = resume ?? (await begin(app, { task: task ?? '', base, budget, by: caller.name }));
    const { session, limits } = await (await app.runs()).state(run);
    const payer = { run, session, agent: 'engineer' };
    // The ledger holds the budget too: what runs side by side never passes it together.
    if (limits.budget !== undefined)
      await (await app.ledger()).setBudget({
        scope: 'run',
        name: run,
        usd: limits.budget,
        tokens: undefined,
      });
    const opened = await app.openModel(wanted, payer);
    emit({ type: 'text', text: `Run ${run}` });
    const agent: Caller = { kind: 'agent', name: 'engineer', conversation: run };
    const pool = await app.startAgents({
      model: opened,
      tools: await registryTools(registry, agent),
      recall: (query) => recallText(registry, agent, query),
      onStep: (step) => stepEvents(step).forEach(emit),
    });
    const state = await followRun(app, run, signal);
    await pool.stop();
    if (signal.aborted) emit({ type: 'text', text: `Stopped. Go on with: sylk agent --resume ${run}` });
    return readResult({ git: app.git, transcripts: await app.transcripts() }, state);
  },
});

/** A person answers what the run waits for; without an answer it only goes on. */
async function takeUp(app: App, run: string, answer: string | undefined): Promise<void> {
  const runs = await app.runs();
  const { open, status } = await runs.state(run);
  if (status === 'stopped' || status === 'suspended')
    await runs.move(run, { type: 'resumed' }, newId('move'));
  if (answer === undefined) return;
  const ask = open.find(({ kind }) => kind === 'ask');
  if (!ask)
    throw new SylkError('INVALID_OPERATION', `${run} asks nothing.`, { hint: `sylk runs show ${run}` });
  const [choice = '', ...words] = answer.split(' ');
  const isChoice = ask.options?.includes(choice) ?? false;
  const outcome = isChoice ? { choice, text: words.join(' ') } : { choice: 'answer', text: answer };
  await runs.answer(ask.id, { result: 'answered', ...outcome });
}

async function begin(
  app: App,
  {
    task,
    base,
    budget,
    by,
  }: { task: string; base: string | undefined; budget: number | undefined; by: string },
): Promise<string> {
  const { sessions } = await app.memory();
  const commit = await app.git.text([
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${base ?? 'HEAD'}^{commit}`,
  ]);
  const name = task.split('\n', 1)[0]?.slice(0, 80) ?? '';
  const session = await sessions.create({ name, metadata: { started_by: by } });
  const { run } = await startRun(
    { runs: await app.runs(), git: app.git },
    { task, role: 'engineer', session: session.id, base: commit, budget },
  );
  return run;
}

function render(answer: Result): string {
  const { run, status, branch, commit, files, gates, output, cost, unpriced, tokens, questions, error } =
    answer;
  const price =
    unpriced > 0
      ? `at least $${cost.toFixed(4)} (${unpriced} answers without a price)`
      : `$${cost.toFixed(4)}`;
  const ask = questions.flatMap(({ question, options }) => [
    `Needs you: ${question}`,
    `  sylk agent --resume ${run} --answer "${options.join(' | ') || 'your words'}"`,
  ]);
  return [
    `${run}: ${ask.length > 0 ? 'waits for you' : status}`,
    ...(error && status !== 'completed' ? [error] : []),
    ...(output ? [output] : []),
    ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : []),
    ...gates,
    ...(branch ? [`Branch ${branch} at ${commit?.slice(0, 12)}: git diff ...${branch}`] : []),
    ...ask,
    `Cost ${price}; ${tokens.input} tokens in (${tokens.cached} cached), ${tokens.output} out`,
  ].join('\n');
}
