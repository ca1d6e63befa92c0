import { z } from 'zod';
import type { AgentsRequest } from '../../app/agents.ts';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { costText, readResult, startRun } from '../../engines/pipelines/index.ts';
import { type Caller, operation } from '../operation.ts';
import { choiceOf, openWorkerFor, type WorkerChoice } from '../runs/workers.ts';
import { consultFor, consultingTools } from './consultation.ts';
import { followRun } from './follow.ts';
import { recallText, registryTools } from './registry-tools.ts';
import { createSpeech } from './speech.ts';
import { partOf, planEvent, stepEvents } from './step-events.ts';

const result = z.object({
  run: z.string(),
  status: z
    .string()
    .describe('completed, or why not: running means that it waits for you, interrupted that you stopped it'),
  branch: z.string().optional(),
  commit: z.string().optional(),
  files: z.array(z.string()),
  gates: z.array(z.string()).describe('what the tools of the project said'),
  output: z.string().describe('what the agent says that it did'),
  cost: z.number().describe('US dollars, as far as prices are known'),
  unpriced: z.number().describe('answers of a model whose price is unknown'),
  unmeasured: z.number().describe('answers whose tokens are an estimate'),
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
    agent: z
      .string()
      .optional()
      .describe(
        'a coding agent of yours instead of a model: claude-code, codex, gemini, opencode … (`sylk agents`)',
      ),
    budget: z.coerce.number().positive().optional().describe('US dollars that it may cost'),
    base: z.string().optional().describe('branch or commit to start from; default: HEAD'),
    resume: z.string().optional().describe('a run that was interrupted or waited for you'),
    answer: z.string().optional().describe('with resume: what you say to its question'),
  }),
  output: result,
  examples: [{ resume: 'run_that_was_never_started' }],
  command: { positionals: ['task'], rest: true },
  isFailure: ({ status }) =>
    status === 'completed' ? 0 : status === 'failed' || status === 'cancelled' ? 1 : 5,
  render,
  question: ({ run, questions: [first] }) =>
    first && {
      text: `Your answer (${first.options.length > 0 ? `${first.options.join(', ')} or your own words; ` : ''}Enter leaves it for later): `,
      next: (reply) => ({ resume: run, answer: reply }),
    },
  run: async ({ task, model, agent: wantedAgent, budget, base, resume, answer }, context) => {
    const { app, signal, emit, caller, registry } = context;
    if (resume === undefined && task === undefined)
      throw new SylkError('VALIDATION_ERROR', 'No task given.', {
        hint: 'sylk agent "rename the flag --foo to --bar everywhere"',
      });
    const isGiven = resume === undefined || model !== undefined || wantedAgent !== undefined;
    const choice = isGiven
      ? { model, agent: wantedAgent }
      : await choiceOf(app, (await (await app.runs()).state(resume)).session);
    // Before anything is begun: without a worker there is nothing to begin.
    await openWorkerFor(app, 'engineer', choice);
    if (resume !== undefined) await takeUp(app, resume, answer);
    // Which tests a change reaches is read from the index.
    await (await app.code()).update({ signal });
    const run = resume ?? (await begin(app, { task: task ?? '', base, budget, by: caller.name, choice }));
    const { session, limits } = await (await app.runs()).state(run);
    // The ledger holds the budget too: what runs side by side never passes it together.
    if (limits.budget !== undefined)
      await (await app.ledger()).setBudget({
        scope: 'run',
        name: run,
        usd: limits.budget,
        tokens: undefined,
      });
    emit({ type: 'text', text: `Run ${run}` });
    const agent: Caller = { kind: 'agent', name: 'engineer', conversation: run };
    const speech = createSpeech(emit, app.clock.now);
    const worker = await openWorkerFor(app, 'engineer', choice, { run, session });
    const agents: AgentsRequest = {
      worker,
      tools: consultingTools(context, await registryTools(registry, agent), { run, session }),
      recall: (query) => recallText(registry, agent, query),
      consult: consultFor(context, agent, { run, session }),
      onStep: (step) => {
        const part = partOf(step);
        if (part !== undefined) emit(planEvent(part));
        if (step.kind !== 'said' || !speech.end()) stepEvents(step).forEach(emit);
      },
      onDelta: speech.hear,
    };
    const pool = await app.startAgents({ run, open: async () => agents });
    const state = await followRun(app, run, signal);
    await pool.stop();
    if (state.status === 'completed') emit(planEvent(4));
    if (signal.aborted) emit({ type: 'text', text: `Stopped. Go on with: sylk agent --resume ${run}` });
    const answered = await readResult({ git: app.git, transcripts: await app.transcripts() }, state);
    // Nobody carries it out any more, whatever its last event says.
    return signal.aborted && state.status === 'running' ? { ...answered, status: 'interrupted' } : answered;
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
    choice,
  }: {
    task: string;
    base: string | undefined;
    budget: number | undefined;
    by: string;
    choice: WorkerChoice;
  },
): Promise<string> {
  const { sessions } = await app.memory();
  const commit = await app.git.text([
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${base ?? 'HEAD'}^{commit}`,
  ]);
  const name = task.split('\n', 1)[0]?.slice(0, 80) ?? '';
  const session = await sessions.create({ name, metadata: { started_by: by, ...choice } });
  const { run } = await startRun(
    { runs: await app.runs(), refs: await app.runRefs() },
    { task, role: 'engineer', session: session.id, base: commit, budget },
  );
  return run;
}

function render(answer: Result): string {
  const { run, status, branch, commit, files, gates, output, questions, error } = answer;
  const ask = questions.flatMap(({ question, options }) => [
    `Needs you: ${question.replaceAll('\n', '\n  ')}`,
    `  sylk agent --resume ${run} --answer "${options.join(' | ') || 'your words'}"`,
  ]);
  return [
    `${run}: ${ask.length > 0 ? 'waits for you' : status}`,
    ...(error && status !== 'completed' ? [error] : []),
    ...(output ? [output] : []),
    ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : []),
    ...new Set(gates),
    ...(branch ? [`Branch ${branch} at ${commit?.slice(0, 12)}: git diff ...${branch}`] : []),
    ...ask,
    `Cost ${costText(answer)}`,
  ].join('\n');
}
