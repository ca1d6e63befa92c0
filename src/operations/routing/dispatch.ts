import type { Answer } from '../../engines/answers/index.ts';
import {
  isSpecialist,
  nextStepFor,
  type ReadQuestion,
  type Specialist,
} from '../../engines/answers/reader/index.ts';
import type { Session } from '../../stores/sessions/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import type { OperationContext } from '../operation.ts';
import { openRecall } from '../recall/shared.ts';
import { helpText } from './help.ts';
import { sessionCommand } from './session-command.ts';
import type { Dispatched } from './shared.ts';
import { readStatus, showStatus } from './status.ts';
import { declare, store } from './told.ts';

/**
 * The active session when none is given; a given one has to be active. What asks or keeps something gets one made if need
 * be; a command about sessions and what waits for agents make none.
 */
export async function sessionFor(
  context: OperationContext,
  { target, intent }: ReadQuestion,
  given: string | undefined,
): Promise<Session | undefined> {
  const { sessions } = await context.app.memory();
  const caller = memoryCaller(context);
  if (intent === 'SESSION') return sessions.forReading(caller);
  return given || isSpecialist(target) ? sessions.forWriting(caller, given) : sessions.forReading(caller);
}

/** Sends a message where it belongs and waits for what comes back. */
export async function dispatch(
  context: OperationContext,
  read: ReadQuestion,
  session: Session | undefined,
): Promise<Dispatched> {
  const { target, verb, intent, text } = read;
  if (target === 'guide') {
    if (intent === 'SESSION') return sessionCommand(context, read);
    const answer = intent === 'STATUS' ? showStatus(await readStatus(context)) : helpText();
    return { status: 'done', answer, citations: [], notes: [] };
  }
  if (!isSpecialist(target) || !session) {
    const next_step = nextStepFor(target);
    return { status: 'needs_agents', answer: next_step, citations: [], notes: [], next_step };
  }
  if (target === 'archivalist' && (verb === 'store' || verb === 'complete'))
    return store(context, { text, verb, session });
  if (target === 'archivalist' && verb === 'declare') return declare(context, text, session);
  return askSpecialist(context, target, read, session);
}

/** A specialist, asked over the bus in the session of the message. */
async function askSpecialist(
  context: OperationContext,
  target: Specialist,
  read: ReadQuestion,
  session: Session,
): Promise<Dispatched> {
  await openRecall(context);
  const guide = await context.app.guide();
  const reply = await guide.ask(target, read, {
    session: session.id,
    source: context.caller.kind === 'person' ? 'user' : 'client',
  });
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
