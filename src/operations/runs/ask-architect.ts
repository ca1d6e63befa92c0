import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Model } from '../../base/model/index.ts';
import type { Consulted } from '../../engines/agents/index.ts';
import type { RunState } from '../../engines/orchestrator/index.ts';
import type { ArchitectRequest } from '../../engines/pipelines/index.ts';
import type { Plan } from '../../stores/runs/index.ts';
import { consultingTools, consultRole, recorder, saidOf } from '../agents/consultation.ts';
import { consultText, registryTools } from '../agents/registry-tools.ts';
import type { Caller, OperationContext } from '../operation.ts';

type Payer = { run?: string; session?: string };

/** One conversation of the Architect: it reads, asks the roles that know, and answers in words. It changes nothing. */
export async function askArchitect(
  context: OperationContext,
  { instructions, text, material, model, ...payer }: ArchitectRequest & Payer & { model: Model },
): Promise<Consulted> {
  const { app, registry, signal } = context;
  const role = (await app.roles()).find('architect');
  if (!role) throw new SylkError('NOT_FOUND', 'There is no role "architect".');
  const { consult } = await import('../../engines/agents/index.ts');
  const { run = newId('consultation'), session = '' } = payer;
  const tools = await registryTools(registry, { kind: 'agent', name: 'architect', conversation: run });
  return consult(await app.openWorker({ model }), {
    id: run,
    session,
    role: { ...role, prompt: `${role.prompt}\n\n${instructions}` },
    question: text,
    depth: 'standard',
    material,
    tools: consultingTools(context, tools, payer).filter(({ effect }) => effect === 'read'),
    place: { directory: app.repository.root, base: 'HEAD' },
    signal,
    onStep: await recorder(context, { run, node: newId('architect') }),
  });
}

const explaining = `A person asks you about work of the team. Answer in plain words, in a few sentences, from what you are told here and what your tools show:
what is done, what goes on, what waits for whom, why the plan is as it is. You change nothing.`;

/** What the Architect says to a question about a run; undefined where no model is set for it, or it has no answer. */
export async function explainRun(
  context: OperationContext,
  { run, session, plan, proposal, findings = '' }: RunState,
  { question, standing, model: named }: { question: string; standing: string; model: string | undefined },
): Promise<string | undefined> {
  const own = { run, session, agent: 'architect' };
  const { app } = context;
  const open = named ? () => app.openModel(named, own) : app.configuredModel('architect', own);
  if (!open) return undefined;
  const shown = proposal?.plan ?? plan;
  const material = [standing, shown ? showPlan(shown) : '', findings].filter(Boolean).join('\n\n');
  const request = { instructions: explaining, text: question, material, run, session, model: await open() };
  const { ended, text } = await askArchitect(context, request);
  return ended === 'answered' ? text : undefined;
}

/** Each node of a plan with who does it and when. */
export const showPlan = ({ nodes }: Plan): string =>
  nodes
    .map(
      ({ id, agent, prompt, depends_on }) =>
        `  ${id} (${agent})${depends_on.length > 0 ? ` after ${depends_on.join(', ')}` : ''}: ${prompt}`,
    )
    .join('\n');

const mostSaid = 4000;

/** What the roles that know say to a task before it is planned, and what a person has researched before. */
export async function researchText(context: OperationContext, task: string, payer: Payer): Promise<string> {
  const ask = async (role: 'librarian' | 'archivalist' | 'academic') => {
    const said = await answerOf(context, role, task, payer);
    return said.trim() === '' || said.startsWith('No results')
      ? []
      : [`The ${role} says:\n${said.slice(0, mostSaid)}`];
  };
  const said = [await ask('librarian'), await ask('archivalist'), await ask('academic')].flat();
  return [...said, ...(await researchBefore(context, task))].join('\n\n');
}

/** Advice that nobody can give leaves the plan to what others say. */
async function answerOf(
  context: OperationContext,
  role: 'librarian' | 'archivalist' | 'academic',
  task: string,
  payer: Payer,
): Promise<string> {
  const { app, registry, signal } = context;
  const caller: Caller = { kind: 'agent', name: 'architect', conversation: payer.run };
  try {
    return app.configuredModel(role, payer)
      ? saidOf(await consultRole(context, { role, question: task, depth: 'quick', ...payer }))
      : await consultText(registry, caller, { role, task, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SylkError) return '';
    throw error;
  }
}

/** "Implement this" means what was researched last; other words bring the research that they match. */
async function researchBefore({ app }: OperationContext, task: string): Promise<string[]> {
  const { chronicle } = await app.memory();
  const isVague = /\b(?:this|that|it)\b/i.test(task) && task.split(/\s+/).length <= 8;
  const papers = await chronicle.find(
    { session_id: '', sees_all: false },
    { categories: ['academic_research_paper'], text: isVague ? undefined : task, limit: isVague ? 1 : 2 },
  );
  return papers.map(({ title, content }) => `Researched before (${title}):\n${content.slice(0, mostSaid)}`);
}
