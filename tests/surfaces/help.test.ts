import { expect, test } from 'vitest';
import { nouns } from '../../src/operations/list.ts';
import { matchCommand } from '../../src/surfaces/cli/command.ts';
import { runCli } from '../../src/surfaces/cli/index.ts';
import { matchVerb } from '../../src/surfaces/cli/verbs.ts';

async function printed(...args: string[]): Promise<string> {
  const parts: string[] = [];
  const out = (text: string) => parts.push(text);
  await runCli(args, { out, err: out, env: {}, cwd: process.cwd(), terminal: false, colour: false });
  return parts.join('');
}

test('help fits a terminal of 80 columns and 24 lines, and starts with ask', async () => {
  const lines = (await printed('help')).trimEnd().split('\n');
  expect(lines.length).toBeLessThan(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.find((line) => line.startsWith('  '))).toMatch(/^ {2}ask /);
});

test('every command that help names exists', async () => {
  const usages = (await printed('help')).split('Topics')[0]?.match(/^ {2}[a-z ]+/gm) ?? [];
  expect(usages).toHaveLength(8);
  for (const usage of usages) {
    const words = usage.trim().split('  ')[0]?.trim().split(' ') ?? [];
    expect(matchVerb(words) ?? matchCommand(words), usage).toBeDefined();
  }
});

test('every topic lists its commands, and help all names each of them', async () => {
  const all = await printed('help', 'all');
  for (const { noun, verbs } of nouns) {
    const page = await printed('help', noun);
    for (const verb of Object.values(verbs)) {
      if (verb === null) continue;
      expect(page, noun).toContain(`sylk ${verb}`);
      expect(all).toContain(verb);
    }
  }
});

test('an example gives a list as a flag takes it', async () => {
  expect(await printed('help', 'check')).toContain('sylk check --only formatter --base HEAD');
});
