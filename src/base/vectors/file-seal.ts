import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';

export interface FileSum {
  bytes: number;
  checksum: number;
}

const step = 1 << 22;

export function checksumOf(path: string): FileSum | undefined {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const buffer = Buffer.allocUnsafe(step);
    let bytes = 0;
    let checksum = 0;
    for (;;) {
      const got = readSync(handle, buffer, 0, step, bytes);
      if (got === 0) return { bytes, checksum };
      checksum = crc32(buffer.subarray(0, got), checksum);
      bytes += got;
    }
  } finally {
    closeSync(handle);
  }
}

/** Which file this is and when it was last touched. Whoever writes to it or puts another in its place changes this. */
export function sealOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return undefined;
  }
}

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
