import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { openSqlite } from '../../src/base/sqlite/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a topic fetched while the background runs gets the vectors of the model by itself', async () => {
  const home = temporaryDirectory('home');
  writeFileSync(join(home, 'config.yaml'), 'approvals:\n  rules: [{ action: allow }]\n');
  const source = temporaryDirectory('source');
  writeFileSync(join(source, 'hooks.md'), '# Hooks\n\nAn effect runs after a component has been rendered.\n');
  const project = testRepository();
  project.commit('x', { 'README.md': 'app\n' });
  const app = openApp({ mode: 'server', directory: project.path, env: { ...process.env, SYLK_HOME: home } });
  onTestFinished(() => app.close());
  await app.startBackground();
  const made = await runOperation(app, {
    name: 'reference_topic_create',
    input: { title: 'Hooks', body: 'About hooks.', sources: [{ type: 'local', path: source }] },
    caller: { kind: 'agent', name: 'client' },
  });
  expect(made).toMatchObject({ ok: true, output: { embedded: { of: 1 } } });
  const indexes = join(app.user.state, 'references');
  const [directory = ''] = readdirSync(indexes);
  const index = openSqlite(join(indexes, directory, 'references.db'), { readOnly: true });
  onTestFinished(() => index.close());
  const tiers = () => index.all('SELECT tier FROM vectors_reference_chunks');
  await expect.poll(tiers, { interval: 200 }).toEqual([{ tier: 1 }]);
});
