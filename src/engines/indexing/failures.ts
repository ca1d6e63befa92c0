import { type ErrorCode, type ErrorReport, reportOf } from '../../base/errors.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';

/** A source that could not be updated, and why. */
export interface SourceFailure extends Pick<ErrorReport, 'code' | 'message' | 'hint'> {
  source: string;
}

const tables = {
  store: 'index_failures',
  version: 1,
  tables: ['index_failures'],
  create: `CREATE TABLE index_failures (root TEXT NOT NULL, source TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL,
    hint TEXT, PRIMARY KEY (root, source)) WITHOUT ROWID`,
};

/** The last failure of each source of a working tree, until it succeeds. */
export function createFailures(open: () => Sqlite, root: string) {
  const sqlite = () => {
    const opened = open();
    ensureDerived(opened, tables);
    return opened;
  };
  return {
    record: (source: string, error: unknown): SourceFailure => {
      const { code, message, hint } = reportOf(error);
      try {
        const values = [root, source, code, message, hint ?? null];
        sqlite().run('INSERT OR REPLACE INTO index_failures VALUES (?, ?, ?, ?, ?)', ...values);
      } catch {
        // Where nothing can be written the failure itself says so.
      }
      return { source, code, message, hint };
    },
    clear: (source: string) => {
      sqlite().run('DELETE FROM index_failures WHERE root = ? AND source = ?', root, source);
    },
    list: (): SourceFailure[] =>
      sqlite()
        .all<{ source: string; code: ErrorCode; message: string; hint: string | null }>(
          'SELECT source, code, message, hint FROM index_failures WHERE root = ? ORDER BY source',
          root,
        )
        .map(({ hint, ...failure }) => ({ ...failure, hint: hint ?? undefined })),
  };
}

export type Failures = ReturnType<typeof createFailures>;
