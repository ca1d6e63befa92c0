import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { findRepository } from '../../src/base/git/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { memoryDump } from '../support/memory-dump.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const writer = join(import.meta.dirname, '..', 'support', 'suspending-writer.ts');

function suspendedAndKilled() {
  const repository = testRepository();
  repository.commit('first', { 'a.txt': 'one\n' });
  const { stdout, signal, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', writer, repository.path],
    { encoding: 'utf8' },
  );
  expect(signal, stderr).toBe('SIGKILL');
  return { repository, ...(JSON.parse(stdout) as { id: string; dump: string[] }) };
}

async function resumedAt(directory: string, id: string) {
  const app = openApp({ directory });
  onTestFinished(() => app.close());
  const call = async (name: string, input: object = {}) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output;
  };
  expect(await call('get_session', { id })).toMatchObject({ session: { state: 'suspended' } });
  expect(await call('resume_session', { id })).toMatchObject({
    state: 'active',
    context: {
      current_task: 'limit done',
      next_steps: ['docs'],
      current_step: 'tests',
      blockers: ['a name'],
    },
  });
  expect(await call('scratchpad_read', { key: 'all', session: id })).toMatchObject({
    notes: [{ key: 'tried', content: 'a global counter' }],
  });
  return app;
}

test('suspend, kill -9, resume in a fresh process from another working tree: the dumps are equal', async () => {
  const { repository, id, dump } = suspendedAndKilled();
  const elsewhere = join(temporaryDirectory('elsewhere'), 'tree');
  repository.git('worktree', 'add', '-q', elsewhere, '-b', 'side');
  const app = await resumedAt(elsewhere, id);
  expect(await memoryDump(app)).toEqual(dump);
  expect(dump.length).toBeGreaterThan(12);
});

test('suspend, kill -9, resume in a copy on another machine, log of writes included: the dumps are equal', async () => {
  const { repository, id, dump } = suspendedAndKilled();
  const clone = testRepository();
  clone.commit('first', { 'a.txt': 'one\n' });
  const state = findRepository(clone.path).state.prepare();
  for (const name of ['library.db', 'library.db-wal']) {
    const from = join(repository.path, '.git', 'sylk', name);
    if (existsSync(from)) cpSync(from, join(state, name));
  }
  const app = await resumedAt(clone.path, id);
  expect(await memoryDump(app)).toEqual(dump);
});
