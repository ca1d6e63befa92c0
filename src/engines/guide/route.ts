import { z } from 'zod';
import { errorCodes, reportOf, SylkError } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import { commonCategories } from '../../stores/chronicle/index.ts';
import type { MessageType } from '../../stores/messages/index.ts';
import { patternOf, type Routing } from '../../stores/routings/index.ts';
import type { Session } from '../../stores/sessions/index.ts';
import { type Answer, citationSchema } from '../answers/index.ts';
import { isSpecialist, nextStepFor, type ReadQuestion, type Specialist } from '../answers/reader/index.ts';
import type { MemoryCaller } from '../memory/index.ts';
import { helpText } from './help.ts';
import { type QuestionPayload, requestTypes } from './listeners.ts';
import { runSessionCommand } from './session-command.ts';
import { type RouteContext, readStatus, statusText } from './status.ts';

export const routedSchema = z.object({
  status: z
    .enum(['answered', 'nothing', 'stored', 'announced', 'done', 'needs_agents'])
    .describe('nothing: answered without a result'),
  answer: z.string(),
  level: z.number().optional().describe('1 cached, 2 from stored data'),
  citations: z.array(
    citationSchema
      .pick({ n: true, ref: true, domain: true, place: true, reason: true, trust: true, snippet: true })
      .extend({ state: citationSchema.shape.state.optional() }),
  ),
  notes: z.array(z.string()),
  next_step: z.string().optional(),
  message_id: z.string().optional().describe('the envelope, for `sylk guide trace`'),
});
export type Routed = z.output<typeof routedSchema>;

export interface Speaker extends MemoryCaller {
  /** True where the words are a person's own. */
  isPersonSpeaking: boolean;
}

/** True for a message that a specialist answers; its index should be up to date first. */
export const isQuestion = ({ target, verb }: ReadQuestion): boolean =>
  isSpecialist(target) && !(target === 'archivalist' && isTold(verb));

const isTold = (verb: string): boolean => verb === 'store' || verb === 'complete' || verb === 'declare';

/** Routes a message, waits for the reply, and records the route. */
export async function route(
  context: RouteContext,
  read: ReadQuestion,
  speaker: Speaker,
  given: string | undefined,
): Promise<Routed & { session: string }> {
  const session = await sessionFor(context, read, speaker, given);
  const started = performance.now();
  const record = async (outcome: Routing['outcome'], error = '') => {
    const { target, intent, verb, method, confidence, subject, text } = read;
    // Only the Archivalist stores messages, so that they can be forgotten.
    const words = verb === 'recall' || verb === 'check' ? text : (text.split(/\s/, 1)[0] ?? '');
    await (await context.routings()).record({
      target,
      intent,
      verb,
      method,
      confidence,
      outcome,
      error,
      milliseconds: performance.now() - started,
      pattern: patternOf(words, subject),
      session_id: session?.id ?? '',
    });
  };
  try {
    const routed = await dispatch(context, read, speaker, session);
    const { status } = routed;
    await record(status === 'nothing' || status === 'needs_agents' ? status : 'answered');
    return { ...routed, session: session?.id ?? '' };
  } catch (error) {
    await record('failed', reportOf(error).message);
    throw error;
  }
}

/**
 * The active session when none is given; a given one must be active. A question or a message to remember creates one
 * if needed; a session command or a message for agents creates none.
 */
async function sessionFor(
  { memory }: RouteContext,
  { target, intent }: ReadQuestion,
  speaker: Speaker,
  given: string | undefined,
): Promise<Session | undefined> {
  const { sessions } = await memory();
  if (intent === 'SESSION') return sessions.forReading(speaker);
  if (intent === 'TASK') return sessions.forWriting(speaker, given);
  return given || isSpecialist(target) ? sessions.forWriting(speaker, given) : sessions.forReading(speaker);
}

async function dispatch(
  context: RouteContext,
  read: ReadQuestion,
  speaker: Speaker,
  session: Session | undefined,
): Promise<Routed> {
  const { target, verb, intent, text } = read;
  const reply = { citations: [], notes: [] };
  if (takesBack(text)) return { ...reply, status: 'done', answer: howToTakeBack };
  if (target === 'guide') {
    if (intent === 'SESSION') return runSessionCommand(await context.memory(), speaker, read.command);
    const answer = intent === 'STATUS' ? statusText(await readStatus(context, speaker)) : helpText();
    return { ...reply, status: 'done', answer };
  }
  if (intent === 'TASK' && read.command && session)
    return speakToTask(context, read.command, speaker, session);
  if (!isSpecialist(target) || !session) {
    const next_step = nextStepFor(target);
    return { ...reply, status: 'needs_agents', answer: next_step, next_step };
  }
  if (target !== 'archivalist' || !isTold(verb))
    return askSpecialist(context, target, read, speaker, session);
  if (verb !== 'declare') return store(context, { text, verb, session, speaker });
  const { sessions } = await context.memory();
  await sessions.updateContext(session.id, { current_objective: text.slice(0, 500) });
  const answer = `Saved as the subject of session ${session.name || session.id}.`;
  return { ...reply, status: 'announced', answer };
}

/** What was remembered is deleted by its id: "that" could be anything. */
const takingBack =
  /^\s*(?:please\s+)?(?:delete|forget|undo|remove|retract|take back)\s+(?:it|that|this|(?:the|my|that|this)\s+(?:last\s+|latest\s+)?(?:decision|entry|note|memory|insight|failure))\s*[.!]?\s*$/i;
export const takesBack = (text: string): boolean => takingBack.test(text);
const howToTakeBack =
  'Nothing was changed. `sylk memory list` (or the page Memory) shows what is remembered, each with its id; `sylk memory delete ID` deletes one, `sylk memory edit ID "…"` corrects it.';

const taskMessages: Record<string, MessageType> = {
  'task prompt': 'USER_TASK_PROMPT',
  'task query': 'USER_TASK_QUERY',
  'task interrupt': 'USER_TASK_INTERRUPT',
  'task cancel': 'USER_TASK_CANCEL',
  'task ignore_inspector': 'USER_IGNORE_INSPECTOR',
  'task ignore_tester': 'USER_IGNORE_TESTER',
};

/** What whoever looks after pipelines replies to a person. */
const taskReplySchema = z.object({
  text: z.string(),
  refused: z
    .object({ code: z.enum(errorCodes), message: z.string(), hint: z.string().optional() })
    .optional(),
});

export type TaskReply = z.output<typeof taskReplySchema>;

/** `/task N …`: to the pipeline that it names, over the bus. */
async function speakToTask(
  { bus }: RouteContext,
  { name, arguments: [task = '', ...words] }: NonNullable<ReadQuestion['command']>,
  { isPersonSpeaking }: Speaker,
  session: Session,
): Promise<Routed> {
  const type = taskMessages[name];
  if (!type) throw new SylkError('VALIDATION_ERROR', `There is no /${name}.`, { hint: 'See /help.' });
  const reply = await (await bus()).request({
    type,
    target: 'pipeline',
    session_id: session.id,
    source: isPersonSpeaking ? 'user' : 'client',
    payload: { task, message: words.join(' ') },
  });
  const { text, refused } = taskReplySchema.parse(reply.payload);
  if (refused) throw new SylkError(refused.code, refused.message, { hint: refused.hint });
  const message_id = reply.correlation_id ?? reply.id;
  return { status: 'done', answer: text, citations: [], notes: [], message_id };
}

/** Asks a specialist over the bus in the session of the message. */
async function askSpecialist(
  { bus }: RouteContext,
  target: Specialist,
  { text, intent, verb, subject, confidence, method }: ReadQuestion,
  { kind }: Speaker,
  session: Session,
): Promise<Routed> {
  const payload: QuestionPayload = { query: text, intent, verb, subject, confidence, method };
  const source = kind === 'person' ? 'user' : 'client';
  const type = requestTypes[target];
  const reply = await (await bus()).request({ type, target, session_id: session.id, source, payload });
  const { status, answer, level, citations, notes, next_step } = reply.payload as Answer;
  const message_id = reply.correlation_id ?? reply.id;
  return {
    status: status === 'ok' ? 'answered' : 'nothing',
    answer,
    level,
    citations,
    notes,
    next_step,
    message_id,
  };
}

const storeCommand =
  /^(?:please )?(?:remember|record|store|note|save|log|document|keep in mind|write down|make a note|don'?t forget|add to memory|for the record|memori[sz]e|put this in the log)\b(?:[\s,:]+(?:that|this|down|the following))*[\s,:]*/i;

const categories: Array<[RegExp, string]> = [
  [/\b(?:decid|decision|chose|picked|rejected|agreed|we use|always use|we (?:always|never)\b)/i, 'decision'],
  [/\b(?:fail|broke|crash|bug|went wrong|overload)/i, 'failure'],
  [/\b(?:prefer|i like|i want|please always)\b/i, 'user_voice'],
  [/\b(?:pattern|convention)\b/i, 'pattern'],
];

function seenBy({ kind }: Session, category: string, id: string): string {
  if (kind !== 'main') return `Only this session sees it; sylk memory promote ${id} shares it.`;
  return commonCategories.some((common) => common === category)
    ? 'Every client of this repository sees it.'
    : `Only you see it; sylk memory promote ${id} shares it.`;
}

/** Sends the Archivalist a durable message; the entry exists when this returns. */
async function store(
  { bus }: RouteContext,
  { text, verb, session, speaker }: { text: string; verb: string; session: Session; speaker: Speaker },
): Promise<Routed> {
  const content = verb === 'store' ? text.replace(storeCommand, '').trim() || text : text;
  const category = categories.find(([sign]) => sign.test(content))?.[1] ?? 'insight';
  const payload = verb === 'complete' ? { content, summary_type: 'task_completion' } : { content, category };
  const reply = await (await bus()).request({
    type: 'STORE_REQUEST',
    target: 'archivalist',
    payload,
    session_id: session.id,
    source: speaker.isPersonSpeaking ? 'user' : 'client',
  });
  const { entry_id = '' } = objectOf(reply.payload);
  return {
    status: 'stored',
    answer: `Saved as entry:${entry_id}${verb === 'store' ? ` (${category.replaceAll('_', ' ')})` : ''}. ${seenBy(session, category, String(entry_id))}`,
    citations: [],
    notes: [],
    message_id: reply.correlation_id ?? reply.id,
  };
}
