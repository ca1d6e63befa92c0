import { messageOf, SylkError } from '../../base/errors.ts';
import { modelErrorKind, retryAtOf } from '../../base/model/index.ts';
import type { Command, Outcome, Plan } from '../../stores/runs/index.ts';
import type { Consulted } from '../agents/index.ts';
import { parsePlanText, problemText, type RunState } from '../orchestrator/index.ts';

/** Plans and advises with a model. What it writes is checked like a plan of anybody else, and approved by the person. */
export interface Architect {
  plan(state: RunState, command: Command, signal: AbortSignal): Promise<Outcome<'plan'>>;
  advise(state: RunState, command: Command, signal: AbortSignal): Promise<Outcome<'advise'>>;
  /** Which tests are missing, once everything is merged. `change` is what the run has changed. */
  planTests(
    state: RunState,
    command: Command,
    change: string,
    signal: AbortSignal,
  ): Promise<Outcome<'plan_tests'>>;
}

const planning = `What the Librarian, the Archivalist and the Academic say to the task comes with it. You answer with one plan as a JSON object, and nothing else:
{"prompt": what is wanted, "nodes": [{"id": short-name, "agent": "engineer", "prompt": the whole task of the node, "depends_on": [ids],
"touches": [files it will probably change], "compliance_criteria": [what must be true afterwards],
"context": {"relevant_files": [], "constraints": [], "upstream_outputs": [ids], "tools": [names of tools of the memory that it should see at once]}}]}

- The default is one node. Split only where the parts change different files and can be judged apart: two engineers on the same files are slower than one.
- What several parts share (types, interfaces, formats) is a node of its own, first, and the others depend on it.
- Each engineer sees only its own prompt and what it depends on: say everything it needs, with the names of files and functions.
- Agents that only answer: librarian (this code), archivalist (what was decided before), academic (references). Agents that change files: engineer, designer, tester.
- Call request_help only for what none of them can know: what the person wants, what they can live without, what it may cost. One question.`;

const advising = `An engineer asks you something about its task. Answer in a few sentences from what you are told here.
Where only the person who wants the work can know, answer with the one word UNSURE.`;

const testing = `You plan the tests of a change that a team has made. You answer with one JSON object, and nothing else:
{"prompt": what is tested, "nodes": [{"id": short-name, "agent": "tester", "prompt": which tests to write and in which file, "touches": [test files],
"compliance_criteria": [what the tests must show]}]}
- Only what the tests of the change do not cover yet: how its parts work together, what it could break, what nobody has tried. Where that is nothing, answer with the one word NONE.
- Each node writes tests and changes nothing else. Every test must fail without the change. Nodes have new ids and different files.`;

export interface ArchitectRequest {
  /** What its prompt says beside the file of the role. */
  instructions: string;
  text: string;
  /** What others said to it before. Untrusted text. */
  material: string;
}

/** How often an answer that is no plan goes back is the run's to decide: it asks again with the reasons. */
export function createArchitect({
  ask,
  research,
  complete,
}: {
  /** One conversation of the Architect, who may look further and ask others before it answers. */
  ask(request: ArchitectRequest, signal: AbortSignal): Promise<Consulted>;
  /** What the Librarian, the Archivalist and the Academic say to a task before it is planned. */
  research(task: string, signal: AbortSignal): Promise<string>;
  /** Adds what the memory knows of the files that nodes will change. */
  complete(plan: Plan): Promise<Plan>;
}): Architect {
  const planned = async ({ text, cost }: Consulted, change = (plan: Plan) => plan) => {
    const { plan, problems } = parseAnswer(text);
    return plan
      ? { result: 'planned' as const, plan: await complete(change(plan)), cost }
      : { result: 'failed' as const, message: problems, cost };
  };
  return {
    plan: orParked(async (state, { purpose = 'first', message = '' }, signal) => {
      const material = await research(state.prompt, signal);
      const request = { instructions: planning, text: planRequest(state, purpose, message), material };
      const answer = await ask(request, signal);
      const { ended, text, cost } = answer;
      if (ended === 'asks') return { result: 'asks', question: text, cost };
      return ended === 'answered' ? planned(answer) : unanswered(answer);
    }),
    planTests: async (state, command, change, signal) =>
      orParked<Outcome<'plan_tests'>>(async ({ prompt, nodes }, { message }) => {
        const text = [
          `What was wanted: ${prompt}`,
          `What was done:\n${nodes.map(({ id, output = '' }) => `${id}: ${output.slice(0, 500)}`).join('\n')}`,
          ...(message ? [`The person says of the tests: ${message}`] : []),
        ].join('\n\n');
        const answer = await ask({ instructions: testing, text, material: change }, signal);
        if (answer.ended !== 'answered') return unanswered(answer);
        if (/^NONE\b/.test(answer.text)) return { result: 'none', cost: answer.cost };
        return planned(answer, (plan) => ({
          ...plan,
          nodes: plan.nodes.map((node) => ({ ...node, agent: 'tester' })),
        }));
      })(state, command, signal),
    advise: orParked(async (state, { node, message = '' }, signal) => {
      const spec = state.nodes.find(({ id }) => id === node)?.spec;
      const request = `What is wanted: ${state.prompt}\nThe engineer's task: ${spec?.prompt ?? ''}\nIts question: ${message}`;
      const answer = await ask({ instructions: advising, text: request, material: '' }, signal);
      const { ended, text, cost } = answer;
      if (ended === 'parked') return parkedBy(answer);
      return ended !== 'answered' || /^UNSURE\b/.test(text) || text === ''
        ? { result: 'unsure', cost }
        : { result: 'advised', text, cost };
    }),
  };
}

const parkedBy = ({ text, cost, wakeAt }: Consulted): Parked => ({
  result: 'parked',
  reason: text,
  wake_at: wakeAt,
  cost,
});

const unanswered = (answer: Consulted) =>
  answer.ended === 'parked'
    ? parkedBy(answer)
    : { result: 'failed' as const, message: answer.text, cost: answer.cost };

type Ask<Answer> = (state: RunState, command: Command, signal: AbortSignal) => Promise<Answer>;
type Parked = Extract<Outcome<'plan'>, { result: 'parked' }>;

/** A limit of the provider is waited for, as an engineer waits for it. */
function orParked<Answer>(act: Ask<Answer>): Ask<Answer | Parked> {
  return async (...request) => {
    try {
      return await act(...request);
    } catch (error) {
      const kind = modelErrorKind(error);
      if (kind !== 'rate_limited' && kind !== 'overloaded' && kind !== 'network' && kind !== 'authentication')
        throw error;
      return { result: 'parked', reason: messageOf(error), wake_at: retryAtOf(error), cost: 0 };
    }
  };
}

const purposes = {
  first: 'Write the plan for this.',
  change:
    'The person wants the plan changed. Answer with the whole plan; nodes that are done stay as they are.',
  fix: "The project's tools found something in everything together. Answer with a plan of new nodes only, with new ids, that mend it.",
};

function planRequest(state: RunState, purpose: keyof typeof purposes, message: string): string {
  const done = state.nodes.filter(({ stage }) => stage === 'done').map(({ id }) => id);
  return [
    purposes[purpose],
    `What is wanted: ${state.prompt}`,
    ...(message && message !== state.prompt ? [`What was said: ${message}`] : []),
    ...(state.plan
      ? [`The plan so far: ${JSON.stringify(state.plan)}`, `Done: ${done.join(', ') || 'nothing'}`]
      : []),
  ].join('\n\n');
}

function parseAnswer(text: string): { plan?: Plan | undefined; problems: string } {
  const [, fenced = text] = /```(?:json|yaml)?\n([\s\S]*?)```/.exec(text) ?? [];
  try {
    const { plan, problems } = parsePlanText(fenced);
    return { plan, problems: problems.map(problemText).join('\n') };
  } catch (error) {
    if (error instanceof SylkError) return { problems: error.message };
    throw error;
  }
}
