import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { createGit } from '../../base/git/index.ts';
import { hubRefs } from './index.ts';

const run = 'run_1';
const saved = (name: string) => `refs/sylk/${run}/a/${name}`;
const tip = `refs/sylk/${run}/_tip`;

function twoClones() {
  const first = testRepository();
  const base = first.commit('first', { 'a.txt': 'one\n' });
  const work = first.commit('second', { 'a.txt': 'two\n' });
  const directory = temporaryDirectory('hub');
  const [address, second] = [join(directory, 'hub.git'), join(directory, 'clone')];
  spawnSync('git', ['init', '--quiet', '--bare', address]);
  spawnSync('git', ['clone', '--quiet', first.path, second]);
  const refsAt = (path: string) => hubRefs({ git: createGit(path), hub: { address }, place: path });
  const inHub = (ref: string) =>
    spawnSync('git', ['--git-dir', address, 'rev-parse', '--verify', '--quiet', ref], {
      encoding: 'utf8',
    }).stdout.trim();
  return { base, work, one: refsAt(first.path), other: refsAt(second), inHub };
}

test('a holder that was taken over pushes nothing any more, neither its own ref nor the tip', async () => {
  const { base, work, one, other, inHub } = twoClones();
  const request = { run, key: 'a', number: 5 };
  const old = await one.hold({ ...request, epoch: 1 });
  expect(old.wasHere).toBe(true);
  await old.write(saved('1-1'), base);
  expect(inHub(saved('1-1'))).toBe(base);

  const next = await other.hold({ ...request, epoch: 2 });
  expect(next.wasHere).toBe(false);
  await expect(old.write(saved('1-1'), work)).rejects.toThrow('taken a over');
  await expect(old.move(tip, work, '')).rejects.toThrow('taken a over');
  await expect(one.hold({ ...request, epoch: 1 })).rejects.toThrow('taken a over');
  expect([inHub(saved('1-1')), inHub(tip)]).toEqual([base, '']);

  await next.write(saved('1-2'), work);
  expect(await next.move(tip, work, base)).toBe(false);
  expect(await next.move(tip, work, '')).toBe(true);
  expect([inHub(saved('1-2')), inHub(tip)]).toEqual([work, work]);
});

test('holders of different keys do not disturb each other, and what one wrote the other reads', async () => {
  const { base, work, one, other, inHub } = twoClones();
  const [a, b] = await Promise.all([
    one.hold({ run, key: 'a', number: 5, epoch: 1 }),
    other.hold({ run, key: 'b', number: 5, epoch: 1 }),
  ]);
  await Promise.all([a.write(saved('1-1'), base), b.write(`refs/sylk/${run}/b/1-1`, work)]);
  await a.write(saved('1-1'), work);
  await a.write(saved('1-1'), '');
  expect([inHub(saved('1-1')), inHub(`refs/sylk/${run}/b/1-1`)]).toEqual(['', work]);
});
