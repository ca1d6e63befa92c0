import { expect, test } from 'vitest';
import { runAttacks, type World } from '../support/agent-attacks.ts';
import { runnerAttacks } from '../support/agent-runner-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a file that tools run by themselves does in our sandbox nothing that it does with careless tools', async () => {
  const attack = async (guarded: boolean) => {
    const ran = new Set<string>();
    const attacks = (world: World) => runnerAttacks(world, ran);
    const outcomes = await runAttacks(temporaryDirectory(`runner-${guarded}`), attacks, { guarded });
    return { outcomes: [...outcomes], ran: [...ran].sort() };
  };
  const careless = await attack(false);
  const ours = await attack(true);
  expect(careless.outcomes.filter(([, did]) => !did)).toEqual([]);
  expect(ours.outcomes.filter(([, did]) => did)).toEqual([]);
  expect(ours.ran).toEqual(careless.ran);
  expect(ours.ran.length * 3).toBe(ours.outcomes.length);
}, 900_000);
