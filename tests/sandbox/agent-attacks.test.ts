import { expect, test } from 'vitest';
import { runAttacks, type World } from '../support/agent-attacks.ts';
import { escapes } from '../support/agent-escapes.ts';
import { injections } from '../support/agent-injections.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const succeeded = (outcomes: Map<string, boolean>) =>
  [...outcomes].filter(([, did]) => did).map(([id]) => id);
const failed = (outcomes: Map<string, boolean>) => [...outcomes].filter(([, did]) => !did).map(([id]) => id);

test.each([
  ['escape', (world: World) => ({ attacks: escapes(world) }), 60],
  ['injection', injections, 40],
] as const)(
  'every %s succeeds with a careless agent and fails with ours',
  async (_, attacks, least) => {
    const careless = await runAttacks(temporaryDirectory('careless'), attacks, { guarded: false });
    const ours = await runAttacks(temporaryDirectory('guarded'), attacks, { guarded: true });
    expect(failed(careless)).toEqual([]);
    expect(succeeded(ours)).toEqual([]);
    expect(ours.size).toBe(careless.size);
    expect(ours.size).toBeGreaterThanOrEqual(least);
  },
  900_000,
);
