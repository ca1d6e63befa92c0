import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBusKills } from '../support/bus-kills.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('25 kills with messages in flight: each comes again under its id, none is lost, none is acted on twice', async () => {
  const round = await runBusKills({
    path: join(temporaryDirectory('bus-kills'), 'sylk.db'),
    points: Array.from({ length: 25 }, (_, at) => 15 + at * 5),
  });
  expect(round.kills).toBe(25);
  expect(round.lost).toEqual([]);
  expect(round.actedTwice).toEqual([]);
  expect(round.acknowledged).toBeGreaterThan(20);
  expect(round.deliveredAgain).toBeGreaterThan(0);
  expect(round.states).toBeGreaterThan(5);
});
