import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { SylkError } from '../errors.ts';
import { type modelError, modelErrorKind } from './errors.ts';
import { estimateTokens, mostInputTokens, requestText } from './estimate.ts';
import { failureOf } from './failures.ts';
import type { ModelReply, ModelRequest } from './model.ts';
import type { ModelUsage } from './price.ts';
import { callOptions } from './prompt.ts';
import { loadProvider, type ProviderSettings } from './providers.ts';
import { createStreamReader } from './read-stream.ts';
import { type Timeouts, watchCall } from './watch.ts';

export interface AttemptContext {
  settings: ProviderSettings;
  maxOutput: number;
  window: number;
  timeouts: Timeouts;
  now: () => number;
}

/** Asks a provider once. */
export async function attempt(context: AttemptContext, request: ModelRequest): Promise<ModelReply> {
  const { settings, timeouts, now } = context;
  const watched = watchCall(request.signal, timeouts);
  const reader = createStreamReader(settings.provider, request.onDelta);
  let isAnswering = false;
  const estimate = (): ModelUsage => ({
    inputTokens: estimateTokens(requestText(request)),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: estimateTokens(reader.received()),
    measured: false,
  });
  /** Nobody says what a broken answer cost: its input is taken at the most, so that the ledger is never below the bill. */
  const most = (): ModelUsage => ({
    ...estimate(),
    inputTokens: mostInputTokens(request, context.window),
    outputTokens: Buffer.byteLength(reader.received()),
  });
  try {
    const model = await watched.race(loadProvider(settings));
    const maxOutput = Math.min(request.maxOutputTokens ?? context.maxOutput, context.maxOutput);
    const options = callOptions(settings.provider, request, maxOutput);
    const call = model.doStream({ ...options, abortSignal: watched.signal });
    const { stream } = await watched.race(Promise.resolve(call));
    isAnswering = true;
    await readAll(stream, watched, reader.take);
    return withoutKey(reader.reply(estimate), settings.key);
  } catch (thrown) {
    const failure = failureOf(thrown, { provider: settings.provider, key: settings.key, now: now() });
    const kind = modelErrorKind(failure) ?? 'network';
    // An answer that had begun was paid for, whether or not the provider still says so.
    throw isAnswering ? withUsage(failure, kind, reader.reported() ?? most()) : failure;
  } finally {
    watched.stop();
  }
}

/** A server that repeats the key does not get it into a transcript. */
function withoutKey(reply: ModelReply, key: string | undefined): ModelReply {
  const text = JSON.stringify(reply);
  if (!key || !text.includes(key)) return reply;
  return JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(key, '[key]') : value,
  );
}

async function readAll(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  watched: ReturnType<typeof watchCall>,
  take: (part: LanguageModelV4StreamPart) => boolean,
): Promise<void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await watched.race(reader.read());
    if (done) return;
    if (take(value)) watched.heard();
  }
}

function withUsage(failure: SylkError, kind: Parameters<typeof modelError>[0], usage: ModelUsage): SylkError {
  return new SylkError(failure.code, failure.message, {
    hint: failure.hint,
    data: { ...failure.data, kind, usage },
  });
}
