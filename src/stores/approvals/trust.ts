import { isoTime } from '../../base/clock.ts';
import { person, state } from '../../base/files/index.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import type { Stand } from './stand.ts';

/**
 * Read before anything else is open, so it is synchronous and makes nothing. Every doubt means no: no file, no
 * table, no row, a damaged database.
 */
export function isTrusted(libraryPath: string, repositoryPath: string): boolean {
  if (!state.exists(libraryPath)) return false;
  try {
    const sqlite = openSqlite(libraryPath, { readOnly: true });
    try {
      const row = sqlite.get<{ trusted: number }>(
        'SELECT trusted FROM trusted_repositories WHERE path = ?',
        realPath(repositoryPath),
      );
      return row?.trusted === 1;
    } finally {
      sqlite.close();
    }
  } catch {
    return false;
  }
}

export interface TrustDecision {
  path: string;
  trusted: boolean;
  decided_at: string;
  decided_by: string;
}

export async function decideTrust(
  { tables, clock }: Stand,
  decision: { path: string; trusted: boolean; by: string },
): Promise<TrustDecision> {
  const row = {
    path: realPath(decision.path),
    trusted: decision.trusted ? 1 : 0,
    decided_at: isoTime(clock.now()),
    decided_by: decision.by,
  };
  await tables
    .insertInto('trusted_repositories')
    .values(row)
    .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
    .execute();
  return { ...row, trusted: decision.trusted };
}

export async function trustDecisions({ tables }: Stand): Promise<TrustDecision[]> {
  const rows = await tables.selectFrom('trusted_repositories').selectAll().orderBy('path').execute();
  return rows.map((row) => ({ ...row, trusted: row.trusted === 1 }));
}

const realPath = (path: string): string => (person.exists(path) ? person.realPath(path) : path);
