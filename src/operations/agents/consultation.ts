import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Model } from '../../base/model/index.ts';
import { idOf, isRefOf } from '../../base/ref.ts';
import type { Consulted, WorkTool } from '../../engines/agents/index.ts';
import type { RecordedStep, Step } from '../../stores/transcripts/index.ts';
import { writing } from '../memory/shared.ts';
import type { Caller, OperationContext } from '../operation.ts';
import { consultText, registryTools } from './registry-tools.ts';

export const consulted = ['librarian', 'archivalist', 'academic'] as const;

export interface ConsultRequest {
  role: (typeof consulted)[number];
  question: string;
  want?: 'answer' | 'compare' | 'gaps' | 'summary' | 'facts';
  depth?: 'quick' | 'standard' | 'deep';
  /** `provider/model` or `script:FILE`; the model that the settings name for the role otherwise. */
  model?: string | undefined;
  session?: string | undefined;
  run?: string | undefined;
}

export interface Consultation {
  answer: string;
  /** `memory`: no model wrote it. */
  by: 'model' | 'memory';
  id?: string;
  model?: string;
  cost: number;
  entry?: string;
  files: string[];
  warnings: string[];
  notes: string[];
}

/** A role that is asked answers with a model where there is one, and from the memory otherwise. What it found out is stored. */
export async function consultRole(context: OperationContext, request: ConsultRequest): Promise<Consultation> {
  const { app } = context;
  const { role, question, model, run } = request;
  const { session } = await writing(context, request);
  const payer = { session: session.id, run, agent: role };
  const open = model ? () => app.openModel(model, payer) : app.configuredModel(role, payer);
  if (!open) {
    const text = await fromMemory(context, request);
    const note = `No model is set for the ${role}: this is what the memory has. \`sylk models\` shows how to set one.`;
    return { answer: text, by: 'memory', cost: 0, files: [], warnings: [], notes: [note] };
  }
  const opened = await open();
  const id = newId('consultation');
  const { ended, text, cost } = await answerWithModel(context, {
    ...request,
    id,
    session: session.id,
    model: opened,
  });
  const written = { by: 'model' as const, id, model: opened.id, cost };
  if (ended !== 'answered') {
    const note = `The ${role} gave no answer (${text}). This is what the memory has.`;
    return {
      ...written,
      by: 'memory',
      answer: await fromMemory(context, request),
      files: [],
      warnings: [],
      notes: [note],
    };
  }
  const { warnings, entry, files } = await keep(context, {
    ...request,
    id,
    session: session.id,
    isMain: session.kind === 'main',
    model: opened.id,
    cost,
    text,
    question,
  });
  return { ...written, answer: text, entry, files, warnings, notes: [] };
}

const asker = ({ caller }: OperationContext, role: string, id?: string): Caller => ({
  kind: 'agent',
  name: role,
  conversation: id ?? caller.conversation,
});

const fromMemory = (context: OperationContext, { role, question }: ConsultRequest): Promise<string> =>
  consultText(context.registry, context.caller, { role, task: question, signal: context.signal });

async function answerWithModel(
  context: OperationContext,
  request: Omit<ConsultRequest, 'model' | 'session'> & { id: string; session: string; model: Model },
): Promise<Consulted> {
  const { app, registry, signal } = context;
  const { role: name, question, want = 'answer', depth = 'standard', id, session } = request;
  const { consult, firstTokens } = await import('../../engines/agents/index.ts');
  const role = (await app.roles()).find(name);
  if (!role) throw new SylkError('NOT_FOUND', `There is no role ${JSON.stringify(name)}.`);
  const material = await fromMemory(context, { role: name, question });
  return consult(await app.openWorker({ model: request.model }), {
    id,
    session,
    role,
    question,
    want,
    depth,
    // Four characters make a token of plain text.
    material: material.slice(0, firstTokens(depth) * 4),
    tools: await registryTools(registry, asker(context, name, id)),
    place: { directory: app.repository.root, base: 'HEAD' },
    signal,
    onStep: await recorder(context, { run: id, node: name }),
  });
}

/** Writes each step behind the one before it, so that `sylk transcript` shows how an answer came to be. */
export async function recorder({ app }: OperationContext, name: { run: string; node: string }) {
  const transcripts = await app.transcripts();
  let number = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (...steps: Step[]): Promise<RecordedStep[]> => {
    const written = last.then(async () => {
      const recorded = await transcripts.append(name, number, steps);
      number += recorded.length;
      return recorded;
    });
    last = written.catch(() => undefined);
    return written;
  };
}

/** Stores what a role found out, under its name, linked to the code that it names. What the code refutes is said, and stored as doubted. */
async function keep(
  { app }: OperationContext,
  request: ConsultRequest & {
    id: string;
    session: string;
    model: string;
    cost: number;
    text: string;
    isMain: boolean;
  },
): Promise<{ entry: string; files: string[]; warnings: string[] }> {
  const { role, question, want = 'answer', depth = 'standard', text, session } = request;
  const [memory, { storedAs }, { verifyText }] = await Promise.all([
    app.memory(),
    import('../../engines/agents/index.ts'),
    import('../../engines/claims/index.ts'),
  ]);
  const said = text.replace(/\[INFERENCE\]:?/gi, '');
  const cited = [...said.matchAll(/(?<![\w/])([\w@.-]+(?:\/[\w@.-]+)+\.\w{1,8})(?=:\d)/g)].map(
    ([, path = '']) => path,
  );
  const evidence = await (await app.claims()).evidence();
  const { contradictions } = await verifyText(said, evidence);
  const missing: string[] = [];
  for (const path of new Set(cited)) if ((await evidence.files(path)).length === 0) missing.push(path);
  const isDoubted = (fact: string) =>
    contradictions.some(({ claim }) => fact.includes(claim)) || missing.some((path) => fact.includes(path));
  const base = {
    session_id: session,
    category: storedAs(role),
    source: role,
    source_kind: 'agent' as const,
    tags: ['consultation', role, want],
    metadata: {
      consultation: request.id,
      question: question.slice(0, 500),
      model: request.model,
      depth,
      cost: request.cost,
      run: request.run,
    },
  };
  const { entry } = await memory.remember({
    ...base,
    shared: request.isMain,
    title: question.split('\n', 1)[0]?.slice(0, 120) ?? '',
    content: text,
  });
  if (want === 'facts')
    for (const fact of factsOf(text))
      if (!isDoubted(fact))
        await memory.remember({ ...base, category: 'insight', content: fact, derived_from: [entry.id] });
  return {
    entry: entry.id,
    files: entry.refs.flatMap((ref) => (isRefOf(ref, 'file') ? [idOf(ref)] : [])),
    warnings: [
      ...contradictions.map(({ claim, finding }) => `The code refutes "${claim}": ${finding}`),
      ...missing.map((path) => `${path} is cited and does not exist.`),
    ],
  };
}

/** The tools of an agent, where `consult_NAME` asks a model, if the person has set one for that role. */
export function consultingTools(
  context: OperationContext,
  tools: WorkTool[],
  payer: { run?: string; session?: string },
): WorkTool[] {
  return tools.map((tool) => {
    const role = consulted.find((name) => tool.name === `consult_${name}`);
    if (!role || !context.app.configuredModel(role, payer)) return tool;
    return {
      ...tool,
      run: async ({ question, query }) => {
        const asked = { role, question: String(question ?? query ?? ''), ...payer };
        return { text: saidOf(await consultRole(context, asked)), untrusted: true };
      },
    };
  });
}

/** How the nodes of a run that only answer are answered. */
export const consultFor =
  (context: OperationContext, caller: Caller, payer: { run: string; session: string }) =>
  async (name: string, task: string, signal: AbortSignal): Promise<{ text: string; cost: number }> => {
    const role = consulted.find((each) => each === name);
    if (!role || !context.app.configuredModel(role, payer))
      return { text: await consultText(context.registry, caller, { role: name, task, signal }), cost: 0 };
    const answer = await consultRole({ ...context, signal }, { role, question: task, ...payer });
    return { text: saidOf(answer), cost: answer.cost };
  };

export const saidOf = ({ answer, warnings }: Consultation): string =>
  [answer, ...warnings.map((line) => `warning: ${line}`)].join('\n');

const mostFacts = 40;

const factsOf = (text: string): string[] =>
  [...text.matchAll(/^- (.{10,400})$/gm)].map(([, fact = '']) => fact.trim()).slice(0, mostFacts);
