import { crc32 } from 'node:zlib';
import { state } from '../files/index.ts';

export interface FileSum {
  bytes: number;
  checksum: number;
}

export function checksumOf(path: string): FileSum | undefined {
  const sum = { bytes: 0, checksum: 0 };
  try {
    state.pieces(path, (piece) => {
      sum.checksum = crc32(piece, sum.checksum);
      sum.bytes += piece.length;
    });
    return sum;
  } catch {
    return undefined;
  }
}

/** Which file this is and when it was last touched. Whoever writes to it or puts another in its place changes this. */
export const sealOf = (path: string): string | undefined => state.entry(path)?.mark;

/** File systems tell times no finer than this. */
const tick = 25;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** The sum of a file with the seal that stands for exactly these bytes; no seal when somebody writes to it meanwhile. */
export function sealUntouched(path: string): (FileSum & { seal?: string }) | undefined {
  // A write within the same tick would not show in the seal.
  Atomics.wait(sleeper, 0, 0, tick);
  const before = sealOf(path);
  const sum = checksumOf(path);
  return sum && before && before === sealOf(path) ? { ...sum, seal: before } : sum;
}
