import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../clock.ts';
import { createPresence, newOwner } from './index.ts';

test.each(databases)(
  'an owner lives for a minute after its last beat, and no longer than its process ($name)',
  async ({ freshUrl }) => {
    const library = openForTest(await freshUrl());
    const clock = fixedClock();
    const presence = createPresence({ library, clock });
    const [own, other] = [newOwner(), newOwner()];
    expect(own).not.toBe(other);
    const ended = `${hostname()}/${spawnSync(process.execPath, ['-e', '']).pid}/1/x`;
    const elsewhere = 'another-machine/1/1/x';
    for (const owner of [own, other, ended, elsewhere]) await presence.beat(owner);
    expect((await presence.living()).sort()).toEqual([own, other, elsewhere].sort());
    clock.advance(60_000);
    await presence.beat(own);
    expect((await presence.living()).sort()).toEqual([own, other, elsewhere].sort());
    clock.advance(1);
    expect(await presence.living()).toEqual([own]);
    await presence.leave(own);
    expect(await presence.living()).toEqual([]);
  },
);
