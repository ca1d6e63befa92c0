import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killedLibrary } from '../../../tests/support/damage.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { inspectWal } from './wal-check.ts';

test('a single wrong bit anywhere in the write-ahead log is found; it is set right where the checksums name it, and never guessed', () => {
  const path = join(temporaryDirectory('wal-bits'), 'sylk.db');
  killedLibrary(path, 20);
  const wal = readFileSync(`${path}-wal`);
  expect(inspectWal(Buffer.from(wal))).toBe('sound');
  // Every bit of both heads, and bits all over the frames.
  const bits = Array.from({ length: 56 * 8 }, (_, bit) => bit);
  for (let bit = 56 * 8; bit < wal.length * 8; bit += 1 + Math.floor((wal.length * 8) / 150)) bits.push(bit);
  bits.push(wal.length * 8 - 1);
  const verdicts: Record<string, number> = {};
  for (const bit of bits) {
    const bytes = Buffer.from(wal);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const found = inspectWal(bytes);
    expect(found, `bit ${bit}`).not.toBe('sound');
    if (found === 'repaired') expect(bytes.equals(wal), `bit ${bit}`).toBe(true);
    verdicts[found] = (verdicts[found] ?? 0) + 1;
  }
  expect(verdicts['repaired']).toBeGreaterThan(bits.length / 2);
});
