import { basename } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import { objectOf, parseJson } from '../../base/json.ts';

export type Value = string | number | null;
export type TransferRow = Record<string, Value>;
export type Tables = Record<string, TransferRow[]>;

/** Who brings rows in, and from where. */
export interface Import {
  by: string;
  /** Path of the file. */
  from: string;
  now: number;
  /** A person looked at what the file says and takes its authors for real. */
  keepsAuthors: boolean;
}

export const labelOf = ({ by, from }: Import): string => `imported by ${by} from ${basename(from)}`;

type Change = (row: TransferRow, given: Import) => TransferRow | undefined;

/** A file can claim anything about who wrote what: without a person's answer its rows carry the label of the import. */
const withoutAuthors: Record<string, Change> = {
  entries: (row, given) => ({
    ...row,
    source: labelOf(given),
    source_kind: 'agent',
    verification: 'none',
    confidence: Math.min(Number(row['confidence'] ?? 0.5), 0.5),
  }),
  mistakes: (row, given) => ({ ...row, reported_by: `unknown ${labelOf(given)}` }),
  // What was said for one session is bound to it; what an agent learnt is shown, by an unknown author.
  preferences: (row, given) =>
    row['kind'] === 'inferred' ? { ...row, author_kind: 'unknown', author: labelOf(given) } : undefined,
  preference_proposals: (row, given) => ({ ...row, author_kind: 'unknown', author: labelOf(given) }),
  // A caller goes on where its own session and its own checkpoint stopped: nobody else may choose them.
  session_bindings: () => undefined,
  checkpoints: (row, given) => ({ ...row, owner: labelOf(given) }),
  links: (row, given) => ({ ...row, by: labelOf(given) }),
  verifications: () => undefined,
  conflicts: (row) => ({ ...row, resolution: '', resolved_by: '', resolved_at: null }),
};

/** Checks against code and its history hold for the code that they were made against. */
const unchecked: Change = (row) =>
  /^against_/.test(`${row['verification']}`) ? { ...row, verification: 'none' } : row;

/** No session of this machine would ever see what another one wrote, so it is shared. The label stays with it. */
const shared: Change = (row, given) => {
  const { by, from, now } = given;
  const author = { kind: row['source_kind'], name: row['source'] };
  const imported = { by, from, at: isoTime(now), author, confirmed: given.keepsAuthors };
  const metadata = JSON.stringify({ ...objectOf(parseJson(`${row['metadata']}`)), imported });
  // A date in the future would keep it on top of every list.
  const created_at = Math.min(Number(row['created_at'] ?? now), now);
  return row['promoted'] === 1
    ? { ...row, created_at, metadata }
    : { ...row, created_at, metadata, promoted: 1, promoted_by: labelOf(given), promoted_at: now };
};

const always: Record<string, Change[]> = {
  entries: [unchecked, shared],
  verifications: [unchecked],
  mistakes: [(row) => ({ ...row, promoted: 1 })],
};

/** The rows of an export as this library takes them. */
export const rowsToImport = (tables: Tables, given: Import): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => {
      const author = given.keepsAuthors ? undefined : withoutAuthors[table];
      const changes = [...(always[table] ?? []), ...(author ? [author] : [])];
      const changed = rows.flatMap((row) => {
        const result = changes.reduce<TransferRow | undefined>(
          (each, change) => each && change(each, given),
          row,
        );
        return result ? [result] : [];
      });
      return [table, changed];
    }),
  );

/** What a person has to know before they take the authors of a file for real. */
export function claimedAuthors(tables: Tables): string {
  const ofPersons = (tables['entries'] ?? []).filter(
    (row) => row['source_kind'] === 'person' || row['verification'] === 'by_user',
  );
  const said = (tables['preferences'] ?? []).filter((row) => row['kind'] !== 'inferred');
  return [
    `${ofPersons.length} entries that it calls a person's word:`,
    ...ofPersons.map(
      (row) => `  ${row['source']}: ${`${row['title']}: ${row['content']}`.replace(/\s+/g, ' ')}`,
    ),
    `${said.length} preferences that hold in its sessions:`,
    ...said.map((row) => `  ${row['author']}: ${row['category']}: ${row['value']}`),
  ].join('\n');
}
