import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import type { Message, MessageType } from '../../stores/messages/index.ts';
import type { Answers } from '../answers/index.ts';
import { intents, methods, type Specialist, verbs } from '../answers/reader/index.ts';
import type { Listener } from './contract.ts';

const storeSchema = z.union([
  z
    .string()
    .min(1)
    .transform((content) => ({ content })),
  z.object({ content: z.string().min(1) }).loose(),
]);

export type StorePayload = { content: string; [field: string]: unknown };

function payloadOf<T>(schema: z.ZodType<T>, message: Message): T {
  const parsed = schema.safeParse(message.payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SylkError(
    'VALIDATION_ERROR',
    `${message.type}: ${issue?.path.join('.') || 'payload'}: ${issue?.message}`,
    {
      hint: 'Correct the payload and send it again.',
    },
  );
}

/** Stores what is sent to be remembered, once for each message however often it is delivered. */
export const storeListener = (
  store: (message: Message, payload: StorePayload) => Promise<unknown>,
): Listener => ({
  agent: 'archivalist',
  types: ['STORE_REQUEST'],
  respond: async (message, delivery) => {
    const payload = payloadOf<StorePayload>(storeSchema, message);
    return delivery.act(() => store(message, payload));
  },
});

export interface SessionVerbs {
  create(payload: { name?: string | undefined; base_branch?: string | undefined }): Promise<string>;
  switchTo(session: string, source: string): Promise<void>;
  suspend(session: string): Promise<void>;
  resume(session: string): Promise<void>;
  complete(session: string, summary?: string): Promise<void>;
}

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
export const sessionListener = (sessions: SessionVerbs): Listener => ({
  agent: 'sessions',
  types: ['SESSION_CREATE', 'SESSION_SWITCH', 'SESSION_SUSPEND', 'SESSION_RESUME', 'SESSION_COMPLETE'],
  // One after the other: two changes of one session must not overtake each other.
  concurrency: 1,
  respond: (message, delivery) => {
    const { name, base_branch, summary } = payloadOf(sessionSchema, message);
    const { session_id: id } = message;
    return delivery.act(async () => {
      if (message.type === 'SESSION_CREATE')
        return { session_id: await sessions.create({ name, base_branch }) };
      if (message.type === 'SESSION_SWITCH') await sessions.switchTo(id, message.source);
      else if (message.type === 'SESSION_SUSPEND') await sessions.suspend(id);
      else if (message.type === 'SESSION_RESUME') await sessions.resume(id);
      else await sessions.complete(id, summary);
      return { session_id: id };
    });
  },
});

/** Messages for the person go to whoever watches: dashboard, event stream. */
export const notifyPerson = (notify: (message: Message) => void): Listener => ({
  agent: 'user',
  respond: async (message) => notify(message),
});

/** The message that asks each specialist. */
export const requestTypes = {
  librarian: 'CONTEXT_REQUEST',
  archivalist: 'HISTORY_REQUEST',
  academic: 'RESEARCH_REQUEST',
} as const satisfies Record<Specialist, MessageType>;

/** A question on the bus: its words, and what was read off them before. */
const questionSchema = z.union([
  z
    .string()
    .min(1)
    .transform((query) => ({ query })),
  z
    .object({
      query: z.string().min(1),
      verb: z.enum(verbs).optional(),
      intent: z.enum(intents).optional(),
      method: z.enum(methods).optional(),
      subject: z.string().optional(),
      confidence: z.number().optional(),
    })
    .loose(),
]);
export type QuestionPayload = z.input<typeof questionSchema>;

/** A specialist answers a message as it answers `ask`. */
export const specialistListener = (specialist: Specialist, answers: Answers): Listener => ({
  agent: specialist,
  types: [requestTypes[specialist]],
  respond: async (message, { signal, note }) => {
    const { query, ...given }: z.output<typeof questionSchema> = payloadOf(questionSchema, message);
    const viewer = { session: message.session_id };
    const read = await answers.read(query, viewer, { target: specialist, signal });
    const answer = await answers.ask({ text: query, read: { ...read, ...given }, signal }, viewer);
    note({ tier: `level ${answer.level}` });
    return answer;
  },
});
