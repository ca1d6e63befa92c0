import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCases } from '../bench/stranger/cases/index.ts';
import { caseNamed, nastiest } from '../bench/stranger/nastiest.ts';
import { type Lab, openLab } from '../bench/stranger/open-lab.ts';
import { rememberTwin, runCase, type Slice, type Twin } from '../bench/stranger/run-case.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'sylk-stranger-')));
let lab: Lab;
let plain: Twin;

beforeAll(async () => {
  const whole = await openLab(work, join(import.meta.dirname, '..'));
  // Starting the server is the attack; a few requests show that it answers.
  const asked = ['get_status', 'search', 'get_briefing', 'browse_skills'];
  lab = { ...whole, offered: whole.offered.filter(({ name }) => asked.includes(name)) };
  plain = rememberTwin(lab);
});

afterAll(() => {
  lab.close();
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
});

test.each(nastiest)('nothing acts, leaks, hangs or is believed when %s (%s)', async (name, command) => {
  const tried = caseNamed(name);
  const commands = lab.commands.filter((each) => each.name === command);
  const isServer = command === 'http';
  expect(commands.length, `"${command}" is a command`).toBe(isServer ? 0 : 1);
  const twin = tried.twin ? rememberTwin(lab, tried.twin) : plain;
  const slices: Slice[] = isServer ? [{ surface: 'http', offered: lab.offered }] : [];
  const { failures } = await runCase(lab, tried, twin, { commands, slices });
  expect(failures).toEqual([]);
});

test('no two cases of the lab have one name', () => {
  const names = allCases.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
