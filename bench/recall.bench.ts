import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStaticEmbedder } from '../src/base/embedding/index.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { createCodeSource } from '../src/engines/recall/code-source.ts';
import { createRecall } from '../src/engines/recall/recall.ts';
import { searchAll } from '../src/engines/recall/search-all.ts';
import { openPassages } from '../src/stores/passages/index.ts';
import type { BenchOptions } from './run-named.ts';

const verbs =
  'open close read write parse render retry limit cache queue merge split encode decode sign verify load store watch index'.split(
    ' ',
  );
const nouns =
  'session cookie socket header router template palette cursor window token ledger invoice parser buffer schema branch commit folder report ticket'.split(
    ' ',
  );
const extras =
  'early late slow fast broken empty nested shared remote local hidden visible signed stale fresh partial nightly weekly manual pending'.split(
    ' ',
  );

/** P8: search_all over generated passages at three sizes, warm and in process, beside one indexed SQLite read. Words: sizes. */
export default async function run({ words }: BenchOptions): Promise<void> {
  const sizes = words.length > 0 ? words.map(Number) : [1000, 10_000, 100_000];
  const figures: Array<{ size: number; p50: number }> = [];
  for (const size of sizes) figures.push({ size, p50: await measure(size) });
  const [first, last] = [figures[0]!, figures.at(-1)!];
  if (last.size > first.size)
    console.log(
      `growth exponent ${(Math.log(last.p50 / first.p50) / Math.log(last.size / first.size)).toFixed(2)}`,
    );
}

async function measure(size: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-recall-'));
  const sqlite = openSqlite(join(directory, 'index.db'), { durability: 'normal', cacheMegabytes: 32 });
  const passages = openPassages(() => sqlite);
  const quick = createStaticEmbedder();
  const recall = createRecall({
    passages,
    meaning: {
      sqlite: () => sqlite,
      directory,
      longLived: false,
      model: { ...quick, loaded: () => true },
      quick,
    },
  });
  const files = size / 10;
  recall.register(
    createCodeSource({
      files: () => Array.from({ length: files }, (_, at) => ({ owner: pathOf(at), hash: String(at) })),
      read: (path) => textOf(Number(/(\d+)\.ts$/.exec(path)![1])),
      spans: (_path, text) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            line.startsWith('function')
              ? [{ name: line.split(/[ (]/)[1]!, startLine: at + 1, endLine: at + 12 }]
              : [],
          ),
      freshness: () => ({ state: 'fresh' }),
    }),
  );
  const indexing = performance.now();
  await recall.refreshAll();
  const space = recall.meaning.space('code');
  if (space.needsCompaction()) await space.compact();
  const built = (performance.now() - indexing) / 1000;
  const questions = Array.from(
    { length: 120 },
    (_, at) => `how do we ${pick(verbs, at * 7)} the ${pick(extras, at * 3)} ${pick(nouns, at * 5)}`,
  );
  for (const question of questions.slice(0, 20)) await searchAll(recall, question, {});
  const times: number[] = [];
  const reads: number[] = [];
  for (const question of questions) {
    let started = performance.now();
    await searchAll(recall, question, {});
    times.push(performance.now() - started);
    started = performance.now();
    sqlite.get('SELECT * FROM passages WHERE id = ?', 1 + ((times.length * 37) % size));
    reads.push(performance.now() - started);
  }
  times.sort((left, right) => left - right);
  reads.sort((left, right) => left - right);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  console.log(
    `${passages.counts('code').passages} passages: search_all p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms; one SQLite read ${(reads[60]! * 1000).toFixed(0)} µs; built in ${built.toFixed(1)} s; RSS ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
  );
  sqlite.close();
  rmSync(directory, { recursive: true, force: true });
  return at(0.5);
}

const pick = (words: string[], at: number): string => words[((at * 2_654_435_761) % 2 ** 32) % words.length]!;
const pathOf = (at: number): string =>
  `src/${pick(nouns, at)}/${pick(verbs, at * 3)}-${pick(extras, at * 5)}-${at}.ts`;
const textOf = (file: number): string =>
  Array.from({ length: 9 }, (_, part) => {
    const seed = file * 9 + part;
    const body = Array.from(
      { length: 10 },
      (_, line) =>
        `  ${pick(verbs, seed * 13 + line)}${pick(nouns, seed * 17 + line)}(${pick(extras, seed * 19 + line)}, ${pick(nouns, seed * 23 + line)}${seed % 997});`,
    );
    return `function ${pick(verbs, seed)}${pick(nouns, seed * 3)}${seed}(input) {\n${body.join('\n')}\n}`;
  }).join('\n\n');
