import type { Columns, LibraryMigrations } from '../../base/library/index.ts';

export interface LedgerTables {
  ledger_calls: Columns<'id day session run agent model price_id status'> &
    Columns<'at tokens input_tokens cached_tokens cache_write_tokens output_tokens measured', number> & {
      /** Millionths of a US dollar; null where the price is unknown. */
      micro_usd: number | null;
    };
  ledger_budgets: Columns<'scope name'> &
    Columns<'set_at', number> & { micro_usd: number | null; tokens: number | null };
}

export const ledgerMigrations: LibraryMigrations = {
  store: 'ledger',
  steps: [
    `CREATE TABLE ledger_calls (
       id TEXT PRIMARY KEY, at INTEGER NOT NULL, day TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL,
       agent TEXT NOT NULL, model TEXT NOT NULL, price_id TEXT NOT NULL, status TEXT NOT NULL,
       tokens INTEGER NOT NULL, micro_usd INTEGER, input_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL,
       cache_write_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, measured INTEGER NOT NULL);
     CREATE INDEX ledger_calls_day ON ledger_calls (day, agent, model, micro_usd, tokens);
     CREATE INDEX ledger_calls_session ON ledger_calls (session, micro_usd, tokens);
     CREATE INDEX ledger_calls_run ON ledger_calls (run, micro_usd, tokens);
     CREATE TABLE ledger_budgets (
       scope TEXT NOT NULL, name TEXT NOT NULL, micro_usd INTEGER, tokens INTEGER, set_at INTEGER NOT NULL,
       PRIMARY KEY (scope, name));`,
  ],
};
