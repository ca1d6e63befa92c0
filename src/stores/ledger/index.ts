// owns: what calls to models cost, what is set aside for those under way, and the budgets that they may not pass
// knows: the library, the model client
// must not know: what is asked for, how an agent works
import { bindAll } from '../../base/bind.ts';
import type { LedgerContext } from './call.ts';
import { release, reserve, setBudget, settle } from './ingest.ts';
import { budgets, costs } from './query.ts';
import { ledgerMigrations } from './tables.ts';

export { budgetScopes, dayOf, type Payer } from './call.ts';
export { metered } from './meter.ts';
export type { CostLine } from './query.ts';

export function openLedger(context: LedgerContext) {
  context.library.migrate(ledgerMigrations);
  return bindAll(context, { reserve, settle, release, setBudget, budgets, costs });
}

export type Ledger = ReturnType<typeof openLedger>;
