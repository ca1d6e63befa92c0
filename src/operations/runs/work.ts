import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { commandKinds, paidKinds } from '../../stores/runs/index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { agentsOf, isOfTeam } from './execute.ts';
import { choiceOf, definedOf, type WorkerChoice } from './workers.ts';

/** A dead worker's commands are taken over after this long; one that ended on the same machine is replaced at once. */
const leaseMilliseconds = 6000;

export const workForTeam = operation({
  name: 'work_for_team',
  summary:
    'Carries out the runs of a team in this clone, beside other workers, until it is stopped. What it has begun then goes on elsewhere.',
  effect: 'setup',
  live: 'lines',
  input: z.object({
    concurrency: z.coerce.number().int().min(1).max(64).default(4).describe('commands at once'),
    executor: z
      .enum(['dbos', 'own'])
      .default('dbos')
      .describe('who hands out commands: the queues of DBOS, or leases of the library alone'),
    model: z
      .string()
      .optional()
      .describe('provider/model or script:FILE, instead of what each run was started with'),
    agent: z
      .string()
      .optional()
      .describe('a coding agent of this machine, instead of what each run was started with'),
  }),
  output: z.object({ answered: z.number().describe('commands that this worker has carried out') }),
  examples: [{}],
  command: { positionals: [] },
  render: ({ answered }) => `Stopped. ${answered} commands were carried out here.`,
  run: async ({ concurrency, executor, model, agent }, context) => {
    const { app, signal, emit } = context;
    if (!isOfTeam(app))
      throw new SylkError('VALIDATION_ERROR', 'A worker needs the library of a team.', {
        hint: 'sylk worker --database postgres://USER@HOST/NAME',
      });
    const kinds = commandKinds.filter((kind) => kind !== 'land');
    let answered = 0;
    (await app.runs()).onEvent(({ event }) => {
      if (event.type === 'answered') answered += 1;
    });
    const pool = await app.startAgents({
      kinds,
      concurrency,
      leaseMilliseconds,
      queues: executor === 'dbos' ? { providerOf: providerOf(context, { model, agent }) } : undefined,
      open: (run) => agentsOf(context, run, { model, agent }),
    });
    emit({ type: 'text', text: `Working with up to ${concurrency} commands at once. Stop with Ctrl-C.` });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await pool.stop();
    return { answered };
  },
});

/** The provider whose limits a command counts against: known where a model is named, of commands that call one. */
const providerOf =
  ({ app }: OperationContext, given: WorkerChoice) =>
  async ({ run, kind }: { run: string; kind: string }): Promise<string | undefined> => {
    if (!isPaid(kind)) return undefined;
    const { session } = await (await app.runs()).state(run);
    const { model = '', agent } = { ...(await choiceOf(app, session)), ...definedOf(given) };
    return agent ?? model.split('/', 1)[0]?.split(':', 1)[0];
  };
const isPaid = (kind: string): boolean => [...paidKinds].some((paid) => paid === kind);
