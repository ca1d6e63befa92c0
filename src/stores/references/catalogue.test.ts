import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testReferences } from '../../../tests/support/references.ts';
import { testSite } from '../../../tests/support/site.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { pauseBetween } from './catalogue.ts';

const local = () => {
  const path = temporaryDirectory('source');
  writeFileSync(join(path, 'a.md'), '# A\n\nText.\n');
  return { type: 'local' as const, path };
};

test('academic_sources knows address, interface, rate, login and when something was last fetched from it', async () => {
  const site = await testSite((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<main><h1>Page</h1><p>Words of it.</p></main>'),
  );
  const { store, create } = await testReferences({ allowHosts: [site.host] });
  expect(await store.sources()).toEqual([]);
  await create({ title: 'Page', sources: [{ type: 'web', url: `${site.url}/page` }] });
  const sources = await store.sources();
  expect(sources[0]).toEqual({
    id: site.host,
    name: site.host,
    base_url: new URL(site.url).origin,
    api_endpoint: null,
    rate_limit_per_min: null,
    requires_auth: false,
    last_crawled_at: '2025-06-15T10:00:00.000Z',
  });
  expect(sources.find(({ id }) => id === 'arxiv')).toMatchObject({
    api_endpoint: 'https://export.arxiv.org/api/query',
    rate_limit_per_min: 20,
    last_crawled_at: null,
  });
});

test('library_docs leads from a library to the topic that documents it, and forgets obsolete and deleted ones', async () => {
  const { store, create, clock } = await testReferences({});
  const old = await create({ title: 'Zod 3', sources: [local()], library: 'zod', library_version: '3.23.0' });
  clock.advance(1000);
  const now = await create({ title: 'Zod 4', sources: [local()], library: 'zod', library_version: '4.1.0' });
  expect(await store.libraryDocs('zod')).toMatchObject([
    { topic_id: now.topic_id, library_version: '4.1.0' },
  ]);
  await store.update({ topic_id: now.topic_id, status: 'obsolete' });
  expect(await store.libraryDocs()).toMatchObject([{ library: 'zod', topic_id: old.topic_id }]);
  await store.remove(old.topic_id);
  expect(await store.libraryDocs('zod')).toEqual([]);
});

test('a place that names a rate is asked no faster than that', () => {
  expect(pauseBetween('https://arxiv.org/abs/1706.03762')).toBe(3000);
  expect(pauseBetween('https://docs.example.org/')).toBe(0);
});
