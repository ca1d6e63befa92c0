import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import { embeddedOf } from '../../src/base/library/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';

test('a process that stays forgets messages that were done a month ago, and keeps what they stored', async () => {
  const repository = testRepository();
  repository.commit('start', { 'a.ts': 'export const a = 1;\n' });
  const clock = fixedClock(Date.now());
  const app = openApp({ directory: repository.path, clock, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const input = { type: 'STORE_REQUEST', payload: 'The build is green again.' };
  const sent = await runOperation(app, {
    name: 'send_message',
    input,
    caller: { kind: 'person', name: 'test' },
  });
  expect(sent.ok, JSON.stringify(sent)).toBe(true);
  const sqlite = embeddedOf(await app.library());
  const count = (table: string) => sqlite.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n;
  const entries = count('entries');
  expect(count('messages')).toBe(1);
  expect(entries).toBeGreaterThan(0);
  clock.advance(31 * 86_400_000);
  await app.startBackground();
  expect(count('messages')).toBe(0);
  expect(count('entries')).toBe(entries);
});

test('an app that is closed at any moment of its start ends without a failure that nobody catches', async () => {
  const repository = testRepository();
  repository.commit('feat: start', { 'a.ts': 'export const a = 1;\n' });
  const uncaught: unknown[] = [];
  const listen = (error: unknown) => uncaught.push(error);
  process.on('unhandledRejection', listen);
  onTestFinished(() => void process.off('unhandledRejection', listen));
  const open = () => openApp({ directory: repository.path, flags: ['embedding.enabled=false'] });
  const first = open();
  await first.guide().then((guide) => guide.bus());
  await first.close();
  for (let turns = 0; turns < 40; turns += 4) {
    const app = open();
    const started = app.startBackground();
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await app.close();
    await started;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(uncaught).toEqual([]);
});
