import { state } from '../files/index.ts';

/** Committed changes that stand behind a damaged place of the write-ahead log. SQLite skips them without a word. */
export interface WalDamage {
  /** Where the log was copied to before SQLite starts it anew. */
  kept: string;
  /** Commits that can be seen behind the damage; undefined when even the head of the log is unreadable. */
  lostCommits: number | undefined;
}

/** Looks before the database is opened. A log that another process is writing to at this moment is left to it. */
export function keepDamagedWal(path: string): WalDamage | undefined {
  const wal = `${path}-wal`;
  const before = state.entry(wal);
  if (!before || before.size === 0) return undefined;
  const found = inspectWal(state.read(wal, { limit: 2 ** 31 }));
  if (found === 'sound') return undefined;
  const after = state.entry(wal);
  if (!after || after.mark !== before.mark) return undefined;
  const kept = `${path}-wal.corrupt.${new Date().toISOString().replace(/[:.]/g, '-')}`;
  state.copy(wal, kept);
  return { kept, lostCommits: found === 'no head' ? undefined : found.lostCommits };
}

const headSize = 32;
const frameHead = 24;

/** A torn tail is normal after a kill: it was never committed. Commits behind a broken frame are not. */
export function inspectWal(bytes: Buffer): 'sound' | 'no head' | { lostCommits: number } {
  if (bytes.length < headSize) return 'sound';
  const magic = bytes.readUInt32BE(0);
  const pageSize = bytes.readUInt32BE(8) || 65_536;
  if ((magic & 0xfffffffe) >>> 0 !== 0x377f0682 || pageSize < 512 || pageSize > 65_536) return 'no head';
  const sum = checksum(bytes, magic === 0x377f0683);
  let state = sum([0, 0], 0, 24);
  if (!matches(bytes, 24, state)) return 'no head';
  const frame = frameHead + pageSize;
  let broken = false;
  let lostCommits = 0;
  for (let at = headSize; at + frame <= bytes.length; at += frame) {
    const sameSalt = bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0;
    if (!broken) {
      state = sum(sum(state, at, 8), at + frameHead, pageSize);
      if (sameSalt && matches(bytes, at + 16, state)) continue;
      broken = true;
    } else if (sameSalt && bytes.readUInt32BE(at + 4) !== 0) lostCommits++;
  }
  return lostCommits > 0 ? { lostCommits } : 'sound';
}

type Sums = [number, number];

const matches = (bytes: Buffer, at: number, [first, second]: Sums): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;

/** The running sum of the log format: over pairs of words, in the byte order that the head names. */
function checksum(bytes: Buffer, bigEndian: boolean) {
  const word = (at: number) => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  return ([first, second]: Sums, from: number, length: number): Sums => {
    let a = first;
    let b = second;
    for (let at = from; at < from + length; at += 8) {
      a = (a + word(at) + b) >>> 0;
      b = (b + word(at + 4) + a) >>> 0;
    }
    return [a, b];
  };
}
