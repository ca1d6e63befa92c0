import { costOf, type Model, mostTokens, requestText, usageIn } from '../../base/model/index.ts';
import type { Payer } from './call.ts';
import type { Reservation } from './ingest.ts';

interface Accounts {
  reserve(call: Reservation): Promise<string>;
  settle(id: string, ...used: [usage: Parameters<typeof costOf>[1], usd: number | undefined]): Promise<void>;
  release(id: string): Promise<void>;
}

/** Every attempt of the model is paid by `payer`: set aside before, settled with what the provider reports after. */
export const metered =
  (ledger: Accounts, payer: Payer) =>
  (attempt: Model): Model => {
    const cost = (usage: Parameters<typeof costOf>[1]) => costOf(attempt.price, usage);
    return {
      ...attempt,
      async stream(request) {
        const output = Math.min(request.maxOutputTokens ?? attempt.maxOutput, attempt.maxOutput);
        const input = mostTokens(requestText(request));
        const fresh = { inputTokens: input, cachedInputTokens: 0, outputTokens: output, measured: false };
        const most = [0, input].map((cacheWriteTokens) => cost({ ...fresh, cacheWriteTokens }) ?? 0);
        const id = await ledger.reserve({
          ...payer,
          model: attempt.id,
          priceId: attempt.price?.matchedId,
          tokens: input + output,
          usd: attempt.price && Math.max(...most),
        });
        const reply = await attempt.stream(request).catch(async (error: unknown) => {
          const usage = usageIn(error);
          await (usage ? ledger.settle(id, usage, cost(usage)) : ledger.release(id));
          throw error;
        });
        await ledger.settle(id, reply.usage, cost(reply.usage));
        return reply;
      },
    };
  };
