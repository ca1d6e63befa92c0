import { randomNumbers } from '../../bench/random.ts';
import { reportOf } from '../../src/base/errors.ts';
import type { Ledger } from '../../src/stores/ledger/index.ts';

export interface LedgerLoad {
  /** The ledgers of several processes or connections, over one library. */
  ledgers: Ledger[];
  reservations: number;
  budget: number;
  seed: number;
  /** The sum is looked at after each so many. */
  every: number;
}

/** Reservations at once, some settled for less, some released, some left: what came of them. */
export async function loadLedger({ ledgers, reservations, budget, seed, every }: LedgerLoad) {
  const [first] = ledgers;
  if (!first) throw new Error('no ledger');
  const random = randomNumbers(seed);
  const outcomes = { allowed: 0, refused: 0, failed: 0, most: 0 };
  await first.setBudget({ scope: 'day', name: '', usd: budget, tokens: undefined });
  const look = async () => {
    const [day] = await first.costs({ by: 'day', since: '' });
    outcomes.most = Math.max(outcomes.most, (day?.usd ?? 0) + (day?.open_usd ?? 0));
  };
  const one = async (at: number) => {
    const ledger = ledgers[at % ledgers.length] ?? first;
    const usd = 0.01 + random() * 0.09;
    const share = random();
    try {
      const id = await ledger.reserve({ model: 'a/b', priceId: 'a/b', tokens: 100, usd });
      outcomes.allowed += 1;
      const usage = {
        inputTokens: 10,
        outputTokens: 9,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        measured: true,
      };
      if (share < 0.3) await ledger.release(id);
      else if (share < 0.8) await ledger.settle(id, usage, usd * share);
    } catch (error) {
      if (reportOf(error).code === 'BUDGET_EXCEEDED') outcomes.refused += 1;
      else outcomes.failed += 1;
    }
    if (at % every === 0) await look();
  };
  await Promise.all(Array.from({ length: reservations }, (_, at) => one(at)));
  await look();
  return outcomes;
}
