import { fileSignals } from '../src/stores/history/index.ts';
import { seededRandom } from '../tests/support/random-history.ts';
import { historyAt } from './history/at-commit.ts';
import type { BenchOptions } from './run-named.ts';

const seed = 20_261_115;
const pieces = [
  '"',
  "'",
  'AND',
  'OR',
  'NOT',
  'NEAR(',
  ')',
  '*',
  '^',
  ':',
  '-',
  'rate-limiting',
  'select_related',
  'getHTTP',
  '😀',
  '\0',
  '\n',
  '%',
  '--',
  'fix',
  'the',
  'test',
  'É',
  '日本',
  '{',
  '}',
  '\\',
  '/',
  '..',
  'ﷺ',
  '\ud800',
];

/** Ten thousand strings of every kind: no error, and the slowest answer beside the median. */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const count = Number(words[0] ?? 10_000);
  for (const directory of from) {
    const { history, remove } = historyAt(directory);
    const { view } = await history.ready();
    fileSignals(view, 'warm');
    const random = seededRandom(seed);
    const times: number[] = [];
    let slowest = { ms: 0, text: '' };
    for (let at = 0; at < count; at++) {
      const parts = Array.from(
        { length: 1 + Math.floor(random() * 12) },
        () => pieces[Math.floor(random() * pieces.length)]!,
      );
      const text =
        at % 500 === 0
          ? parts.join(' ').repeat(2000).slice(0, 10_000)
          : parts.join(random() < 0.5 ? ' ' : '');
      const start = performance.now();
      fileSignals(view, text);
      const ms = performance.now() - start;
      times.push(ms);
      if (ms > slowest.ms) slowest = { ms, text: text.slice(0, 60) };
    }
    times.sort((a, b) => a - b);
    console.log(
      `${directory}: ${count} searches (seed ${seed}), median ${times[Math.floor(count / 2)]!.toFixed(2)} ms, slowest ${slowest.ms.toFixed(1)} ms for ${JSON.stringify(slowest.text)}`,
    );
    remove();
  }
}
