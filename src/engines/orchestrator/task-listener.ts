import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import type { Message } from '../../stores/messages/index.ts';
import type { Move, Runs } from '../../stores/runs/index.ts';
import type { RecordedStep, Transcripts } from '../../stores/transcripts/index.ts';
import type { Listener, TaskReply } from '../guide/index.ts';
import { hasEnded, type NodeState, nodeOf, type RunState, runHasEnded } from './decide/index.ts';
import { isConsulted } from './decide/schedule.ts';
import { addressOf } from './messages.ts';

/** What a person says to one task: words, or words with the number, id or address of the task. */
const spokenSchema = z.union([
  z.string().transform((message) => ({ task: undefined, message })),
  z.object({ task: z.string().max(300).optional(), message: z.string().max(100_000).default('') }),
]);

type TaskType =
  | 'USER_TASK_PROMPT'
  | 'USER_TASK_QUERY'
  | 'USER_TASK_INTERRUPT'
  | 'USER_TASK_CANCEL'
  | 'USER_IGNORE_INSPECTOR'
  | 'USER_IGNORE_TESTER';

/** The move of each message. A question is for a worker that is there to hear it; of others the state is told. */
const moves: Record<TaskType, (node: NodeState, message: string) => Move | undefined> = {
  USER_TASK_PROMPT: ({ id: node }, message) => ({ type: 'node_prompted', node, message }),
  USER_TASK_QUERY: (node, message) =>
    isAsked(node) ? { type: 'node_prompted', node: node.id, message, question: true } : undefined,
  USER_TASK_INTERRUPT: ({ id: node }) => ({ type: 'node_interrupted', node }),
  USER_TASK_CANCEL: ({ id: node }) => ({ type: 'node_cancelled', node }),
  USER_IGNORE_INSPECTOR: ({ id: node }) => ({ type: 'gate_overridden', node, gate: 'inspector' }),
  USER_IGNORE_TESTER: ({ id: node }) => ({ type: 'gate_overridden', node, gate: 'tester' }),
};
const isAsked = (node: NodeState): boolean => node.stage === 'working' && !isConsulted(node);
const isTaskType = (type: string): type is TaskType => Object.hasOwn(moves, type);

/**
 * Takes what persons say to tasks: a message becomes an event of its run in the transaction that marks it as done. The answer to a
 * question is waited for; it is the only word of an engineer that the reply to a person carries, and says whose it is.
 */
export const taskListener = (
  openRuns: () => Promise<Runs<RunState>>,
  openTranscripts: () => Promise<Pick<Transcripts, 'steps' | 'nodes'>>,
  patienceMs = 60_000,
): Listener => ({
  agent: 'pipeline',
  types: Object.keys(moves).filter(isTaskType),
  timeout: patienceMs + 30_000,
  respond: async (message, delivery): Promise<TaskReply> => {
    // A copy of what was taken here before.
    if (message.source === 'orchestrator') return { text: '' };
    const runs = await openRuns();
    try {
      const transcripts = await openTranscripts();
      const { asked, text } = await delivery.act(() => take(runs, transcripts, message));
      if (!asked) return { text };
      const until = Date.now() + patienceMs;
      for (;;) {
        const answer = answerIn(await transcripts.steps(asked, asked.after));
        if (answer !== undefined) return { text: `${text} Its engineer answers: ${answer}` };
        const node = nodeOf(await runs.state(asked.run), asked.node);
        if (Date.now() > until || delivery.signal.aborted || !node || !isAsked(node)) break;
        await sleep(lookMs);
      }
      return {
        text: `${text} Its engineer has not answered yet: \`sylk run watch ${asked.run}\` shows the answer.`,
      };
    } catch (error) {
      if (!(error instanceof SylkError)) throw error;
      const { code, message, hint } = error;
      return { text: '', refused: { code, message, hint } };
    }
  },
});

const lookMs = 500;

interface Taken {
  text: string;
  /** A question that was passed on: where its answer will stand, and behind which step. */
  asked?: { run: string; node: string; after: number } | undefined;
}

async function take(
  runs: Runs<RunState>,
  transcripts: Pick<Transcripts, 'nodes'>,
  message: Message,
): Promise<Taken> {
  if (message.source !== 'user' || !isTaskType(message.type))
    throw new SylkError('DENIED', 'Only a person speaks to the tasks of a run.', {
      hint: 'Ask the person to say it: /task N prompt "…".',
    });
  const parsed = spokenSchema.safeParse(message.payload);
  if (!parsed.success)
    throw new SylkError('VALIDATION_ERROR', `${message.type}: ${parsed.error.issues[0]?.message}`, {
      hint: 'Give { task, message }.',
    });
  const { message: words } = parsed.data;
  const task = parsed.data.task ?? String(message.metadata?.['pipeline_id'] ?? '');
  const { state, node } = await findTask(runs, task, message.session_id);
  const address = addressOf(state, node.id);
  if (hasEnded(node) || runHasEnded(state))
    throw new SylkError('PIPELINE_CLOSED', `${address} (${node.id}) is closed: ${node.stage}.`, {
      hint: `\`sylk runs show ${state.run}\` tells what became of it.`,
    });
  if (words === '' && (message.type === 'USER_TASK_PROMPT' || message.type === 'USER_TASK_QUERY'))
    throw new SylkError('VALIDATION_ERROR', 'The message is empty.', { hint: '/task 1 prompt "…"' });
  const move = moves[message.type](node, words);
  const isQuestion = message.type === 'USER_TASK_QUERY' && move !== undefined;
  const steps = isQuestion ? await transcripts.nodes(state.run) : [];
  const after = steps.find((each) => each.node === node.id)?.steps ?? 0;
  const moved = move ? await runs.move(state.run, move, `message ${message.id}`) : state;
  const stage = moved.nodes.find(({ id }) => id === node.id)?.stage;
  return {
    text: `${address} (${node.id}) is ${stage}${node.commit ? `, at commit ${node.commit}` : ''}.`,
    asked: isQuestion ? { run: state.run, node: node.id, after } : undefined,
  };
}

/** The first words of an engineer that answer a question which it was told among these steps. */
function answerIn(steps: RecordedStep[]): string | undefined {
  const told = steps.findIndex((step) => step.kind === 'told' && step.from === 'question');
  const said = told < 0 ? undefined : steps.slice(told).find((step) => step.kind === 'said' && step.answers);
  return said?.kind === 'said' ? said.text.trim() : undefined;
}

interface FoundTask {
  state: RunState;
  node: NodeState;
}

/** By its address; or by number or id in the run of the session, else in the only run that goes on. */
async function findTask(runs: Runs<RunState>, task: string, session: string): Promise<FoundTask> {
  const [, run, number = task] = /^task:(.+)\/(\d+)$/.exec(task) ?? [];
  const state = await runs.state(run ?? (await currentRun(runs, session)));
  const node = state.nodes[Number(number) - 1] ?? state.nodes.find(({ id }) => id === task);
  if (node) return { state, node };
  throw new SylkError('NOT_FOUND', `The run ${state.run} has no task ${JSON.stringify(task)}.`, {
    hint: `It has ${state.nodes.map(({ id }, at) => `${at + 1} ${id}`).join(', ') || 'none yet'}.`,
  });
}

/** The run of a session that goes on, else the only one that does; undefined where there is none or several. */
export async function findOpenRun(runs: Runs<RunState>, session: string): Promise<string | undefined> {
  const open = await openRuns(runs);
  const own = open.find(({ session_id }) => session_id === session);
  return own?.id ?? (open.length === 1 ? open[0]?.id : undefined);
}

/** Runs that have not ended, newest first. */
export const openRuns = async (runs: Runs<RunState>) =>
  (await runs.list({ limit: 500 })).filter(
    ({ status }) => !['completed', 'failed', 'cancelled'].includes(status),
  );

async function currentRun(runs: Runs<RunState>, session: string): Promise<string> {
  const [own] = await runs.list({ session, limit: 1 });
  if (own) return own.id;
  const open = await openRuns(runs);
  if (open[0] && open.length === 1) return open[0].id;
  throw new SylkError(
    'NOT_FOUND',
    open.length === 0 ? 'No run is going on.' : `${open.length} runs are going on.`,
    { hint: open.length === 0 ? '`sylk runs` lists those that ended.' : `Name one: task:${open[0]?.id}/1` },
  );
}
