import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { ModelUsage } from '../../base/model/index.ts';
import {
  type Budget,
  type BudgetScope,
  dayOf,
  type LedgerContext,
  microDollars,
  type Payer,
} from './call.ts';
import { budgetsFor, type SpentBudget } from './query.ts';
import type { LedgerTables } from './tables.ts';

export interface Reservation extends Payer {
  model: string;
  /** The id that the price was found under. */
  priceId: string | undefined;
  /** The most that the call can use. */
  tokens: number;
  /** The most that it can cost; undefined where the price is unknown. */
  usd: number | undefined;
}

/**
 * Sets aside what a call can cost, or refuses it. All reservations of a library are made one after another, so the sum
 * of what is spent and what is set aside never passes a budget. It counts as spent until it is settled or released.
 */
export async function reserve({ library, clock }: LedgerContext, call: Reservation): Promise<string> {
  const { session = '', run = '', agent = '', model, tokens, usd } = call;
  const now = clock.now();
  const day = dayOf(now);
  const row = {
    id: newId('call', now),
    at: now,
    day,
    session,
    run,
    agent,
    model,
    price_id: call.priceId ?? '',
    status: 'reserved',
    tokens,
    micro_usd: usd === undefined ? null : microDollars(usd),
    input_tokens: 0,
    cached_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 0,
    measured: 0,
  };
  await library.write(async () => {
    refuseOverBudget(await budgetsFor(library, { day, session, run, agent, model }), row);
    await library.tables<LedgerTables>().insertInto('ledger_calls').values(row).execute();
  });
  return row.id;
}

interface Wanted {
  model: string;
  tokens: number;
  micro_usd: number | null;
}

function refuseOverBudget(budgets: SpentBudget[], { model, tokens, micro_usd }: Wanted): void {
  for (const budget of budgets) {
    if (budget.tokenLimit !== undefined && budget.tokens + tokens > budget.tokenLimit)
      throw exceeded(
        budget,
        `${budget.tokens} of ${budget.tokenLimit} tokens are used, and this call can use ${tokens}`,
        { left_tokens: budget.tokenLimit - budget.tokens },
      );
    if (micro_usd !== null && budget.microLimit !== undefined && budget.micro + micro_usd > budget.microLimit)
      throw exceeded(
        budget,
        `${dollars(budget.micro)} of ${dollars(budget.microLimit)} is used, and this call can cost ${dollars(micro_usd)}`,
        { left_usd: (budget.microLimit - budget.micro) / 1_000_000 },
      );
  }
  const inDollars = budgets.find(({ microLimit }) => microLimit !== undefined);
  if (micro_usd === null && inDollars && !budgets.some(({ tokenLimit }) => tokenLimit !== undefined))
    throw new SylkError(
      'BUDGET_EXCEEDED',
      `The price of ${model} is unknown, so no budget in dollars can hold it.`,
      {
        hint: `Set models.prices in your own config.yaml, or a budget in tokens: sylk budget set ${inDollars.scope} --tokens 1000000`,
        data: { scope: inDollars.scope, name: inDollars.name },
      },
    );
}

const dollars = (micro: number): string => `$${(micro / 1_000_000).toFixed(micro < 10_000 ? 4 : 2)}`;

const exceeded = ({ scope, name }: SpentBudget, words: string, left: object) =>
  new SylkError(
    'BUDGET_EXCEEDED',
    `The budget of ${describeScope(scope, name)} does not allow this call: ${words}.`,
    {
      hint: `Raise it: sylk budget set ${scope} USD${name ? ` ${name}` : ''}. \`sylk cost\` says what was spent.`,
      data: { scope, name, ...left },
    },
  );

const describeScope = (scope: BudgetScope, name: string): string =>
  scope === 'day' ? 'this day' : name ? `the ${scope} ${name}` : `each ${scope}`;

/** What a call really used, instead of what was set aside for it. */
export async function settle(
  { library }: LedgerContext,
  id: string,
  usage: ModelUsage,
  usd: number | undefined,
): Promise<void> {
  await library
    .tables<LedgerTables>()
    .updateTable('ledger_calls')
    .set({
      status: 'settled',
      tokens: usage.inputTokens + usage.outputTokens,
      micro_usd: usd === undefined ? null : microDollars(usd),
      input_tokens: usage.inputTokens,
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      output_tokens: usage.outputTokens,
      measured: usage.measured ? 1 : 0,
    })
    .where('id', '=', id)
    .execute();
}

/** For a call that the provider refused before it cost anything. */
export async function release({ library }: LedgerContext, id: string): Promise<void> {
  await library
    .tables<LedgerTables>()
    .deleteFrom('ledger_calls')
    .where('id', '=', id)
    .where('status', '=', 'reserved')
    .execute();
}

/** Without a limit the budget is removed. */
export async function setBudget({ library, clock }: LedgerContext, budget: Budget): Promise<void> {
  const { scope, name, usd, tokens } = budget;
  await library.write(async () => {
    const db = library.tables<LedgerTables>();
    await db.deleteFrom('ledger_budgets').where('scope', '=', scope).where('name', '=', name).execute();
    if (usd === undefined && tokens === undefined) return;
    await db
      .insertInto('ledger_budgets')
      .values({
        scope,
        name,
        // What is spent is rounded up, what may be spent down.
        micro_usd: usd === undefined ? null : Math.floor(usd * 1_000_000 + 1e-6),
        tokens: tokens ?? null,
        set_at: clock.now(),
      })
      .execute();
  });
}
