import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A value as SQLite stores it. */
export type Value = string | number | bigint | null | Uint8Array;

const tableBits = 10n;
const hashBits = 45n;
const checkBits = 8n;
/** Numbers of tables that fit into a digest. */
export const maxTables = 2 ** Number(tableBits);

/**
 * Sixty-three bits for one row: the number of its table, a hash of its values, and a check over both, so that damage
 * of the digest itself is told apart from damage of the row.
 */
export function rowDigest(table: number, values: readonly Value[]): bigint {
  let text = '';
  for (const value of values) text += valueText(value);
  const bits = BigInt(`0x${hash('sha256', text, 'hex').slice(0, 12)}`) & ((1n << hashBits) - 1n);
  const upper = (BigInt(table) << hashBits) | bits;
  return (upper << checkBits) | checkOf(upper);
}

/** An integer and a real of the same value are one: SQLite stores either for a real. */
function valueText(value: Value): string {
  if (value === null) return '_';
  if (typeof value === 'string') return `t${value.length}:${value}`;
  if (typeof value === 'object')
    return `b${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')}`;
  return `n${value};`;
}

function checkOf(upper: bigint): bigint {
  let sum = 0n;
  for (let rest = upper; rest > 0n; rest >>= 8n) sum ^= rest & 0xffn;
  return sum ^ 0xa5n;
}

export const isWholeDigest = (digest: bigint): boolean =>
  digest > 0n && checkOf(digest >> checkBits) === (digest & 0xffn);

export const tableOfDigest = (digest: bigint): number => Number(digest >> (hashBits + checkBits));

/** The digests of one table: from the first to before the second. */
export const digestRange = (table: number): [bigint, bigint] => [
  BigInt(table) << (hashBits + checkBits),
  BigInt(table + 1) << (hashBits + checkBits),
];

/** Every connection that writes needs it: the triggers of a library call it. */
export function registerRowDigest(db: DatabaseSync): void {
  db.function(
    'sylk_row_digest',
    { deterministic: true, varargs: true, useBigIntArguments: true },
    (table, ...values) => rowDigest(Number(table), values as Value[]),
  );
}
