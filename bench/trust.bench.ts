import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openApp } from '../src/app.ts';
import { smartSearch } from '../src/engines/recall/index.ts';
import { plant } from './poison/plant.ts';
import type { BenchOptions } from './run-named.ts';

const rounds = 5;

/**
 * A full query with all mitigations beside the bare query of recall that it starts from, and the check of an entry
 * before it is stored; warm, in process, interleaved. `--from` a repository, which is cloned. 20 false and 20 true
 * entries are remembered first, so that there is something to weigh.
 */
export default async function run({ from }: BenchOptions): Promise<void> {
  const source = from[0];
  if (!source) throw new Error('give a repository: npm run bench -- trust --from DIRECTORY');
  const place = mkdtempSync(join(tmpdir(), 'sylk-trust-'));
  execFileSync('git', ['clone', '-q', '--', resolve(source), join(place, 'repository')]);
  const env = { ...process.env, SYLK_HOME: join(place, 'home') };
  // Without vectors nothing is kept, so that every answer is made anew.
  const app = openApp({ directory: join(place, 'repository'), env, flags: ['embedding.enabled=false'] });
  try {
    const planted = await plant(app, { lies: 20, truths: 20 });
    const recall = await app.recall();
    await recall.ready({ waitMs: Number.POSITIVE_INFINITY });
    const answers = await app.answers();
    const code = await app.code();
    const times = { read: [] as number[], bare: [] as number[], full: [] as number[] };
    for (let round = 0; round < rounds; round++)
      for (const { question } of planted) {
        times.read.push(await timed(() => code.find('nothing-is-called-so')));
        times.bare.push(await timed(() => smartSearch(recall, question, { tokenBudget: 1000 })));
        times.full.push(
          await timed(() => answers.ask({ text: question, tokenBudget: 1000 }, { session: '' })),
        );
      }
    const p50 = { read: median(times.read), bare: median(times.bare), full: median(times.full) };
    console.log(`${planted.length * rounds} queries, ${code.files().length} files`);
    console.log(`one indexed read      ${p50.read.toFixed(3)} ms`);
    console.log(`bare recall query     ${p50.bare.toFixed(1)} ms`);
    console.log(
      `with all mitigations  ${p50.full.toFixed(1)} ms  (${(p50.full / p50.bare).toFixed(2)} × the bare one)`,
    );
  } finally {
    await app.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (values: number[]): number => values.sort((left, right) => left - right)[values.length >> 1]!;
