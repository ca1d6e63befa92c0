import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import type { EventLog } from '../../base/events.ts';
import type { Message, MessageType } from '../../stores/messages/index.ts';
import type { Answers } from '../answers/index.ts';
import { intents, methods, type Specialist, verbs } from '../answers/reader/index.ts';
import { entryOfMessage, type Memory } from '../memory/index.ts';
import type { Listener } from './contract.ts';

function payloadOf<T>(schema: z.ZodType<T>, message: Message): T {
  const parsed = schema.safeParse(message.payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SylkError(
    'VALIDATION_ERROR',
    `${message.type}: ${issue?.path.join('.') || 'payload'}: ${issue?.message}`,
    { hint: 'Fix the payload and send it again.' },
  );
}

const storeSchema: z.ZodType<{ content: string; [field: string]: unknown }> = z.union([
  z
    .string()
    .min(1)
    .transform((content) => ({ content })),
  z.object({ content: z.string().min(1) }).loose(),
]);

/** Stores what is sent to be remembered, once per message however often it is delivered. */
export const storeListener = (memory: Memory): Listener => ({
  agent: 'archivalist',
  types: ['STORE_REQUEST'],
  respond: async (message, delivery) => {
    const payload = payloadOf(storeSchema, message);
    return delivery.act(async () => {
      const { entry, result } = await memory.remember(entryOfMessage(message, payload));
      return { entry_id: entry.id, result };
    });
  },
});

const sessionSchema = z
  .object({
    name: z.string().max(200).optional(),
    base_branch: z.string().optional(),
    summary: z.string().optional(),
  })
  .loose()
  .nullish()
  .transform((payload) => payload ?? {});

/** Changes of sessions that arrive as messages; each happens once. */
export const sessionListener = (memory: Memory, worktree: string): Listener => ({
  agent: 'sessions',
  types: ['SESSION_CREATE', 'SESSION_SWITCH', 'SESSION_SUSPEND', 'SESSION_RESUME', 'SESSION_COMPLETE'],
  // Sequentially: two changes of one session must not overtake each other.
  concurrency: 1,
  respond: (message, delivery) => {
    const payload = payloadOf(sessionSchema, message);
    return delivery.act(async () => ({
      session_id: await changeSession(memory, worktree, message, payload),
    }));
  },
});

async function changeSession(
  memory: Memory,
  worktree: string,
  { type, session_id: id, source }: Message,
  { name, base_branch, summary }: z.output<typeof sessionSchema>,
): Promise<string> {
  const { sessions } = memory;
  if (type === 'SESSION_CREATE') {
    const created = await sessions.create({ name, base_branch });
    return (await sessions.transition(created.id, 'activate')).id;
  }
  if (type === 'SESSION_SWITCH') await sessions.current.switchTo({ client: source, worktree }, id);
  else if (type === 'SESSION_SUSPEND') await memory.suspend(await sessions.get(id));
  else if (type === 'SESSION_RESUME') {
    const { state } = await sessions.get(id);
    await sessions.transition(id, state === 'created' ? 'activate' : 'resume');
  } else await memory.complete(await sessions.get(id), summary);
  return id;
}

/** Messages for the person go to all watchers: dashboard, event stream. */
export const personListener = (events: EventLog): Listener => ({
  agent: 'user',
  respond: async ({ id, type, session_id: session }) => {
    events.publish('message', { id, type, session });
  },
});

/** The message that asks each specialist. */
export const requestTypes = {
  librarian: 'CONTEXT_REQUEST',
  archivalist: 'HISTORY_REQUEST',
  academic: 'RESEARCH_REQUEST',
} as const satisfies Record<Specialist, MessageType>;

/** A question on the bus: its text, and its classification. */
const questionSchema = z.union([
  z
    .string()
    .min(1)
    .transform((query) => ({ query })),
  z.object({
    query: z.string().min(1),
    verb: z.enum(verbs).optional(),
    intent: z.enum(intents).optional(),
    method: z.enum(methods).optional(),
    subject: z.string().optional(),
    confidence: z.number().optional(),
  }),
]);
export type QuestionPayload = z.input<typeof questionSchema>;

/** A specialist answers a message as it answers `ask`. */
export const specialistListener = (specialist: Specialist, answers: Answers): Listener => ({
  agent: specialist,
  types: [requestTypes[specialist]],
  respond: async (message, { signal, note }) => {
    const { query, ...given } = payloadOf(questionSchema, message);
    const viewer = { session: message.session_id };
    const read = await answers.read(query, viewer, { target: specialist, signal });
    const answer = await answers.ask({ text: query, read: { ...read, ...given }, signal }, viewer);
    note({ tier: `level ${answer.level}` });
    return answer;
  },
});
