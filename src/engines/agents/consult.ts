import { SylkError } from '../../base/errors.ts';
import { type Category, categories } from '../../stores/chronicle/index.ts';
import type { Role } from '../../stores/roles/index.ts';
import type { RecordedStep, Step } from '../../stores/transcripts/index.ts';
import consulting from './consulting.json' with { type: 'json' };
import { equip } from './equip.ts';
import type { Brief, Worker, WorkTool } from './worker.ts';

export const depths = ['quick', 'standard', 'deep'] as const;
export const wants = ['answer', 'compare', 'gaps', 'summary', 'facts'] as const;

export interface Consultation {
  /** Names the conversation in the transcripts. */
  id: string;
  session: string;
  role: Role;
  question: string;
  /** The form of the answer; without one the prompt of the role says it. */
  want?: (typeof wants)[number];
  depth: (typeof depths)[number];
  /** What the memory says to the question, before the role looks further. Untrusted text. */
  material: string;
  tools: WorkTool[];
  /** The person's checkout: roles that are asked read it and change nothing. */
  place: { directory: string; base: string };
  signal: AbortSignal;
  onStep(...steps: Step[]): Promise<RecordedStep[]>;
}

export interface Consulted {
  /** All but `answered` come without an answer: `text` says what is missing. */
  ended: 'answered' | 'asks' | 'parked' | 'stopped';
  text: string;
  cost: number;
  /** When a provider may be asked again. */
  wakeAt?: number | undefined;
}

/** Tokens that the memory may say to a question before the role looks further. */
export const firstTokens = (depth: Consultation['depth']): number => consulting.depths[depth].first;

/** The category in which an answer of a role is stored. */
export const storedAs = (role: string): Category => {
  const named = new Map<string, string>(Object.entries(consulting.stored_as)).get(role);
  return categories.find((each) => each === named) ?? 'insight';
};

/**
 * Lets a role answer a question: it begins with what the memory says, looks further until it knows enough or has read as much as the depth
 * allows, and answers in words.
 */
export async function consult(worker: Worker, request: Consultation): Promise<Consulted> {
  const { role, signal } = request;
  const ending = await worker.work(briefOf(request), {
    place: request.place,
    role,
    tools: equip(role, withoutRepeats(request.tools)),
    budget: undefined,
    signal,
    news: async () => ({ said: [], handOver: false }),
    epoch: 1,
    past: [],
    onStep: request.onStep,
    permit: async ({ tool, effect }) => {
      if (effect !== 'read' && effect !== 'end')
        throw new SylkError('DENIED', `${tool} writes: whoever is asked only reads.`);
    },
    checkpoint: async () => undefined,
  });
  const { cost } = ending;
  if (ending.result === 'done') return { ended: 'answered', text: ending.output, cost };
  if (ending.result === 'asks') return { ended: 'asks', text: ending.question, cost };
  if (ending.result === 'context_full') return { ended: 'answered', text: ending.bundle, cost };
  if (ending.result === 'parked')
    return { ended: 'parked', text: ending.reason, cost, wakeAt: ending.wake_at };
  return { ended: 'stopped', text: ending.result === 'failed' ? ending.message : 'Stopped.', cost };
}

function briefOf({ id, session, role, question, want, depth, material }: Consultation): Brief {
  const { rounds, tokens } = consulting.depths[depth];
  return {
    run: id,
    session,
    node: role.name,
    leg: 1,
    role: role.name,
    task: question,
    constraints: want ? formOf(want) : [],
    criteria: [],
    upstream: [],
    context: material,
    checks: [],
    feedback: [],
    retrieval: { rounds, tokens },
  };
}

function formOf(want: (typeof wants)[number]): string[] {
  const { form, headings } = { headings: [], ...consulting.wants[want] };
  return [form, ...(headings.length > 0 ? [`Headings: ${headings.join(', ')}.`] : []), ...consulting.rules];
}

const leastRepeated = 40;

/** What one consultation was shown once is not sent again: a refined question brings what is new. */
function withoutRepeats(tools: WorkTool[]): WorkTool[] {
  const shown = new Set<string>();
  return tools.map((tool) => ({
    ...tool,
    run: async (input, context) => {
      const answer = await tool.run(input, context);
      const lines = answer.text.split('\n');
      const fresh = lines.filter((line) => line.length < leastRepeated || !shown.has(line));
      for (const line of lines) shown.add(line);
      const left = lines.length - fresh.length;
      return left === 0
        ? answer
        : { ...answer, text: [...fresh, `(${left} lines that you have seen are left out)`].join('\n') };
    },
  }));
}
