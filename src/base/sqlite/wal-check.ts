import { state } from '../files/index.ts';

/** What became of a write-ahead log that was damaged. SQLite skips everything from the first damaged place without a word. */
export interface WalDamage {
  /** Where the damaged log was copied to. */
  kept: string;
  /** One bit was wrong and is right again, as the checksums of the log prove. */
  repaired: boolean;
}

/**
 * Looks before the database is opened. A single wrong bit is repaired in place. A log that another process is writing to
 * at this moment is left to it.
 */
export function checkWal(path: string): WalDamage | undefined {
  const wal = `${path}-wal`;
  const before = state.entry(wal);
  if (!before || before.size === 0) return undefined;
  const bytes = state.read(wal, { limit: 2 ** 31 });
  const found = inspectWal(bytes);
  if (found === 'sound') return undefined;
  const after = state.entry(wal);
  if (!after || after.mark !== before.mark) return undefined;
  const kept = quarantineName(wal);
  state.copy(wal, kept);
  if (found === 'repaired') state.write(wal, bytes);
  return { kept, repaired: found === 'repaired' };
}

/** A name that nothing has: two damaged files can be set aside in one millisecond. */
export function quarantineName(path: string): string {
  const name = `${path}.corrupt.${new Date().toISOString().replace(/[:.]/g, '-')}`;
  const isTaken = (wanted: string) => ['', '-wal', '-shm'].some((suffix) => state.exists(wanted + suffix));
  let free = name;
  for (let n = 2; isTaken(free); n++) free = `${name}-${n}`;
  return free;
}

const headSize = 32;
const frameHead = 24;

/**
 * A torn tail is normal after a kill: it was never committed. Commits behind a broken frame are not. Where one bit is
 * wrong and the checksums say which one, it is set right in `bytes`.
 */
export function inspectWal(bytes: Buffer): 'sound' | 'repaired' | 'damaged' {
  if (bytes.length < headSize) return 'sound';
  let repaired = false;
  if (!isHead(bytes)) {
    if (bytes.length < headSize + frameHead + 512) return 'sound';
    repaired = repairHead(bytes);
    if (!repaired) return 'damaged';
  }
  const { frame, pageSize, sum } = formOf(bytes);
  let state = sum([0, 0], 0, 24);
  for (let at = headSize; at + frame <= bytes.length; at += frame) {
    const next = sum(sum(state, at, 8), at + frameHead, pageSize);
    if (!(hasSalt(bytes, at) && matches(bytes, at + 16, next))) {
      const repair = repairFrame(bytes, at, next);
      if (repair === 'unsure' || (repair === 'torn' && commitsAfter(bytes, at))) return 'damaged';
      if (repair === 'torn') break;
      repaired = true;
    }
    state = [bytes.readUInt32BE(at + 16), bytes.readUInt32BE(at + 20)];
  }
  return repaired ? 'repaired' : 'sound';
}

export interface Frame {
  page: number;
  bytes: Buffer;
  /** False from the first frame whose checksum is wrong. */
  sound: boolean;
}

/** Frames up to the last commit that can be seen, behind damage too: whoever reads them checks what they hold. */
export function readFrames(log: Buffer, pageSize: number): Frame[] {
  const frame = frameHead + pageSize;
  if (log.length < headSize + frame) return [];
  const whole = isHead(log) && formOf(log).pageSize === pageSize;
  // Where the head is unreadable, the frames say which ones belong together.
  const salt = whole ? log.subarray(16, 24) : log.subarray(headSize + 8, headSize + 16);
  const frames: Array<Frame & { commit: boolean }> = [];
  const { sum } = whole ? formOf(log) : { sum: checksum(log, false) };
  let state = sum([0, 0], 0, 24);
  let sound = whole;
  for (let at = headSize; at + frame <= log.length; at += frame) {
    state = sum(sum(state, at, 8), at + frameHead, pageSize);
    const sameSalt = salt.compare(log, at + 8, at + 16) === 0;
    sound &&= sameSalt && matches(log, at + 16, state);
    const page = log.readUInt32BE(at);
    const bytes = log.subarray(at + frameHead, at + frame);
    frames.push({ page, bytes, sound, commit: sameSalt && log.readUInt32BE(at + 4) !== 0 });
  }
  const last = frames.findLastIndex(({ commit }) => commit);
  return frames.slice(0, last + 1).filter(({ page }) => page > 0 && page < 1 << 24);
}

function commitsAfter(bytes: Buffer, broken: number): boolean {
  const { frame } = formOf(bytes);
  for (let at = broken + frame; at + frame <= bytes.length; at += frame)
    if (hasSalt(bytes, at) && bytes.readUInt32BE(at + 4) !== 0) return true;
  return false;
}

const hasSalt = (bytes: Buffer, frame: number): boolean =>
  bytes.compare(bytes, 16, 24, frame + 8, frame + 16) === 0;

function isHead(bytes: Buffer): boolean {
  const magic = bytes.readUInt32BE(0);
  const { pageSize, sum } = formOf(bytes);
  if ((magic & 0xfffffffe) >>> 0 !== 0x377f0682 || pageSize < 512 || pageSize > 65_536) return false;
  return matches(bytes, 24, sum([0, 0], 0, 24));
}

function formOf(bytes: Buffer) {
  const pageSize = bytes.readUInt32BE(8) || 65_536;
  return {
    pageSize,
    frame: frameHead + pageSize,
    sum: checksum(bytes, bytes.readUInt32BE(0) === 0x377f0683),
  };
}

function repairHead(bytes: Buffer): boolean {
  for (let bit = 0; bit < headSize * 8; bit++) {
    flip(bytes, bit);
    if (isHead(bytes) && hasSalt(bytes, headSize) && isFirstFrame(bytes)) return true;
    flip(bytes, bit);
  }
  return false;
}

function isFirstFrame(bytes: Buffer): boolean {
  const { pageSize, frame, sum } = formOf(bytes);
  if (headSize + frame > bytes.length) return false;
  const head = sum(sum([0, 0], 0, 24), headSize, 8);
  return matches(bytes, headSize + 16, sum(head, headSize + frameHead, pageSize));
}

/** One wrong bit in the salt, in the checksum, or in what the checksum covers. */
function repairFrame(bytes: Buffer, at: number, computed: Sums): 'repaired' | 'unsure' | 'torn' {
  if (matches(bytes, at + 16, computed)) {
    const bit = onlyDifference(bytes, at + 8, bytes.subarray(16, 24));
    if (bit === undefined) return 'torn';
    flip(bytes, bit);
    return 'repaired';
  }
  if (!hasSalt(bytes, at)) return 'torn';
  const sums = Buffer.alloc(8);
  sums.writeUInt32BE(computed[0], 0);
  sums.writeUInt32BE(computed[1], 4);
  const bits = [onlyDifference(bytes, at + 16, sums) ?? [], wrongBits(bytes, at, computed)].flat();
  const [only, ...more] = bits;
  if (only === undefined) return 'torn';
  if (more.length > 0) return 'unsure';
  flip(bytes, only);
  return 'repaired';
}

function onlyDifference(bytes: Buffer, at: number, right: Buffer): number | undefined {
  const bits: number[] = [];
  for (let bit = 0; bit < right.length * 8; bit++)
    if (isSet(bytes, at * 8 + bit) !== isSet(right, bit)) bits.push(at * 8 + bit);
  return bits.length === 1 ? bits[0] : undefined;
}

/**
 * Bits of which each alone would explain the checksum. The sum is linear: what a bit adds to it depends on how many pairs
 * of words follow. High bits of many words add the same.
 */
function wrongBits(bytes: Buffer, at: number, computed: Sums): number[] {
  const { pageSize } = formOf(bytes);
  const bigEndian = bytes.readUInt32BE(0) === 0x377f0683;
  const missing: Sums = [
    (bytes.readUInt32BE(at + 16) - computed[0]) | 0,
    (bytes.readUInt32BE(at + 20) - computed[1]) | 0,
  ];
  const places = [at, at + 4];
  for (let offset = 0; offset < pageSize; offset += 4) places.push(at + frameHead + offset);
  const found: number[] = [];
  let weights: [Sums, Sums] = [
    [1, 1],
    [0, 1],
  ];
  for (let word = places.length - 1; word >= 0; word--) {
    const place = places[word] ?? 0;
    const [first, second] = weights[word % 2] ?? [0, 0];
    for (let bit = 0; bit < 32; bit++) {
      const position = (place + (bigEndian ? 3 - (bit >> 3) : bit >> 3)) * 8 + (bit & 7);
      const change = isSet(bytes, position) ? -(1 << bit) | 0 : 1 << bit;
      if (Math.imul(first, change) === missing[0] && Math.imul(second, change) === missing[1])
        found.push(position);
    }
    if (word % 2 === 0) weights = [stepped(weights[0]), stepped(weights[1])];
  }
  return found;
}

const stepped = ([first, second]: Sums): Sums => {
  const next = (first + second) | 0;
  return [next, (second + next) | 0];
};

const isSet = (bytes: Buffer, bit: number): boolean => (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;

function flip(bytes: Buffer, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
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
