import { setTimeout as wait } from 'node:timers/promises';
import { backoff } from '../backoff.ts';
import { SylkError } from '../errors.ts';
import { modelError, modelErrorKind, retryAtOf, usageIn } from './errors.ts';
import type { Model, ModelRequest } from './model.ts';
import type { ModelUsage } from './price.ts';

export interface RetryPolicy {
  attempts: number;
  /** Milliseconds before the second attempt where the provider names no time; doubled before each further one. */
  first: number;
  /** Milliseconds: whoever is told to wait longer gets the failure with its time, and can do something else meanwhile. */
  longest: number;
}

export const usualRetries: RetryPolicy = { attempts: 4, first: 1_000, longest: 60_000 };

const retried = ['rate_limited', 'overloaded', 'network', 'malformed'];

/** Tries again what may succeed, when the provider says so, and gives up after a bound. */
export function retrying(model: Model, now: () => number, policy: RetryPolicy): Model {
  const waitFor = async (thrown: unknown, number: number, { signal, onDelta }: ModelRequest) => {
    const kind = modelErrorKind(thrown);
    const isFinal = thrown instanceof SylkError && thrown.data?.final === true;
    if (!kind || !retried.includes(kind) || isFinal || number >= policy.attempts) throw thrown;
    const at = retryAtOf(thrown) ?? now() + backoff(number, { first: policy.first, most: policy.longest });
    if (at - now() > policy.longest) throw thrown;
    onDelta?.({ type: 'retry', kind, at });
    await wait(Math.max(0, at - now()), undefined, { signal }).catch(() => {
      throw modelError('cancelled', 'The call was cancelled.', { usage: usageIn(thrown) });
    });
  };
  return {
    ...model,
    async stream(request) {
      const lost: ModelUsage[] = [];
      for (let number = 1; ; number += 1) {
        try {
          const reply = await model.stream(request);
          if (lost.length === 0) return { ...reply, attempts: number };
          const usage = sumOf([...lost, reply.usage]);
          return { ...reply, usage, lastAttempt: reply.usage, attempts: number };
        } catch (thrown) {
          const usage = usageIn(thrown);
          if (usage) lost.push(usage);
          await waitFor(thrown, number, request);
        }
      }
    },
  };
}

function sumOf(usages: ModelUsage[]): ModelUsage {
  const sum = (of: (usage: ModelUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    measured: usages.every(({ measured }) => measured),
  };
}
