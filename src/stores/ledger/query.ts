import { sql } from 'kysely';
import type { Library } from '../../base/library/index.ts';
import { type Budget, type BudgetScope, budgetScopes, dayOf, type LedgerContext } from './call.ts';
import type { LedgerTables } from './tables.ts';

export interface SpentBudget {
  scope: BudgetScope;
  name: string;
  microLimit: number | undefined;
  tokenLimit: number | undefined;
  /** Settled and set aside. */
  micro: number;
  tokens: number;
}

type Payers = Record<BudgetScope, string>;

const isScope = (scope: string): scope is BudgetScope => budgetScopes.some((known) => known === scope);

/** The budgets that hold for a call, with what was used of them. A budget with a name goes before the one for each. */
export async function budgetsFor(library: Library, payers: Payers): Promise<SpentBudget[]> {
  const rows = await library.tables<LedgerTables>().selectFrom('ledger_budgets').selectAll().execute();
  const spent: SpentBudget[] = [];
  for (const scope of budgetScopes) {
    const payer = payers[scope];
    const own = rows.filter((row) => row.scope === scope);
    const row =
      own.find(({ name }) => name !== '' && name === payer) ??
      own.find(({ name }) => name === '' && payer !== '');
    if (!row) continue;
    const used = await usedBy(library, scope, payers);
    spent.push({
      scope,
      name: row.name,
      microLimit: row.micro_usd === null ? undefined : Number(row.micro_usd),
      tokenLimit: row.tokens === null ? undefined : Number(row.tokens),
      ...used,
    });
  }
  return spent;
}

async function usedBy(library: Library, scope: BudgetScope, payers: Payers) {
  let query = library
    .tables<LedgerTables>()
    .selectFrom('ledger_calls')
    .select(({ fn }) => [fn.sum('micro_usd').as('micro'), fn.sum('tokens').as('tokens')])
    .where(scope, '=', payers[scope]);
  if (scope === 'agent' || scope === 'model') query = query.where('day', '=', payers.day);
  const used = await query.executeTakeFirst();
  return { micro: Number(used?.micro ?? 0), tokens: Number(used?.tokens ?? 0) };
}

export async function budgets({
  library,
  clock,
}: LedgerContext): Promise<Array<Budget & { used_usd?: number }>> {
  const rows = await library
    .tables<LedgerTables>()
    .selectFrom('ledger_budgets')
    .selectAll()
    .orderBy('scope')
    .orderBy('name')
    .execute();
  const day = dayOf(clock.now());
  return Promise.all(
    rows.flatMap(({ scope, name, micro_usd, tokens }) => {
      if (!isScope(scope)) return [];
      const budget = {
        scope,
        name,
        usd: micro_usd === null ? undefined : Number(micro_usd) / 1_000_000,
        tokens: tokens === null ? undefined : Number(tokens),
      };
      // What "each" has used differs for each of them.
      if (scope !== 'day' && name === '') return [Promise.resolve(budget)];
      const payers = { day, session: name, run: name, agent: name, model: name };
      return [
        usedBy(library, scope, payers).then(({ micro }) => ({ ...budget, used_usd: micro / 1_000_000 })),
      ];
    }),
  );
}

export interface CostLine {
  name: string;
  calls: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  usd: number;
  /** Calls whose price is unknown: they cost something, and it is not in `usd`. */
  unpriced: number;
  /** Calls whose tokens are an estimate. */
  unmeasured: number;
  /** Calls that were never settled, and what is set aside for them; it counts as spent. */
  open: number;
  open_usd: number;
}

/** What was spent since a day, by one of the five. */
export async function costs(
  { library }: LedgerContext,
  { by, since, names }: { by: BudgetScope; since: string; names?: string[] | undefined },
): Promise<CostLine[]> {
  const when = (condition: ReturnType<typeof sql>, value: ReturnType<typeof sql>) =>
    sql<number>`SUM(CASE WHEN ${condition} THEN ${value} ELSE 0 END)`;
  const isOpen = sql`status = 'reserved'`;
  const settled = sql`status = 'settled'`;
  const one = sql`1`;
  let query = library
    .tables<LedgerTables>()
    .selectFrom('ledger_calls')
    .select(({ fn }) => [
      `${by} as name`,
      fn.countAll<number>().as('calls'),
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('cached_tokens').as('cached_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
      when(settled, sql`COALESCE(micro_usd, 0)`).as('micro'),
      when(sql`micro_usd IS NULL`, one).as('unpriced'),
      when(sql`status = 'settled' AND measured = 0`, one).as('unmeasured'),
      when(isOpen, one).as('open'),
      when(isOpen, sql`COALESCE(micro_usd, 0)`).as('open_micro'),
    ])
    .where('day', '>=', since)
    .groupBy(by)
    .orderBy(by);
  if (names) query = query.where(by, 'in', names.length > 0 ? names : ['']);
  const rows = await query.execute();
  return rows.map((row) => ({
    name: row.name,
    calls: Number(row.calls),
    input_tokens: Number(row.input_tokens),
    cached_tokens: Number(row.cached_tokens),
    output_tokens: Number(row.output_tokens),
    usd: Number(row.micro) / 1_000_000,
    unpriced: Number(row.unpriced),
    unmeasured: Number(row.unmeasured),
    open: Number(row.open),
    open_usd: Number(row.open_micro) / 1_000_000,
  }));
}
