import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import {
  type Classification,
  intents,
  methods,
  phases,
  targets,
  verbs,
} from '../../engines/guide/routing/index.ts';
import { memoryCaller, sessionIdOf } from '../memory/shared.ts';
import type { OperationContext } from '../operation.ts';

export const guide = { toolset: 'guide' } as const;

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
export type RouteOutput = z.output<typeof routeOutput>;

export function routeOf({ time_scope, ...rest }: Classification): RouteOutput {
  if (!time_scope) return rest;
  const { name, phrase, from, to } = time_scope;
  return { ...rest, time_scope: { name, phrase, from: isoTime(from), to: isoTime(to) } };
}

export const showRoute = ({
  target,
  intent,
  subject,
  time_scope,
  confidence,
  method,
  reason,
  also,
}: RouteOutput): string =>
  `→ ${[target, ...also].join(' and ')} · ${intent}${subject ? ` · ${subject}` : ''}${time_scope ? ` · ${time_scope.phrase}` : ''} (${method} ${confidence.toFixed(2)}: ${reason})`;

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

/** Classifies in the caller's session, with the person's preferences. No session is made for it. */
export async function classifyFor(
  context: OperationContext,
  text: string,
  input: {
    target?: Classification['target'] | undefined;
    verb?: Classification['verb'] | undefined;
    phase?: (typeof phases)[number] | undefined;
    session?: string | undefined;
    session_id?: string | undefined;
  } = {},
): Promise<{ classification: Classification; session: string }> {
  const { classify } = await context.app.guide();
  const memory = await context.app.memory();
  const session = await memory.sessions.forReading(memoryCaller(context), sessionIdOf(input));
  const classification = await classify(text, {
    target: input.target,
    verb: input.verb,
    phase: input.phase,
    signal: context.signal,
    visibility: `${session?.id ?? ''} ${context.caller.kind}`,
    preferences: await memory.preferences.inForce(session?.id ?? ''),
  });
  return { classification, session: session?.id ?? '' };
}

const nextSteps: Partial<Record<Classification['target'], string>> = {
  architect:
    'Keep it as work with `sylk work plan`, or give it to your coding agent, who finds it with get_next_task.',
  designer:
    'Give it to your coding agent; `sylk tokens` and `sylk components` tell it what the design is made of.',
  engineer: 'There is no pipeline to speak to. Give it to your coding agent.',
  inspector: '`sylk tools` shows the linters and checkers of this project; your coding agent can run them.',
  tester:
    '`sylk tools` shows how the tests of this project are run; your coding agent can write and run them.',
  orchestrator: 'There is nothing that runs. `sylk work board` shows where the work stands.',
};

/** What to do with a message for somebody who is not there yet. */
export const nextStepFor = (target: Classification['target']): string =>
  `The ${target} needs agents, which this version does not run. ${nextSteps[target] ?? 'Give it to your coding agent.'}`;
