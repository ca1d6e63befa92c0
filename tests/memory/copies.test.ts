import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Conversation, conversations } from '../support/memory.ts';
import { secrets } from '../support/secrets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function lived(agent: Conversation): Promise<void> {
  const first = await agent.call<{ node_id: string }>('store_entry', {
    content: 'Attempts are counted in memory.',
    category: 'decision',
    title: 'attempts',
  });
  await agent.call('store_entry', {
    content: 'Attempts are counted in the database.',
    category: 'decision',
    title: 'attempts',
    supersedes: first.node_id,
  });
  await agent.call('record_failure', { approach: 'a global counter', reason: 'shared between users' });
  await agent.call('record_file', { path: 'src/a.ts', operation: 'modified' });
  await agent.call('scratchpad_write', { key: 'k', note: 'n' });
  await agent.call('save_checkpoint', { summary: 's', completed: ['a'], next_steps: ['b'] });
  await agent.call('snapshot_session', {});
}

const exported = async (person: Conversation) => {
  const path = join(temporaryDirectory('export'), 'memory.json');
  await person.call('export_memory', { path });
  return { path, text: readFileSync(path, 'utf8') };
};

const saidIn = (text: string): unknown[] => {
  const { tables } = JSON.parse(text) as { tables: Record<string, Array<Record<string, unknown>>> };
  return Object.entries(tables)
    .filter(([table]) => table !== 'session_bindings')
    .flatMap(([table, rows]) =>
      rows.map(({ id, ref, title, content }) => ({ table, id, ref, title, content })),
    );
};

test('backup and restore: what was there at the time of the copy is there again, and the state between is kept', async () => {
  const { agent, person } = conversations();
  const one = agent('client');
  const somebody = person();
  await lived(one);
  const before = (await exported(somebody)).text;
  const { path, rows } = await somebody.call<{ path: string; rows: number }>('backup_library');
  expect(rows).toBeGreaterThan(10);
  const { backups } = await somebody.call<{ backups: Array<{ name: string; reason: string }> }>(
    'restore_library',
    {},
  );
  expect(backups).toContainEqual(expect.objectContaining({ name: basename(path), reason: 'by hand' }));
  await one.call('store_entry', { content: 'Said after the copy.', category: 'insight' });
  const restored = await somebody.call<{ before: string; rows: number }>('restore_library', { path });
  expect(restored.rows).toBe(rows);
  expect((await exported(somebody)).text).toBe(before);
  const search = { query: 'database', cross_session: true };
  expect(await somebody.call('search_history', search)).toMatchObject({ total: 1 });
  await somebody.call('restore_library', { path: restored.before });
  expect((await exported(somebody)).text).toContain('Said after the copy.');
  await one.call('store_entry', { content: 'And it goes on.', category: 'insight' });
});

test('a copy that is damaged, foreign or missing is refused, and nothing changes', async () => {
  const { agent, person } = conversations();
  await lived(agent('client'));
  const somebody = person();
  const before = (await exported(somebody)).text;
  const { path } = await somebody.call<{ path: string }>('backup_library');
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4096, 4096 * 4);
  writeFileSync(path, bytes);
  const text = join(temporaryDirectory('foreign'), 'notes.txt');
  writeFileSync(text, 'not a database, though long enough to be looked at as one'.repeat(50));
  for (const bad of [path, text, join(text, 'gone.db')])
    await expect(somebody.call('restore_library', { path: bad })).rejects.toMatchObject({
      code: expect.stringMatching(/VALIDATION_ERROR|NOT_FOUND/),
    });
  expect((await exported(somebody)).text).toBe(before);
});

test('export and import: another repository knows the same, twice is as once, and it can be searched', async () => {
  const here = conversations();
  await lived(here.agent('client'));
  const from = await exported(here.person());
  const there = conversations();
  const somebody = there.person();
  const { added } = await somebody.call<{ added: Record<string, number> }>('import_memory', {
    path: from.path,
  });
  expect(added).toMatchObject({ entries: 3, sessions: 1, scratchpad: 1, checkpoints: 1, file_log: 1 });
  const imported = (await exported(somebody)).text;
  expect(saidIn(imported)).toEqual(saidIn(from.text));
  expect(await somebody.call('import_memory', { path: from.path })).toMatchObject({ added: {} });
  expect((await exported(somebody)).text).toBe(imported);
  expect(
    await somebody.call('search_history', { query: 'global counter', cross_session: true }),
  ).toMatchObject({
    total: 1,
  });
});

test('an import with secrets in it stores none of them, and a wrong file changes nothing', async () => {
  const here = conversations();
  await lived(here.agent('client'));
  const from = await exported(here.person());
  const token = secrets['github token']!.text;
  writeFileSync(from.path, from.text.replaceAll('global counter', token));
  const somebody = conversations().person();
  await somebody.call('import_memory', { path: from.path });
  expect((await exported(somebody)).text).not.toContain(token);
  for (const wrong of [
    '{}',
    '[1]',
    'no json',
    '{"format":"sylk-memory","version":1,"tables":{"entries":[{}]}}',
  ]) {
    writeFileSync(from.path, wrong);
    await expect(somebody.call('import_memory', { path: from.path })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  }
});
