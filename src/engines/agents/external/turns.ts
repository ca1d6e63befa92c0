import { createHash } from 'node:crypto';
import type {
  PromptResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { messageOf } from '../../../base/errors.ts';
import type { Step } from '../../../stores/transcripts/index.ts';
import { answersOf, questionText, toldOf } from '../brief-text.ts';
import { type CallRecord, foldSteps } from '../conversation.ts';
import { findStall, guardLimits } from '../guards.ts';
import { endTools } from '../tools/ends.ts';
import type { Brief, Spoken, WorkContext, WorkResult, WorkTool } from '../worker.ts';
import { type AgentSession, needsLogin } from './connect.ts';
import type { KnownAgent } from './known-agents.ts';
import { answerWith, permissionOf } from './permission.ts';
import { nextPrompt, openingPrompt, pastText } from './prompts.ts';
import { createRecorder, type EndedCall } from './recorder.ts';
import { createSilence, silentText } from './silence.ts';
import { createUsage } from './usage.ts';

export interface TurnLimits {
  /** Of one leg. */
  minutes: number;
  /** Calls of one leg, after which the person is asked. */
  calls: number;
  /** Without a word from the agent while none of its calls is under way. */
  silentMinutes: number;
  /** For an answer of the protocol that needs no model. */
  answerSeconds: number;
  /** Changes between two checkpoints. */
  checkpointEvery: number;
}

/** Why we ended a turn ourselves. */
type Stop = { told: Spoken[] } | { handOver: true } | { ask: string };

/** What follows from a turn: the leg has ended, or there is something to say. */
type Next = WorkResult | Told[];

const newsMs = 1000;
const patienceMs = 5000;
/** How often an agent that stopped early is told to go on. */
const mostNudges = 3;
/** Requests for permission that wait at once: each is a question to a person. */
const mostAsking = 20;
/** Characters of updates in one leg. */
const mostReceived = 50_000_000;
/** Updates that wait to be written while more are read. */
const mostPending = 500;

/** The turns of one session of an agent: what it tells, what it asks for, and when it has to stop. */
export function createTurns({
  known,
  brief,
  context,
  limits,
}: {
  known: KnownAgent;
  brief: Brief;
  context: WorkContext;
  limits: TurnLimits;
}) {
  const usage = createUsage(known.usage);
  const record = async (...steps: Step[]) => {
    for (const step of steps)
      if (step.kind === 'said') {
        step.answers = answersOf(asked, step.text);
        if (step.answers) asked = [];
      }
    await context.onStep(...steps);
  };
  /** Questions of a person that have no answer yet. */
  let asked: string[] = foldSteps(context.past).asked;
  const recorder = createRecorder(record);
  const deadline = Date.now() + limits.minutes * 60_000;
  const results: CallRecord[] = [];
  let session: AgentSession | undefined;
  let stop: Stop | undefined;
  let question: string | undefined;
  let refusals = 0;
  let nudges = 0;
  let unsaved = 0;
  let asking = 0;
  let isTurn = false;
  let wasAsked = false;
  const silence = createSilence(limits.silentMinutes * 60_000);
  /** One update after another, although they arrive while the one before is being written. */
  let work: Promise<unknown> = Promise.resolve();
  let pending = 0;
  let received = 0;
  const inOrder = (task: () => Promise<unknown>) => {
    pending += 1;
    work = work
      .then(task)
      .catch(() => undefined)
      .finally(() => {
        pending -= 1;
      });
  };

  const cancelFor = (reason: Stop) => {
    if (stop) return;
    stop = reason;
    void session?.cancel().catch(() => undefined);
  };

  const onCallEnded = async ({ call, text, isError }: EndedCall) => {
    const isChange = !isError && ['edit', 'delete', 'move'].includes(call.kind);
    const key = digestOf(`${call.name}\0${JSON.stringify(call.input)}`);
    results.push({ key, digest: digestOf(text), isError, isChange });
    // A command may have changed files too.
    unsaved += isChange || call.kind === 'execute' ? 1 : 0;
    const stall = findStall({ results, silent: 0 }, { ...guardLimits, calls: limits.calls });
    if (stall) cancelFor({ ask: stall });
    if (unsaved < limits.checkpointEvery) return;
    unsaved = 0;
    await context.checkpoint();
  };

  const checkBudget = () => {
    const { budget } = context;
    if (budget === undefined) return;
    const spent = foldSteps(context.past).cost + usage.running();
    if (spent > budget)
      cancelFor({
        ask: `It has cost $${spent.toFixed(4)}, and $${budget.toFixed(4)} was left of the budget: $${(spent - budget).toFixed(4)} too much, which is what it did before it reported.`,
      });
  };

  const onUpdate = (update: SessionUpdate) => {
    usage.onUpdate(update);
    silence.end();
    // A session that is loaded tells its story again: it is in the transcript.
    if (!isTurn || isBeyond(update)) return;
    usage.addUpdate(update);
    received += sizeOf(update);
    if (received > mostReceived)
      cancelFor({ ask: `It sent more than ${mostReceived / 1_000_000} million characters.` });
    inOrder(async () => {
      const ended = await recorder.add(update);
      checkBudget();
      if (ended) await onCallEnded(ended);
    });
  };

  /** An agent that is stopped because it never ends may go on telling: only what has begun is heard to its end. */
  const isBeyond = (update: SessionUpdate): boolean =>
    received > mostReceived ||
    (stop !== undefined && 'ask' in stop && !('toolCallId' in update && recorder.knows(update.toolCallId)));

  const onPermission = async ({
    toolCall,
    options,
  }: RequestPermissionRequest): Promise<RequestPermissionOutcome> => {
    const call = recorder.merge(toolCall);
    inOrder(() => recorder.announce(call));
    const { directory } = context.place;
    asking += 1;
    try {
      if (asking > mostAsking) throw new Error(`It asks for more than ${mostAsking} calls at once.`);
      const permission = permissionOf(call, { directory, tools });
      if (!permission) throw new Error('It is outside the work place.');
      await context.permit(permission);
      return answerWith(true, options);
    } catch (error) {
      if (context.signal.aborted) return { outcome: 'cancelled' };
      refusals += 1;
      inOrder(() =>
        record({ kind: 'note', about: 'refused', text: `${call.name} ${call.title}: ${messageOf(error)}` }),
      );
      return answerWith(false, options);
    } finally {
      asking -= 1;
      silence.end();
    }
  };

  /** An agent that says nothing is told of early, and stopped late: some think for minutes. */
  const watchSilence = () => {
    // A person who is asked, and a command that runs, may take their time.
    if (asking > 0 || recorder.isBusy()) return silence.end();
    const said = silence.look();
    if (said.isOver)
      cancelFor({ ask: `${known.title} said nothing for ${limits.silentMinutes} minutes, its limit.` });
    else if (said.seconds !== undefined) tell(silentText(known.title, said.seconds, limits.silentMinutes));
  };
  const tell = (text: string) => {
    void record({ kind: 'note', about: 'agent', text }).catch(() => undefined);
  };

  /** Ends by itself, by a cancel of ours, or, where a cancel is ignored, after a while without an answer. */
  const takeTurn = async (current: AgentSession, text: string): Promise<PromptResponse | undefined> => {
    const { signal } = context;
    stop = undefined;
    refusals = 0;
    silence.end();
    isTurn = true;
    let giveUp = () => {};
    const ignored = new Promise<undefined>((resolve) => {
      giveUp = () => resolve(undefined);
    });
    let patience: NodeJS.Timeout | undefined;
    const watch = setInterval(() => {
      if (Date.now() > deadline) cancelFor({ ask: `It worked for ${limits.minutes} minutes, its limit.` });
      watchSilence();
      if (stop || signal.aborted) patience ??= setTimeout(giveUp, patienceMs);
      else void readNews();
    }, newsMs);
    const abort = () => void current.cancel().catch(() => undefined);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([current.prompt(text), ignored]);
    } finally {
      clearInterval(watch);
      clearTimeout(patience);
      signal.removeEventListener('abort', abort);
      isTurn = false;
      await work;
      await recorder.flush().catch(() => undefined);
    }
  };

  const readNews = async () => {
    const { said, handOver } = await context.news().catch(() => ({ said: [], handOver: false }));
    if (handOver) cancelFor({ handOver: true });
    else if (said.length > 0) cancelFor({ told: said });
  };

  const follow = async (response: PromptResponse | undefined): Promise<Next> => {
    const { cost } = foldSteps(context.past);
    if (stop && 'told' in stop) return stop.told.map(toldOf);
    if (stop && 'handOver' in stop) return { result: 'context_full', bundle: pastText(context.past), cost };
    const said = recorder.lastSaid();
    if (stop) {
      await context.checkpoint();
      const last = said ? ` It last said: ${said.slice(0, 2000)}` : '';
      return { result: 'asks', question: `${stop.ask}${last} How should it go on?`, cost };
    }
    if (question !== undefined) return { result: 'asks', question, cost };
    const reason = response?.stopReason ?? 'cancelled';
    if (reason === 'refusal') return { result: 'asks', question: `${known.title} refused: ${said}`, cost };
    // An agent that was asked in the middle of its work may end its turn with the answer.
    if (wasAsked && reason === 'end_turn')
      return [toldBySylk('Go on with the task, or end your turn if it is done.')];
    const early = nudgeFor(reason);
    if (early !== undefined && nudges < mostNudges) {
      nudges += 1;
      return [toldBySylk(early)];
    }
    if (early !== undefined && reason !== 'end_turn')
      return { result: 'asks', question: `${known.title} stopped (${reason}) again and again.`, cost };
    return { result: 'done', output: said, cost };
  };

  /** What to say to an agent that stopped before it was done. */
  const nudgeFor = (reason: string): string | undefined => {
    if (refusals > 0 && known.session.refusalEndsTurn)
      return 'A call was refused, and stays refused. Find another way and go on, or say why the task can not be done.';
    if (reason === 'max_tokens') return 'Your answer was cut at its limit of length. Go on in smaller steps.';
    if (reason === 'max_turn_requests' || reason === 'cancelled') return 'Go on with the task.';
    return undefined;
  };

  const [help] = endTools.filter(({ name }) => name === 'request_help');
  const helpTool: WorkTool[] = help
    ? [
        {
          ...help,
          run: async (...given) => {
            const { text } = await help.run(...given);
            question = text;
            return { text: 'The person is asked when your turn ends. End it now.' };
          },
        },
      ]
    : [];
  const tools = [...context.tools.filter(({ tier }) => tier !== 'specialised'), ...helpTool];

  return {
    tools,
    onUpdate,
    onPermission,
    tell,
    /** An agent that tells faster than can be written down waits. */
    ready: async () => {
      if (pending > mostPending) await work;
    },
    /** Prompts until the leg has ended. */
    run: async (opened: AgentSession): Promise<WorkResult> => {
      let steps: Told[] = [firstPrompt(brief, context, opened)];
      usage.settle();
      session = opened;
      for (;;) {
        await record(...steps);
        const questions = steps.filter(({ from }) => from === 'question');
        wasAsked = questions.length > 0;
        asked.push(...questions.map(({ text }) => text));
        const text = steps
          .map((step) => (step.from === 'question' ? questionText(step.text) : step.text))
          .join('\n');
        usage.addSent(text);
        const response = await takeTurn(opened, text).catch(async (error) => {
          // Its model was asked, whatever became of the answer.
          if (!needsLogin(error)) await record(usage.turn(undefined)).catch(() => undefined);
          throw error;
        });
        await record(usage.turn(response));
        context.signal.throwIfAborted();
        const next = await follow(response);
        if ('result' in next) return next;
        steps = next;
      }
    },
  };
}

type Told = Extract<Step, { kind: 'told' }>;
const toldBySylk = (text: string): Told => ({ kind: 'told', from: 'sylk', text });

/** A new session gets the task, one that goes on what is new. */
function firstPrompt(brief: Brief, { past, role }: WorkContext, { isLoaded }: AgentSession): Told {
  const feedback = brief.feedback.length;
  if (!isLoaded) {
    const text = openingPrompt(brief, past, role?.prompt);
    return { kind: 'told', from: 'brief', text, feedback };
  }
  const lastTold = past.findLastIndex(({ kind }) => kind === 'told');
  const before = foldSteps(past.slice(0, lastTold + 1));
  const isSameLeg = before.leg === brief.leg;
  const text = nextPrompt(brief, before.told, isSameLeg);
  return { kind: 'told', from: isSameLeg ? 'sylk' : 'feedback', text, feedback };
}

const sizeOf = (update: SessionUpdate): number => JSON.stringify(update).length;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
