import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SylkError } from '../errors.ts';
import { person } from '../files/index.ts';
import { parseJson } from '../json.ts';
import { type ModelErrorKind, modelError } from './errors.ts';
import type { ModelMessage, ToolCall } from './message.ts';
import type { Model, ModelFinish, ModelReply, ModelRequest } from './model.ts';
import type { ModelUsage } from './price.ts';

/*
 * A model that answers only what a file says, for tests and demonstrations. It keeps nothing between calls: the step
 * is the number of answers after the message that a conversation begins with, so a killed agent goes on where it was.
 */

const usageSchema = z.object({
  input: z.number().int().min(0),
  cached: z.number().int().min(0).default(0),
  output: z.number().int().min(0),
});

const stepSchema = z.strictObject({
  /** Text that the last message has to contain; anything else fails the call. */
  expect: z.string().optional(),
  text: z.string().default(''),
  calls: z
    .array(
      z.strictObject({
        name: z.string(),
        input: z.record(z.string(), z.unknown()).default({}),
        malformed: z.string().optional(),
      }),
    )
    .default([]),
  finish: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'error']).optional(),
  usage: usageSchema.optional(),
  /** Fails the first `times` attempts of this step in each process, then answers. */
  fail: z
    .strictObject({
      kind: z.enum([
        'rate_limited',
        'overloaded',
        'authentication',
        'context_full',
        'refused',
        'network',
        'malformed',
      ]),
      times: z.number().int().min(1).default(1),
      retry_after_ms: z.number().min(0).optional(),
    })
    .optional(),
  /** Answers nothing until the call is cancelled. */
  hang: z.boolean().default(false),
});
type Step = z.infer<typeof stepSchema>;

const scriptSchema = z.strictObject({
  window: z.number().int().positive().default(200_000),
  max_output: z.number().int().positive().default(8_192),
  /** How long it thinks before each answer. */
  think_ms: z.number().int().min(0).default(0),
  /** US dollars for a million tokens. */
  price: z
    .strictObject({ input: z.number(), cached_input: z.number().optional(), output: z.number() })
    .optional(),
  conversations: z
    .array(
      z.strictObject({
        /** Text of the user's message that begins it; without one, the first message does. */
        when: z.string().optional(),
        steps: z.array(stepSchema).min(1),
      }),
    )
    .min(1),
});
type Script = z.infer<typeof scriptSchema>;

function readScript(path: string): Script {
  const text = person.readText(path);
  if (text === undefined)
    throw new SylkError('NOT_FOUND', `There is no script at ${path}.`, {
      hint: 'Give a file of answers as script:FILE; docs/models.md shows its form.',
    });
  const parsed = scriptSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new SylkError('VALIDATION_ERROR', `${path} is no script: ${z.prettifyError(parsed.error)}`, {
    hint: 'docs/models.md shows the form of a script.',
  });
}

/** The step that is due: of the conversation whose first message stands last. */
function dueStep(script: Script, messages: ModelMessage[]): { key: string; step: Step } | undefined {
  let due: { key: string; step: Step } | undefined;
  let latest = -1;
  for (const [at, { when = '', steps }] of script.conversations.entries()) {
    const start = messages.findIndex((message) => message.role === 'user' && message.text.includes(when));
    if (start <= latest) continue;
    latest = start;
    const number = messages.slice(start).filter(({ role }) => role === 'assistant').length;
    const step = steps[number];
    due = step && { key: `${at}.${number}`, step };
  }
  return due;
}

const textOf = (message: ModelMessage | undefined): string => {
  if (message?.role === 'tool') return message.results.map(({ text }) => text).join('\n');
  return message?.text ?? '';
};

const estimate = (text: string): number => Math.ceil(text.length / 4);

function usageOf(step: Step, request: ModelRequest): ModelUsage {
  const given = step.usage;
  return {
    inputTokens:
      given?.input ?? estimate(request.instructions + JSON.stringify([request.messages, request.tools])),
    cachedInputTokens: given?.cached ?? 0,
    cacheWriteTokens: 0,
    outputTokens: given?.output ?? estimate(step.text + JSON.stringify(step.calls)),
    measured: given !== undefined,
  };
}

function replyTo(step: Step, key: string, request: ModelRequest): ModelReply {
  const toolCalls: ToolCall[] = step.calls.map((call, at) => ({ id: `call_${key}.${at}`, ...call }));
  const finish: ModelFinish = step.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
  if (step.text) request.onDelta?.({ type: 'text', text: step.text });
  for (const { id, name } of toolCalls) request.onDelta?.({ type: 'tool_call', id, name });
  return {
    text: step.text,
    toolCalls,
    finish,
    usage: usageOf(step, request),
    message: { role: 'assistant', text: step.text, toolCalls },
    responseId: `script_${key}`,
    attempts: 1,
  };
}

const cancelled = () => modelError('cancelled', 'The call was cancelled.');

const think = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  milliseconds === 0
    ? Promise.resolve()
    : sleep(milliseconds, undefined, { signal }).catch(() => {
        throw cancelled();
      });

const untilCancelled = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const cancel = () => reject(cancelled());
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });

export function openScript(path: string, now: () => number): Model {
  const script = readScript(path);
  const failures = new Map<string, number>();
  const failOnce = (key: string, kind: ModelErrorKind, times: number, wait: number | undefined) => {
    const failed = failures.get(key) ?? 0;
    if (failed >= times) return;
    failures.set(key, failed + 1);
    const retryAt = wait === undefined ? undefined : now() + wait;
    throw modelError(kind, `The script fails this step as ${kind}.`, { retryAt });
  };
  const { price } = script;
  return {
    id: `script:${path}`,
    window: script.window,
    maxOutput: script.max_output,
    price: price && {
      matchedId: `script:${path}`,
      source: path,
      input: price.input,
      cachedInput: price.cached_input ?? price.input,
      cacheWrite: price.input,
      output: price.output,
    },
    async stream(request) {
      if (request.signal?.aborted) throw cancelled();
      const due = dueStep(script, request.messages);
      if (!due)
        throw modelError('malformed', 'The script has no answer for this conversation.', {
          hint: `Add a step to ${path}.`,
        });
      const { key, step } = due;
      const last = textOf(request.messages.at(-1));
      if (step.expect !== undefined && !last.includes(step.expect))
        throw modelError('malformed', `Step ${key} of the script expects “${step.expect}”, not “${last}”.`);
      if (step.hang) return untilCancelled(request.signal);
      await think(script.think_ms, request.signal);
      if (step.fail) failOnce(key, step.fail.kind, step.fail.times, step.fail.retry_after_ms);
      return replyTo(step, key, request);
    },
  };
}
