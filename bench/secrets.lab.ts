import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { redact } from '../src/base/redact.ts';
import type { Bench } from './run-named.ts';
import { makeSamples, makeWritten, places } from './secrets/kinds.ts';
import { type Hit, scan } from './secrets/public-code.ts';

const usualSeed = 20261116;
const each = 50;

/** Generated credentials of every kind in every place: how many are cut out, and which kinds are not. */
function measureRecall(seed: number): boolean {
  const missed = new Map<string, number>();
  const samples = makeSamples(seed, each);
  let tried = 0;
  let cut = 0;
  for (const sample of samples)
    for (const [place, write] of Object.entries(places)) {
      tried++;
      if (!redact(write(sample)).includes(sample.hidden)) cut++;
      else missed.set(`${sample.kind} in ${place}`, (missed.get(`${sample.kind} in ${place}`) ?? 0) + 1);
    }
  for (const [where, times] of [...missed].sort(([, a], [, b]) => b - a))
    console.log(`  missed ${times} of ${each}: ${where}`);
  console.log(
    `${cut} of ${tried} redacted (${((100 * cut) / tried).toFixed(2)} %), ${samples.length / each} kinds, ${Object.keys(places).length} places, seed ${seed}`,
  );
  return cut / tried >= 0.95;
}

/** The same for kinds that were written out for each place, place by place. */
function measureWritten(seed: number): boolean {
  const tried = new Map<string, number>();
  const missed = new Map<string, Map<string, number>>();
  for (const { kind, place, text, hidden } of makeWritten(seed, each)) {
    tried.set(place, (tried.get(place) ?? 0) + 1);
    if (!redact(text).includes(hidden)) continue;
    const kinds = missed.get(place) ?? new Map();
    missed.set(place, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
  }
  const shares = [...tried].map(([place, times]) => {
    const kinds = missed.get(place) ?? new Map<string, number>();
    const through = [...kinds.values()].reduce((sum, count) => sum + count, 0);
    const share = (100 * (times - through)) / times;
    const names = [...kinds].map(([kind, count]) => `${kind} ${count} of ${each}`).join(', ');
    console.log(`written for ${place}: ${share.toFixed(1)} % redacted${names && `; missed: ${names}`}`);
    return share;
  });
  return shares.every((share) => share >= 95);
}

/** Public code from `--from`: every hit goes to a file, for people to judge. */
function measureFalseHits(directories: string[]): void {
  const hits: Hit[] = [];
  let lines = 0;
  for (const directory of directories) {
    const found = scan(directory);
    lines += found.lines;
    hits.push(...found.hits);
    console.log(
      `${basename(directory)}: ${found.lines} lines, ${found.hits.length} hits, ${(found.milliseconds / (found.bytes / 1e6)).toFixed(0)} ms per MB`,
    );
  }
  const file = join(tmpdir(), 'sylk-secret-hits.tsv');
  writeFileSync(
    file,
    hits.map((hit) => [hit.kinds, `${hit.file}:${hit.line}`, hit.text].join('\t')).join('\n'),
  );
  console.log(
    `${hits.length} hits on ${lines} lines: ${((10_000 * hits.length) / lines).toFixed(2)} per 10,000 lines, judged or not. All of them: ${file}`,
  );
}

const lab: Bench = async ({ from, seed }) => {
  const all = [measureRecall, measureWritten].map((measure) => measure(Number(seed ?? usualSeed)));
  if (all.includes(false)) process.exitCode = 1;
  if (from.length > 0) measureFalseHits(from);
};
export default lab;
