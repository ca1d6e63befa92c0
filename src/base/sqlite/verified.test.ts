import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openLibrary } from '../library/index.ts';

async function flipped(path: string, keepTime: boolean): Promise<string | undefined> {
  const before = statSync(path);
  const bytes = readFileSync(path);
  const at = bytes.indexOf('a value to be damaged');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  if (keepTime) utimesSync(path, before.atime, before.mtime);
  const library = openLibrary({ url: path });
  await library.close();
  return library.notice;
}

test.each([true, false])(
  'a wrong bit in a library that was verified before is found (the time of the file kept: %s)',
  async (keepTime) => {
    const path = join(temporaryDirectory('verified'), 'sylk.db');
    const library = openLibrary({ url: path });
    await library.marks('test').set('name', 'a value to be damaged');
    await library.close();
    await openLibrary({ url: path }).close();
    expect(existsSync(`${path}.checked`)).toBe(true);
    expect(await flipped(path, keepTime)).toMatch(/The library was damaged: \d+ rows saved/);
  },
);
