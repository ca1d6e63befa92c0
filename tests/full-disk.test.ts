import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLibrary } from '../src/base/library/index.ts';
import { temporaryDirectory } from './support/temporary.ts';

const writer = join(import.meta.dirname, 'support', 'full-disk-writer.ts');

/** `ulimit -f` stands for a full disk: no write may go past so many blocks. */
const write = (database: string, blocks: number) => {
  const command = `ulimit -f ${blocks}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, writer, database], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as { written: number; report?: { code: string; message: string; hint: string } };
};

test('a disk that takes no more is named with the next step; what was acknowledged stays, and it starts again', async () => {
  const database = join(temporaryDirectory('full'), 'sylk.db');
  const { written, report } = write(database, 4000);
  expect(written).toBeGreaterThan(10);
  expect(report).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/disk/i),
    hint: expect.stringMatching(/again/),
  });
  const again = write(database, 4000);
  expect(again.report?.code).toBe('UNAVAILABLE');
  const library = openLibrary(database);
  expect(library.notice).toBeUndefined();
  expect(library.sqlite.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  expect(library.sqlite.get<{ n: number }>('SELECT count(*) AS n FROM notes')!.n).toBeGreaterThanOrEqual(
    written,
  );
  library.sqlite.run("INSERT INTO notes (text) VALUES ('there is room again')");
  await library.close();
});
