import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainReason, reportOf } from '../src/base/errors.ts';
import { embeddedOf, openLibrary, openLibraryCopy } from '../src/base/library/index.ts';
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
  const library = openLibrary({ url: database });
  expect(library.notice).toBeUndefined();
  expect(embeddedOf(library).get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  expect(embeddedOf(library).get<{ n: number }>('SELECT count(*) AS n FROM notes')!.n).toBeGreaterThanOrEqual(
    written,
  );
  embeddedOf(library).run("INSERT INTO notes (text) VALUES ('there is room again')");
  await library.close();
});

test('a full disk is named as one; reading goes on, and so does writing once there is room', async () => {
  const library = openLibrary({ url: join(temporaryDirectory('full'), 'sylk.db') });
  const marks = library.marks('test');
  await marks.set('before', '1');
  const { page_count: pages } = embeddedOf(library).get<{ page_count: number }>('PRAGMA page_count') ?? {
    page_count: 0,
  };
  embeddedOf(library).exec(`PRAGMA max_page_count = ${pages}`);
  const failure = await marks.set('too much', 'x'.repeat(100_000)).catch(reportOf);
  expect(failure).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^The disk is full \(ENOSPC\)/),
    hint: expect.stringMatching(/Free some space/),
  });
  expect([...(await marks.all()).keys()]).toEqual(['before']);
  embeddedOf(library).exec('PRAGMA max_page_count = 100000');
  await marks.set('after', '2');
  expect([...(await marks.all()).keys()].sort()).toEqual(['after', 'before']);
  await library.close();
});

test('where no state can be made because the disk is full, a write says to free some space', async () => {
  const why = plainReason(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  const library = openLibraryCopy(join(temporaryDirectory('full'), 'library.db'), why, 'SYLK_DIR');
  await expect(library.marks('test').set('a', '1')).rejects.toMatchObject({
    message: expect.stringMatching(/cannot be written: the disk is full/),
    hint: expect.stringMatching(/^Free some space/),
  });
  await library.close();
});
