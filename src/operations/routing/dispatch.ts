import type { KnowerAnswer } from '../../engines/guide/knowers/index.ts';
import type { Classification, Target } from '../../engines/guide/routing/index.ts';
import type { Session } from '../../stores/sessions/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import type { OperationContext } from '../operation.ts';
import { openRecall } from '../recall/shared.ts';
import { helpText } from './help.ts';
import { sessionCommand } from './session-command.ts';
import { type Dispatched, nextStepFor } from './shared.ts';
import { readStatus, showStatus } from './status.ts';
import { declare, store } from './told.ts';

const askedWith = {
  librarian: 'CONTEXT_REQUEST',
  archivalist: 'HISTORY_REQUEST',
  academic: 'RESEARCH_REQUEST',
} as const;
export type KnowingTarget = keyof typeof askedWith;
export const isKnowing = (target: Target): target is KnowingTarget => target in askedWith;

/**
 * The active session when none is given; a given one has to be active. What asks or keeps something gets one made if need
 * be; a command about sessions and what waits for agents make none.
 */
export async function sessionFor(
  context: OperationContext,
  { target, intent }: Classification,
  given: string | undefined,
): Promise<Session | undefined> {
  const { sessions } = await context.app.memory();
  const caller = memoryCaller(context);
  if (intent === 'SESSION') return sessions.forReading(caller);
  return given || isKnowing(target) ? sessions.forWriting(caller, given) : sessions.forReading(caller);
}

/** Sends a message where it belongs and waits for what comes back. */
export async function dispatch(
  context: OperationContext,
  message: { text: string; classification: Classification; session: Session | undefined },
): Promise<Dispatched> {
  const { classification, text, session } = message;
  const { target, verb, intent } = classification;
  if (target === 'guide') {
    if (intent === 'SESSION') return sessionCommand(context, classification);
    const answer = intent === 'STATUS' ? showStatus(await readStatus(context)) : helpText();
    return { status: 'done', answer, citations: [], notes: [] };
  }
  if (!isKnowing(target) || !session) {
    const next_step = nextStepFor(target);
    return { status: 'needs_agents', answer: next_step, citations: [], notes: [], next_step };
  }
  if (target === 'archivalist' && (verb === 'store' || verb === 'complete'))
    return store(context, { text, verb, session });
  if (target === 'archivalist' && verb === 'declare') return declare(context, text, session);
  return askKnower(context, target, { text, classification, session });
}

/** One of the three who know, asked over the bus in the session of the message. */
export async function askKnower(
  context: OperationContext,
  target: KnowingTarget,
  { text, classification, session }: { text: string; classification: Classification; session: Session },
): Promise<Dispatched> {
  const { intent, verb, subject, time_scope, confidence } = classification;
  await openRecall(context);
  const bus = await context.app.guideBus();
  const reply = await bus.request({
    type: askedWith[target],
    target,
    session_id: session.id,
    source: context.caller.kind === 'person' ? 'user' : 'client',
    payload: { query: text, intent, verb, subject, confidence, time_scope },
  });
  const { status, ...answer } = reply.payload as KnowerAnswer;
  const message_id = reply.correlation_id ?? reply.id;
  return { ...answer, status: status === 'ok' ? 'answered' : 'nothing', message_id };
}
