import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedOf } from '../../src/base/library/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { openStores, person } from '../support/work-stores.ts';

const pageSize = 4096;

test('a library with a damaged page is saved: tags, links and the text index work afterwards', async () => {
  const stores = openStores();
  const project = await stores.project();
  for (let at = 0; at < 60; at++) {
    const made = await stores.task(`Task ${at}`, {
      projectId: project.id,
      tags: ['kept'],
      description: 'words '.repeat(60),
    });
    await stores.work.block(person, {
      kind: 'task',
      id: made.id,
      version: 1,
      blockedBy: ['NO_OP'],
      reason: 'r',
    });
  }
  embeddedOf(stores.library).exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const directory = temporaryDirectory('damage');
  const pages = readFileSync(stores.path).length / pageSize;
  let saved = 0;
  for (const [at, share] of [0.2, 0.4, 0.6, 0.8].entries()) {
    const path = join(directory, `${at}.db`);
    copyFileSync(stores.path, path);
    const bytes = readFileSync(path);
    bytes.fill(0x5a, Math.floor(pages * share) * pageSize, (Math.floor(pages * share) + 1) * pageSize);
    writeFileSync(path, bytes);
    const after = openStores({ path });
    await after.task('Written afterwards', { tags: ['new'] });
    expect((await after.work.searchText({ query: 'afterwards', limit: 5 })).length).toBeGreaterThan(0);
    if (after.library.notice === undefined) continue;
    const tags = await after.work.listTags();
    if ((tags.find((one) => one.tag === 'kept')?.count ?? 0) > 0) saved++;
  }
  expect(saved).toBeGreaterThan(0);
});
