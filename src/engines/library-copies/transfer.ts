import { SylkError } from '../../base/errors.ts';
import { embeddedOf, type Library } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import type { Chronicle } from '../../stores/chronicle/index.ts';
import { exportLinks, importLinks } from '../../stores/graph/index.ts';
import { type Import, rowsToImport, type Tables, type TransferRow, type Value } from './imported.ts';

/** The identity of a row across libraries. Row counters are reassigned. */
const transferred: Array<{ table: string; counted?: string; same: string[] }> = [
  { table: 'sessions', same: ['id'] },
  { table: 'session_bindings', same: ['client', 'worktree', 'conversation'] },
  { table: 'session_events', counted: 'id', same: ['session_id', 'at', 'event', 'data'] },
  { table: 'session_snapshots', same: ['id'] },
  { table: 'entries', counted: 'seq', same: ['id'] },
  { table: 'entry_conflicts', same: ['id'] },
  { table: 'mistakes', same: ['id'] },
  { table: 'preferences', same: ['kind', 'session_id', 'category'] },
  { table: 'preference_proposals', same: ['id'] },
  { table: 'scratchpad', same: ['session_id', 'key'] },
  { table: 'checkpoints', same: ['id'] },
  { table: 'file_log', counted: 'id', same: ['session_id', 'path', 'operation', 'at'] },
];

export interface MemoryExport {
  format: 'sylk-memory';
  version: 1;
  tables: Tables;
}

/** Sessions and memory as JSON, each table in a fixed order, secrets redacted once more. */
export function exportMemory(library: Library): MemoryExport {
  const sqlite = embeddedOf(library);
  const tables = transferred.map(({ table, counted, same }) => {
    const rows = sqlite.all<TransferRow>(`SELECT * FROM ${table} ORDER BY ${counted ?? same.join(', ')}`);
    const plain = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => column !== counted)),
    );
    return [table, redactValue(plain)] as const;
  });
  const linked = redactValue(exportLinks(sqlite));
  return { format: 'sylk-memory', version: 1, tables: { ...Object.fromEntries(tables), ...linked } };
}

/** Rows that belong to one session: those of a session that is here already are not added to by a file. */
const ofOneSession = new Set([
  'session_events',
  'session_snapshots',
  'preferences',
  'scratchpad',
  'checkpoints',
  'file_log',
]);

/**
 * Adds what is not here yet; what is here stays as it is. All of it or nothing. `entries` are the ids that are new: the
 * memory has to check and link them.
 */
export async function importMemory(
  { library, chronicle }: { library: Library; chronicle: Chronicle },
  file: unknown,
  given: Import,
): Promise<{ added: Record<string, number>; known: number; entries: string[] }> {
  const tables = rowsToImport(requireExport(file), given);
  const entries: string[] = [];
  const sqlite = embeddedOf(library);
  const added: Record<string, number> = {};
  let known = 0;
  sqlite.write(() => {
    sqlite.exec('PRAGMA defer_foreign_keys = ON');
    const sessions = new Set<Value>(
      given.keepsAuthors ? [] : sqlite.column<string>('SELECT id FROM sessions'),
    );
    for (const { table, counted, same } of transferred) {
      const columns = sqlite.column<string>(`SELECT name FROM pragma_table_info(?)`, table);
      for (const row of redactValue(tables[table] ?? [])) {
        if (ofOneSession.has(table) && sessions.has(row['session_id'] ?? null)) {
          known++;
          continue;
        }
        const names = columns.filter((name) => name !== counted && row[name] !== undefined);
        if (same.some((name) => !names.includes(name)))
          throw broken(`a row of ${table} has no ${same.join(', ')}`);
        const match = same.map((name) => `${name} IS ?`).join(' AND ');
        if (sqlite.get(`SELECT 1 FROM ${table} WHERE ${match}`, ...same.map((name) => row[name] ?? null))) {
          known++;
          continue;
        }
        const marks = names.map(() => '?').join(', ');
        sqlite.run(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
          ...names.map((name) => row[name] ?? null),
        );
        added[table] = (added[table] ?? 0) + 1;
        if (table === 'entries') entries.push(`${row['id']}`);
      }
    }
    const linked = importLinks(sqlite, redactValue(tables), broken);
    Object.assign(added, linked.added);
    known += linked.known;
  });
  await chronicle.reindex();
  return { added, known, entries };
}

export function requireExport(given: unknown): Tables {
  const { format, version, tables } = (given ?? {}) as Partial<MemoryExport>;
  if (format !== 'sylk-memory' || typeof tables !== 'object' || tables === null)
    throw broken('its format marker is missing');
  if (version !== 1) throw broken(`version ${version} is unknown`);
  for (const [table, rows] of Object.entries(tables)) {
    const fine =
      Array.isArray(rows) &&
      rows.every((row) =>
        Object.values(row ?? { none: undefined }).every(
          (value) => value === null || typeof value === 'string' || typeof value === 'number',
        ),
      );
    if (!fine) throw broken(`${table} is not a list of rows`);
  }
  return tables;
}

const broken = (why: string): SylkError =>
  new SylkError('VALIDATION_ERROR', `Not an export of memory: ${why}.`, {
    hint: 'Give a file that `sylk export` wrote. Nothing was changed.',
  });
