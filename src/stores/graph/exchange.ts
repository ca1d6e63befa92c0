import { isRef } from '../../base/ref.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';

type Value = string | number | null;
export type ExchangeRow = Record<string, Value>;

interface Exchanged {
  name: string;
  table: string;
  /** Columns that hold a node number here and a ref outside. */
  refs: string[];
  columns: string[];
}

/** Node numbers are internal to this library; exports use refs. */
const exchanged: Exchanged[] = [
  {
    name: 'links',
    table: 'ref_edges',
    refs: ['source', 'target'],
    columns: ['type', 'session', 'weight', 'metadata', 'by', 'created_at', 'updated_at'],
  },
  {
    name: 'sources',
    table: 'ref_sources',
    refs: ['node', 'source'],
    columns: ['type', 'path', 'line', 'end_line', 'url', 'confidence', 'verified_at', 'created_at'],
  },
  {
    name: 'verifications',
    table: 'ref_verifications',
    refs: ['node'],
    columns: [
      'verification',
      'confidence',
      'needs_review',
      'warnings',
      'contradictions',
      'verdict',
      'reviewed_by',
      'recorded_at',
      'reviewed_at',
    ],
  },
  {
    name: 'conflicts',
    table: 'ref_conflicts',
    refs: ['left', 'right'],
    columns: [
      'id',
      'kind',
      'subject',
      'detail',
      'proposal',
      'detected_at',
      'resolution',
      'resolved_by',
      'resolved_at',
    ],
  },
];

const nodeColumns = [
  'ref',
  'kind',
  'place',
  'content_hash',
  'expires_at',
  'archived_at',
  'created_at',
  'updated_at',
];
const quoted = (name: string): string => `"${name}"`;

export function exportLinks(sqlite: Sqlite): Record<string, ExchangeRow[]> {
  const things = sqlite.all<ExchangeRow>(
    `SELECT ${nodeColumns.map((column) => `n.${column}`).join(', ')}, s.ref AS superseded_by
     FROM ref_nodes n LEFT JOIN ref_nodes s ON s.id = n.superseded_by ORDER BY n.ref`,
  );
  const tables = exchanged.map(({ name, table, refs, columns }) => {
    const shown = refs.map(
      (column) => `(SELECT ref FROM ref_nodes WHERE id = t.${quoted(column)}) AS ${quoted(column)}`,
    );
    const plain = columns.map((column) => `t.${quoted(column)}`);
    const order = refs.map((_, at) => at + 1).join(', ');
    return [
      name,
      sqlite.all<ExchangeRow>(
        `SELECT ${[...shown, ...plain].join(', ')} FROM ${table} t ORDER BY ${order}, t.rowid`,
      ),
    ] as const;
  });
  return { things, ...Object.fromEntries(tables) };
}

/** Imports what is missing. Runs in the caller's transaction: all or nothing. */
export function importLinks(
  sqlite: Sqlite,
  tables: Record<string, ExchangeRow[] | undefined>,
  broken: (why: string) => Error,
): { added: Record<string, number>; known: number } {
  const added: Record<string, number> = {};
  let known = 0;
  const count = (name: string, changes: number) => {
    if (changes === 0) known++;
    else added[name] = (added[name] ?? 0) + changes;
  };
  const refOf = (value: Value | undefined, what: string): string => {
    if (typeof value === 'string' && isRef(value)) return value;
    throw broken(`${what} has no ref where one is required`);
  };
  // What is here already is not replaced by what a file says about it.
  const fresh = new Set<string>();
  for (const row of tables['things'] ?? []) {
    const ref = refOf(row['ref'], 'things');
    const marks = nodeColumns.map(() => '?').join(', ');
    const { changes } = sqlite.run(
      `INSERT INTO ref_nodes (${nodeColumns.join(', ')}) VALUES (${marks}) ON CONFLICT (ref) DO NOTHING`,
      ...nodeColumns.map((column) => row[column] ?? null),
    );
    count('things', changes);
    if (changes > 0) fresh.add(ref);
  }
  for (const row of tables['things'] ?? [])
    if (row['superseded_by'] && fresh.has(`${row['ref']}`))
      sqlite.run(
        'UPDATE ref_nodes SET superseded_by = (SELECT id FROM ref_nodes WHERE ref = ?) WHERE ref = ? AND superseded_by IS NULL',
        refOf(row['superseded_by'], 'things'),
        refOf(row['ref'], 'things'),
      );
  for (const { name, table, refs, columns } of exchanged)
    for (const row of tables[name] ?? []) {
      const given = refs.map((column) => (row[column] === null ? null : refOf(row[column], name)));
      const numbers = refs.map(() => '(SELECT id FROM ref_nodes WHERE ref = ?)');
      const marks = columns.map(() => '?');
      const into = [...refs, ...columns].map(quoted).join(', ');
      count(
        name,
        sqlite.run(
          `INSERT INTO ${table} (${into}) VALUES (${[...numbers, ...marks].join(', ')}) ON CONFLICT DO NOTHING`,
          ...given,
          ...columns.map((column) => row[column] ?? null),
        ).changes,
      );
    }
  return { added, known };
}
