import { expect, test } from 'vitest';
import { runBusLoad } from '../support/bus-load.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a stuck agent, a full queue, poison and a flood cost nobody else, and every message ends', async () => {
  const load = await runBusLoad({ directory: temporaryDirectory('bus-load'), queued: 5000 });
  expect(load.done + load.dead + load.expired).toBe(load.accepted);
  expect(load.left).toBe(0);
  // One session never has all hands of an agent: one message at the stuck one, three that waited for it.
  expect(load.expired).toBe(3);
  expect(load.refused).toBeGreaterThanOrEqual(100);
  expect(load.jain).toBeGreaterThan(0.95);
  expect(load.quietDone).toBe(load.quietSent);
  expect(load).toMatchObject({ breakerOpened: true, breakerClosed: true, replayed: 5 });
});
