import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedOf, openLibrary } from '../src/base/library/index.ts';
import { dumpRows, flipLibrary } from './support/bit-flips.ts';
import { temporaryDirectory } from './support/temporary.ts';

/** Kills the process right before or after its nth change of a directory: links, moves, removals. */
const failpoint = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const [at, when] = process.env.KILL_AT.split(' ');
let count = 0;
for (const name of ['linkSync', 'renameSync', 'rmSync']) {
  const real = fs[name];
  fs[name] = (...given) => {
    const mine = ++count === Number(at);
    if (mine && when === 'before') process.kill(process.pid, 'SIGKILL');
    const result = real(...given);
    if (mine) process.kill(process.pid, 'SIGKILL');
    return result;
  };
}
syncBuiltinESMExports();
const { openLibrary } = await import(process.env.LIBRARY);
const library = openLibrary({ url: process.env.FILE });
console.log(library.notice);
await library.close();
`;

test('a salvage that is killed at any step is ended by the next opening, told, and nothing is lost twice', async () => {
  const directory = temporaryDirectory('salvage-kills');
  const made = await flipLibrary(join(directory, 'made'), { count: 200 });
  const bytes = Buffer.from(made.file);
  // A row is wrong wherever it stands, and the header names another encoding of text.
  const text = 'Number 3 holds';
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) bytes[at] = 0x6e;
  bytes[59] = 3;
  const script = join(directory, 'failpoint.mjs');
  writeFileSync(script, failpoint);
  const library = join(import.meta.dirname, '../src/base/library/index.ts');
  const open = async (path: string) => {
    const opened = openLibrary({ url: path });
    const rows = dumpRows(embeddedOf(opened)).length;
    await opened.close();
    return { rows, notice: opened.notice };
  };
  const counted = (notice: string | undefined) => {
    const [, saved, lost] = /(\d+) rows saved, (\d+) lost/.exec(notice ?? '') ?? [];
    return [Number(saved), Number(lost)];
  };
  writeFileSync(join(directory, 'whole.db'), bytes);
  const whole = await open(join(directory, 'whole.db'));
  const [saved = 0, lost = 0] = counted(whole.notice);
  expect([saved, saved + lost, lost > 0]).toEqual([whole.rows, 200, true]);
  let kills = 0;
  for (const when of ['before', 'after'])
    for (let at = 1; at < 60; at++) {
      const place = join(directory, `${when}-${at}`);
      mkdirSync(place);
      const path = join(place, 'sylk.db');
      writeFileSync(path, bytes);
      const env = { ...process.env, KILL_AT: `${at} ${when}`, LIBRARY: library, FILE: path };
      const child = spawnSync(process.execPath, ['--no-warnings', script], { env, encoding: 'utf8' });
      if (child.signal !== 'SIGKILL') {
        expect([child.status, child.stderr]).toEqual([0, '']);
        break;
      }
      kills++;
      const next = await open(path);
      const told = `${child.stdout}${next.notice}`;
      const step = `killed ${when} step ${at}: ${told}`;
      expect([next.rows, ...counted(told)], step).toEqual([saved, saved, lost]);
      expect((await open(path)).notice, step).toBeUndefined();
      expect(
        readdirSync(place).filter((name) => /^sylk\.db\.(saving|saved|salvaged)/.test(name)),
        step,
      ).toEqual([]);
    }
  expect(kills).toBeGreaterThan(10);
});
