import { expect, test } from 'vitest';
import { progressBar } from '../../src/surfaces/cli/progress-bar.ts';

function shown(terminal: boolean) {
  const texts: string[] = [];
  let time = 0;
  const io = {
    out: () => {},
    err: (text: string) => texts.push(text),
    env: {},
    cwd: '/',
    terminal,
    colour: false,
  };
  const bar = progressBar(io, false, () => time);
  return {
    texts,
    at: (ms: number, message: string, done: number, total: number) => {
      time = ms;
      bar.show({ type: 'progress', message, done, total });
    },
  };
}

test('rate and time left are those of the work at hand, not of what came before it', () => {
  const { texts, at } = shown(true);
  at(1000, 'code: 1 of 100 files read', 1, 100);
  at(60_000, 'links: 0 of 10 files checked', 0, 10);
  at(62_000, 'links: 4 of 10 files checked', 4, 10);
  expect(texts.at(-1)).toMatch(/40% links: 4 of 10 files checked 2\/s 3s left$/);
});

test('a log gets a line every five seconds, without signs of a terminal', () => {
  const { texts, at } = shown(false);
  for (let second = 1; second <= 11; second += 1)
    at(second * 1000, `code: ${second} of 20 files`, second, 20);
  expect(texts).toEqual(['25% code: 5 of 20 files 1/s 12s left\n', '50% code: 10 of 20 files 1/s 9s left\n']);
});
