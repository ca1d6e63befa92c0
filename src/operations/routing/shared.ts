import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import {
  type Classification,
  intents,
  methods,
  phases,
  type ReadQuestion,
  targets,
  verbs,
} from '../../engines/answers/reader/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import type { OperationContext } from '../operation.ts';

export const messageInput = z.string().min(1).max(20_000).describe('the message, as it was said');
export const phaseInput = z.enum(phases).optional().describe('where the work stands, if somebody knows');
export const targetInput = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.toLowerCase().replace(/^@/, '') : given),
    z.enum(targets),
  )
  .optional()
  .describe('who is meant; not doubted');

export const routeOutput = z.object({
  target: z.enum(targets),
  verb: z.enum(verbs),
  intent: z.enum(intents),
  subject: z.string(),
  time_scope: z.object({ name: z.string(), phrase: z.string(), from: z.string(), to: z.string() }).optional(),
  confidence: z.number(),
  method: z.enum(methods).describe('the tier that decided'),
  reason: z.string(),
  unsure: z.boolean().describe('nothing fitted, so it is searched for'),
  also: z.array(z.enum(targets)).describe('who is asked besides'),
  command: z.object({ name: z.string(), arguments: z.array(z.string()) }).optional(),
});
type RouteOutput = z.output<typeof routeOutput>;

export const routeOf = (read: Classification): RouteOutput => {
  const { time_scope } = read;
  return {
    ...read,
    time_scope: time_scope && {
      name: time_scope.name,
      phrase: time_scope.phrase,
      from: isoTime(time_scope.from),
      to: isoTime(time_scope.to),
    },
  };
};

export const dispatchedOutput = z.object({
  status: z
    .enum(['answered', 'nothing', 'stored', 'announced', 'done', 'needs_agents'])
    .describe('nothing: asked, and nothing was found'),
  answer: z.string(),
  level: z.number().optional().describe('1 found again, 2 from what is stored'),
  citations: z.array(
    z.object({
      n: z.number(),
      ref: z.string(),
      domain: z.string(),
      place: z.string(),
      reason: z.string(),
      trust: z.number(),
      state: z.string().optional().describe('as in ask: verified, ⚠️ UNVERIFIED, ⚠️ STALE…'),
      snippet: z.string().optional(),
    }),
  ),
  notes: z.array(z.string()),
  next_step: z.string().optional(),
  message_id: z.string().optional().describe('the envelope, for `sylk guide trace`'),
});
export type Dispatched = z.output<typeof dispatchedOutput>;

/** Reads a message in the caller's session, with the person's preferences. No session is created for it. */
export async function readFor(
  context: OperationContext,
  text: string,
  input: {
    target?: Classification['target'] | undefined;
    verb?: Classification['verb'] | undefined;
    phase?: (typeof phases)[number] | undefined;
    session?: string | undefined;
  } = {},
): Promise<{ read: ReadQuestion; session: string }> {
  const [answers, memory] = await Promise.all([context.app.answers(), context.app.memory()]);
  const session = (await memory.sessions.forReading(memoryCaller(context), input.session))?.id ?? '';
  const { target, verb, phase } = input;
  const viewer = { session, kind: context.caller.kind };
  return { read: await answers.read(text, viewer, { target, verb, phase, signal: context.signal }), session };
}
