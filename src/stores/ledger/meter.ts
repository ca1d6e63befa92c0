import { SylkError } from '../../base/errors.ts';
import { costOf, type Model, mostInputTokens, usageIn } from '../../base/model/index.ts';
import type { Payer } from './call.ts';
import type { Reservation } from './ingest.ts';

interface Accounts {
  reserve(call: Reservation): Promise<string>;
  settle(id: string, ...used: [usage: Parameters<typeof costOf>[1], usd: number | undefined]): Promise<void>;
  release(id: string): Promise<void>;
}

/** A shorter answer than this is not worth asking for. */
const leastOutput = 1_000;

/** Every attempt of the model is paid by `payer`: set aside before, settled with what the provider reports after. */
export const metered =
  (ledger: Accounts, payer: Payer) =>
  (attempt: Model): Model => {
    const cost = (usage: Parameters<typeof costOf>[1]) => costOf(attempt.price, usage);
    const mostUsd = (input: number, output: number): number | undefined => {
      const fresh = { inputTokens: input, cachedInputTokens: 0, outputTokens: output, measured: false };
      const most = [0, input].map((cacheWriteTokens) => cost({ ...fresh, cacheWriteTokens }) ?? 0);
      return attempt.price && Math.max(...most);
    };
    const reserve = (input: number, output: number) =>
      ledger.reserve({
        ...payer,
        model: attempt.id,
        priceId: attempt.price?.matchedId,
        tokens: input + output,
        usd: mostUsd(input, output),
      });
    /** The longest answer that what is left of a budget can pay; 0 where that is none worth asking for. */
    const affordable = (error: unknown, input: number): number => {
      const left = error instanceof SylkError && error.code === 'BUDGET_EXCEEDED' ? error.data : undefined;
      const { left_tokens: tokens, left_usd: usd } = left ?? {};
      const perToken = (mostUsd(input, 1_000) ?? 0) - (mostUsd(input, 0) ?? 0);
      const byUsd =
        typeof usd === 'number' && perToken > 0 ? ((usd - (mostUsd(input, 0) ?? 0)) / perToken) * 1_000 : 0;
      const output = Math.floor(typeof tokens === 'number' ? tokens - input : byUsd);
      return output >= leastOutput ? output : 0;
    };
    return {
      ...attempt,
      async stream(request) {
        const wanted = Math.min(request.maxOutputTokens ?? attempt.maxOutput, attempt.maxOutput);
        const input = mostInputTokens(request, attempt.window);
        let output = wanted;
        const id = await reserve(input, wanted).catch(async (error: unknown) => {
          output = Math.min(wanted, affordable(error, input));
          if (output === 0) throw error;
          return reserve(input, output);
        });
        const reply = await attempt
          .stream(output < wanted ? { ...request, maxOutputTokens: output } : request)
          .catch(async (error: unknown) => {
            const usage = usageIn(error);
            await (usage ? ledger.settle(id, usage, cost(usage)) : ledger.release(id));
            throw error;
          });
        await ledger.settle(id, reply.usage, cost(reply.usage));
        return reply;
      },
    };
  };
