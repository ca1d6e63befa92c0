import type { Session } from '../../stores/sessions/index.ts';
import { isPersonSpeaking, type OperationContext } from '../operation.ts';
import type { Dispatched } from './shared.ts';

const command =
  /^(?:please )?(?:remember|record|store|note|save|log|document|keep in mind|write down|make a note|don'?t forget|add to memory|for the record|memori[sz]e|put this in the log)\b(?:[\s,:]+(?:that|this|down|the following))*[\s,:]*/i;

const categories: Array<[RegExp, string]> = [
  [/\b(?:decid|decision|chose|picked|rejected|agreed|we use|always use)/i, 'decision'],
  [/\b(?:fail|broke|crash|bug|went wrong|overload)/i, 'failure'],
  [/\b(?:prefer|i like|i want|please always)\b/i, 'user_voice'],
  [/\b(?:pattern|convention)\b/i, 'pattern'],
];

/** What is told to be kept goes to the Archivalist as a durable message, and is there when this returns. */
export async function store(
  context: OperationContext,
  { text, verb, session }: { text: string; verb: 'store' | 'complete'; session: Session },
): Promise<Dispatched> {
  const content = verb === 'store' ? text.replace(command, '').trim() || text : text;
  const category = categories.find(([sign]) => sign.test(content))?.[1] ?? 'general';
  const payload = verb === 'complete' ? { content, summary_type: 'task_completion' } : { content, category };
  const bus = await (await context.app.guide()).bus();
  const reply = await bus.request({
    type: 'STORE_REQUEST',
    target: 'archivalist',
    payload,
    session_id: session.id,
    source: isPersonSpeaking(context.caller) ? 'user' : 'client',
  });
  const { entry_id = '' } = (reply.payload ?? {}) as { entry_id?: string };
  return {
    status: 'stored',
    answer: `Kept as entry:${entry_id}${verb === 'store' ? ` (${category})` : ''}.`,
    citations: [],
    notes: [],
    message_id: reply.correlation_id ?? reply.id,
  };
}

/** What somebody is about to do becomes the objective of the session, and others who touch the same are told. */
export async function declare(
  context: OperationContext,
  text: string,
  session: Session,
): Promise<Dispatched> {
  const { sessions } = await context.app.memory();
  await sessions.updateContext(session.id, { current_objective: text.slice(0, 500) });
  return {
    status: 'announced',
    answer: `Noted as what session ${session.name || session.id} is about.`,
    citations: [],
    notes: [],
  };
}
