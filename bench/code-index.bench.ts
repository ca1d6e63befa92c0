import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, findRepository } from '../src/base/git/index.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { openCode } from '../src/stores/code/index.ts';
import { measuredRun, sizeOf } from './gold/measured-run.ts';
import type { BenchOptions } from './run-named.ts';

const usage = 'code-index --from REPOSITORY [rounds=3] [rival=PROGRAM]   (P4 full index, P5 one saved file)';

/** P4 and P5 on a copy of a repository; a rival with the commands of codegraph is measured in the same run. */
export default async ({ from, words }: BenchOptions): Promise<void> => {
  const word = (name: string) => words.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const step = word('step');
  if (step) return child(step, from[0]!, word('index')!);
  if (!from[0]) return console.log(usage);
  const work = mkdtempSync(join(tmpdir(), 'sylk-bench-'));
  const root = join(work, 'repository');
  cpSync(from[0], root, { recursive: true });
  const again = (name: string, index: string) =>
    measuredRun(
      process.execPath,
      // As bin/sylk starts it.
      [
        '--max-semi-space-size=8',
        join(import.meta.dirname, 'bench.ts'),
        'code-index',
        `step=${name}`,
        `index=${index}`,
        '--from',
        root,
      ],
      work,
    );
  try {
    const rounds = Number(word('rounds') ?? 3);
    const parse: number[] = [];
    const full: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const floor = await again('parse', join(work, `floor${round}.db`));
      const index = join(work, `index${round}.db`);
      const whole = await again('full', index);
      parse.push(floor.cpu);
      full.push(whole.cpu);
      console.log(
        `round ${round + 1}: parsing alone ${floor.seconds.toFixed(1)} s, ${floor.cpu.toFixed(1)} cpu s; full index ${whole.seconds.toFixed(1)} s, ${whole.cpu.toFixed(1)} cpu s, peak ${whole.peak.toFixed(0)} MB, ${sizeOf(index).toFixed(0)} MB on disk; ${whole.output.trim()}`,
      );
    }
    console.log(
      `P4: full index / parsing alone = ${(median(full) / median(parse)).toFixed(2)} × processor time (bar 1.6, goal 1.25)`,
    );
    const saved = await again('save', join(work, 'index0.db'));
    console.log(`P5: ${saved.output.trim()}`);
    const rival = word('rival');
    if (rival) await compare(rival, root);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const quiet = { CODEGRAPH_TELEMETRY: '0', DO_NOT_TRACK: '1', CODEGRAPH_NO_DAEMON: '1' };

async function compare(rival: string, root: string): Promise<void> {
  const index = await measuredRun(rival, ['init', root], root, quiet);
  console.log(
    `rival, full index: ${index.seconds.toFixed(1)} s, ${index.cpu.toFixed(1)} cpu s, peak ${index.peak.toFixed(0)} MB, ${sizeOf(join(root, '.codegraph')).toFixed(0)} MB on disk`,
  );
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    appendFileSync(pathToSave(root), `\n# ${round}\n`);
    times.push((await measuredRun(rival, ['sync', root], root, quiet)).seconds * 1000);
  }
  console.log(
    `rival, one saved file: ${median(times).toFixed(0)} ms by its sync command, the start of its process included`,
  );
}

const pathToSave = (root: string): string =>
  join(root, readFileSync(join(root, '.git', 'sylk-bench-file'), 'utf8'));

async function child(step: string, root: string, index: string): Promise<void> {
  const sqlite = openSqlite(index, { durability: 'normal', cacheMegabytes: 32 });
  const program = new URL('./gold/parse-only-worker.ts', import.meta.url);
  const code = openCode({
    sqlite: () => sqlite,
    git: createGit(root),
    repository: findRepository(root),
    settings: { exclude: ['.codegraph/**'], max_file_bytes: 1_000_000, workers: 0 },
    ...(step === 'parse' ? { pool: { program } } : {}),
  });
  if (step !== 'save') {
    const report = await code.update();
    if (step === 'full')
      console.log(
        `${report.files} files, ${sqlite.get<{ n: number }>('SELECT count(*) AS n FROM code_symbols')!.n} symbols`,
      );
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    sqlite.close();
    return;
  }
  const file = code
    .files()
    .filter((one) => one.lines > 200 && one.lines < 900 && /\.(?:py|ts|js|go)$/.test(one.path))[0]!.path;
  writeFileSync(join(root, '.git', 'sylk-bench-file'), file);
  const times: number[] = [];
  const text = readFileSync(join(root, file), 'utf8');
  for (let round = 0; round < 11; round++) {
    writeFileSync(join(root, file), text.replace(/^(def |function |func )/m, `$1saved_${round}_`));
    const began = performance.now();
    await code.update({ paths: [file] });
    times.push(performance.now() - began);
  }
  writeFileSync(join(root, file), text);
  console.log(
    `one saved file (${file}, an exported name renamed) to fresh answers: median ${median(times.slice(1)).toFixed(0)} ms, first ${times[0]!.toFixed(0)} ms (bar 150, goal 50)`,
  );
}

const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
