import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { movedTime } from '../../../tests/support/bus.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import type { Hop } from './contract.ts';
import { createTrace, createTraceFile, streamHops } from './trace.ts';

const hop = (seq: number, more: Partial<Hop> = {}): Hop => ({
  at: `2026-01-01T00:00:0${seq}.000Z`,
  message_id: `m${seq}`,
  session_id: 'ses_a',
  type: 'CONTEXT_REQUEST',
  source: 'user',
  target: 'librarian',
  priority: 'normal',
  status: 'done',
  attempt: 1,
  waited_ms: 0,
  ran_ms: 1,
  ...more,
});
const ids = (hops: object[]) => hops.map((each) => (each as Hop).message_id);

test('the file answers the newest hops that match, oldest first, and a torn line costs itself', () => {
  const path = join(temporaryDirectory('trace'), 'trace.jsonl');
  const file = createTraceFile(path);
  file.append([]);
  expect(existsSync(path)).toBe(false);
  file.append([hop(1), hop(2, { session_id: 'ses_b' })]);
  appendFileSync(path, '{"seq":\n');
  file.append([hop(3, { target: 'academic' }), hop(4, { correlation_id: 'm1' })]);
  expect(ids(file.read({ limit: 10 }))).toEqual(['m1', 'm2', 'm3', 'm4']);
  expect(ids(file.read({ limit: 2 }))).toEqual(['m3', 'm4']);
  expect(ids(file.read({ limit: 9, session: 'ses_b' }))).toEqual(['m2']);
  expect(ids(file.read({ limit: 9, agent: 'academic' }))).toEqual(['m3']);
  expect(ids(file.read({ limit: 9, agent: 'user' }))).toEqual(['m1', 'm2', 'm3', 'm4']);
  expect(ids(file.read({ limit: 9, message: 'm1' }))).toEqual(['m1', 'm4']);
  expect(ids(file.read({ limit: 9, since: hop(2).at }))).toEqual(['m3', 'm4']);
});

test('the file stays within its size: the older half goes when the newer one is full', () => {
  const path = join(temporaryDirectory('trace'), 'trace.jsonl');
  const size = JSON.stringify({ ...hop(1), pid: process.pid }).length + 1;
  const file = createTraceFile(path, size * 4);
  for (let seq = 1; seq <= 9; seq++) file.append([hop(seq)]);
  expect(ids(file.read({ limit: 99 }))).toEqual(['m4', 'm5', 'm6', 'm7', 'm8', 'm9']);
});

test('a stream gets the newest hops of a moment together and the count of the others; the rest comes at the end', async () => {
  const time = movedTime();
  const trace = createTrace();
  const batches: Array<{ hops: Hop[]; left_out: number }> = [];
  const stop = streamHops(trace, (batch) => batches.push(batch), { time, every: 200, most: 2 });
  for (const seq of [1, 2, 3]) trace.record(hop(seq));
  await time.advance(199);
  expect(batches).toEqual([]);
  await time.advance(1);
  trace.record(hop(4));
  await time.advance(200);
  trace.record(hop(5));
  stop();
  trace.record(hop(6));
  await time.advance(1000);
  expect(batches.map(({ hops, left_out }) => [ids(hops), left_out])).toEqual([
    [['m2', 'm3'], 1],
    [['m4'], 0],
    [['m5'], 0],
  ]);
});

test('a watcher that throws disturbs nobody', () => {
  const trace = createTrace();
  const seen: Hop[] = [];
  trace.watch(() => {
    throw new Error('no');
  });
  trace.watch((each) => seen.push(each));
  for (const seq of [1, 2, 3]) trace.record(hop(seq));
  expect(ids(seen)).toEqual(['m1', 'm2', 'm3']);
});
