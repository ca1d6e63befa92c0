import { z } from 'zod';
import type { App } from '../../app.ts';
import { onceFor } from '../../base/once.ts';
import type { Worker } from '../../engines/agents/index.ts';
import { type Architect, createArchitect } from '../../engines/pipelines/index.ts';
import type { OperationContext } from '../operation.ts';
import { askArchitect, researchText } from './ask-architect.ts';
import { preparePlan } from './check-plan.ts';

/** Who works on the nodes of a run. */
export const workerInput = {
  architect: z
    .string()
    .optional()
    .describe(
      'the model that plans: provider/model or script:FILE; default: the model of the architect, where you have set one',
    ),
  model: z
    .string()
    .optional()
    .describe('provider/model, a role, or script:FILE; default: the model of the engineer'),
  agent: z
    .string()
    .optional()
    .describe(
      'a coding agent of yours instead of a model (`sylk agents`): codex, or by role: designer=codex,tester=gemini',
    ),
};
export interface WorkerChoice {
  architect?: string | undefined;
  model?: string | undefined;
  agent?: string | undefined;
}

/** What a run was started with. */
export async function choiceOf(app: App, session: string): Promise<WorkerChoice> {
  const metadata = (await (await app.memory()).sessions.find(session))?.metadata ?? {};
  const { model, agent, architect } = metadata;
  return definedOf({
    architect: typeof architect === 'string' ? architect : undefined,
    model: typeof model === 'string' ? model : undefined,
    agent: typeof agent === 'string' ? agent : undefined,
  });
}

export const definedOf = (choice: WorkerChoice): WorkerChoice =>
  Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));

/** Our own loop with a model, or the person's own agent where one is named for the role. */
export async function openWorkerFor(
  app: App,
  role: string,
  { model, agent = '' }: WorkerChoice,
  payer: { run?: string; session?: string } = {},
): Promise<Worker> {
  const named = agent.split(',').map((word) => word.split('='));
  const own = named.find(([name, value]) => value !== undefined && name === role)?.[1];
  const all = named.find(([, value]) => value === undefined)?.[0];
  const external = own || all || (model === undefined ? app.config.agents.engineer : '');
  if (external) return app.openWorker({ agent: external });
  return app.openWorker({ model: await app.openModel(model ?? 'engineer', { ...payer, agent: 'engineer' }) });
}

/** Each role's worker, opened by its first leg: what merges and judges needs none. */
export function workerOfRoles(open: (role: string) => Promise<Worker>): Worker {
  const workers = onceFor(open);
  return {
    name: 'team',
    model: undefined,
    isConfined: async (role) => (await workers(role)).isConfined(role),
    work: async (brief, context) => (await workers(brief.role)).work(brief, context),
  };
}

/** Undefined where no model is set for it: a plan is then the person's, or one node. */
export function openArchitect(
  context: OperationContext,
  { architect }: WorkerChoice,
  payer: { run?: string; session?: string } = {},
): Architect | undefined {
  const { app } = context;
  const own = { ...payer, agent: 'architect' };
  const open = architect ? () => app.openModel(architect, own) : app.configuredModel('architect', own);
  return (
    open &&
    createArchitect({
      ask: async (request, signal) =>
        askArchitect({ ...context, signal }, { ...request, ...payer, model: await open() }),
      research: (task, signal) => researchText({ ...context, signal }, task, payer),
      complete: async (plan) => (await preparePlan(context, plan)).plan,
    })
  );
}
