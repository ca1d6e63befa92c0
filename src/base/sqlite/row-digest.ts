import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A value as SQLite stores it. */
export type Value = string | number | bigint | null | Uint8Array;

/** Numbers of tables that fit into the ten bits that a digest has for them. */
export const maxTables = 1024;
const hashBits = 45n;
const checkBits = 8n;

/**
 * Sixty-three bits for one row: the number of its table, a hash of its values, and a check over both, so that damage
 * of the digest itself is told apart from damage of the row.
 */
export function rowDigest(table: number, values: readonly Value[]): bigint {
  const [upper, lower] = digestHalves(table, values);
  return (BigInt(upper) << 32n) | BigInt(lower);
}

/** The upper 31 and the lower 32 bits of a digest: as two small numbers it is made several times as fast. */
export function digestHalves(table: number, values: readonly Value[]): [upper: number, lower: number] {
  let text = '';
  for (const value of values) text += valueText(value);
  const hex = hash('sha256', text, 'hex');
  const low = Number.parseInt(hex.slice(4, 12), 16);
  const high = (table << 13) | (Number.parseInt(hex.slice(0, 4), 16) & 0x1fff);
  return [high * 256 + (low >>> 24), ((low << 8) | checkOf(high, low)) >>> 0];
}

/** An integer and a real of the same value are one: SQLite stores either for a real. */
function valueText(value: Value): string {
  if (value === null) return '_';
  if (typeof value === 'string') return `t${value.length}:${value}`;
  if (typeof value === 'object')
    return `b${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')}`;
  return `n${value};`;
}

const checkOf = (high: number, low: number): number => {
  const both = high ^ low;
  return ((both ^ (both >>> 8) ^ (both >>> 16) ^ (both >>> 24)) & 0xff) ^ 0xa5;
};

export function isWholeDigest(digest: bigint): boolean {
  const upper = digest >> checkBits;
  return digest > 0n && checkOf(Number(upper >> 32n), Number(upper & 0xffffffffn)) === Number(digest & 0xffn);
}

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
