import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomNumbers } from '../bench/random.ts';
import { flipLibrary, tryFlip } from './support/bit-flips.ts';
import { temporaryDirectory } from './support/temporary.ts';

/** `npm run lab -- bit-flips` does this at full size. */
test('one wrong bit in a library of 500 rows: all rows are equal, or saved and lost are said and add up', async () => {
  const directory = temporaryDirectory('flips');
  const seed = 20_261_116;
  const random = randomNumbers(seed);
  const made = await flipLibrary(join(directory, 'file'));
  const logged = await flipLibrary(join(directory, 'log'), { inLog: true });
  expect(made.rows).toHaveLength(500);
  for (let at = 0; at < 15; at++) {
    const flips = [
      [made, { where: 'file', bit: Math.floor(random() * made.file.length * 8) }],
      [made, { where: 'file', bit: Math.floor(random() * 4096 * 8) }],
      [logged, { where: 'wal', bit: Math.floor(random() * logged.wal.length * 8) }],
    ] as const;
    for (const [library, flip] of flips)
      await expect(tryFlip(join(directory, 'flipped'), library, flip), `seed ${seed}`).resolves.toBeDefined();
  }
});

test.each(['_digests', '_definitions', '_schema', 'entries'])(
  'a wrong bit in the number of the page where %s begins loses no row, whichever page it names then',
  async (table) => {
    const directory = temporaryDirectory('flips');
    const made = await flipLibrary(join(directory, 'file'), { count: 200 });
    const before = `table${table}${table}`;
    const byte = made.file.indexOf(before) + before.length;
    expect(byte).toBeGreaterThan(before.length);
    for (let bit = byte * 8; bit < byte * 8 + 8; bit++)
      expect(await tryFlip(join(directory, 'flipped'), made, { where: 'file', bit })).toMatchObject({
        lost: 0,
      });
  },
);
