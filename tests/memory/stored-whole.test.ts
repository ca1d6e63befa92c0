import { expect, test } from 'vitest';
import { embeddedOf } from '../../src/base/library/index.ts';
import { conversations } from '../support/memory.ts';

test('an entry whose links cannot be written is not stored, and the same words are accepted afterwards', async () => {
  const agent = conversations().agent('client');
  const entry = { content: 'Refunds are rare, see src/a.ts.', category: 'decision' };
  await agent.app.graph();
  const sqlite = embeddedOf(await agent.app.library());
  sqlite.exec("CREATE TRIGGER refuse BEFORE INSERT ON ref_edges BEGIN SELECT RAISE(ABORT, 'refused'); END");
  await expect(agent.call('store_entry', entry)).rejects.toThrow('refused');
  expect(await agent.call('search_history', { query: 'refunds' })).toMatchObject({ total: 0 });
  expect(sqlite.value('SELECT count(*) FROM entries')).toBe(0);
  sqlite.exec('DROP TRIGGER refuse');
  expect(await agent.call('store_entry', entry)).toMatchObject({ result: 'accepted', edges: 2 });
});
