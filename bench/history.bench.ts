import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import type { BenchOptions } from './run-named.ts';

/**
 * P1 full index against `git log --raw -M`; P2 nothing new and one new commit against `node -e 0` + `git rev-parse`;
 * P3 memory and size. `--from GITDIR`, several times for several sizes; a number as a word is how often each runs.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const times = Number(words.find((word) => /^\d+$/.test(word)) ?? 5);
  const place = mkdtempSync(join(tmpdir(), 'sylk-bench-'));
  try {
    const program = join(place, 'index-once.mjs');
    const bundle = await rolldown({
      input: join(import.meta.dirname, 'history', 'index-once.ts'),
      platform: 'node',
    });
    await bundle.write({ file: program, format: 'esm' });
    const sizes: Array<{ commits: number; ms: number }> = [];
    for (const gitDirectory of from) sizes.push(await measure(gitDirectory, place, program, times));
    sizes.sort((a, b) => a.commits - b.commits);
    const [small, large] = [sizes[0], sizes.at(-1)];
    if (small && large && small !== large) {
      const exponent = Math.log(large.ms / small.ms) / Math.log(large.commits / small.commits);
      console.log(
        `growth from ${small.commits} to ${large.commits} commits: exponent ${exponent.toFixed(2)}`,
      );
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function measure(gitDirectory: string, place: string, program: string, times: number) {
  const index = join(place, 'history.db');
  const forget = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(index + suffix, { force: true });
  };
  const full: number[] = [];
  const log: number[] = [];
  let last = { commits: 0, megabytes: 0 };
  for (let turn = 0; turn < times; turn++) {
    forget();
    full.push(timed(() => (last = once(program, gitDirectory, index))));
    log.push(timed(() => git(gitDirectory, 'log', '--raw', '-M', 'HEAD')));
  }
  const touches = Number(
    git(gitDirectory, 'log', '--raw', '--no-renames', '--format=', 'HEAD').toString('latin1').split('\n')
      .length,
  );
  const bytes = statSync(index).size;
  const none: number[] = [];
  const bare: number[] = [];
  const one: number[] = [];
  const grow = growing(gitDirectory, place);
  const grown = join(place, 'grown.db');
  cpSync(index, grown);
  once(program, grow.directory, grown);
  for (let turn = 0; turn < times * 3; turn++) {
    none.push(timed(() => once(program, grow.directory, grown)));
    bare.push(
      timed(() => {
        spawnSync(process.execPath, ['-e', '0']);
        git(grow.directory, 'rev-parse', 'HEAD');
      }),
    );
    grow.commit(turn);
    one.push(timed(() => once(program, grow.directory, grown)));
  }
  rmSync(grow.directory, { recursive: true, force: true });
  const ratio = (a: number[], b: number[]) =>
    `${(median(a) / median(b)).toFixed(2)} × (${median(a)} against ${median(b)} ms)`;
  console.log(
    `${gitDirectory}: ${last.commits} commits, ${touches} touched file-commits, median of ${times}`,
  );
  console.log(`  P1 full index / git log --raw -M:        ${ratio(full, log)}`);
  console.log(`  P2 nothing new / node -e 0 + rev-parse:  ${ratio(none, bare)}`);
  console.log(`  P2 one new commit / the same:            ${ratio(one, bare)}`);
  console.log(
    `  P3 memory ${last.megabytes} MB, index ${(bytes / 1e6).toFixed(1)} MB = ${Math.round(bytes / touches)} bytes a touched file-commit`,
  );
  return { commits: last.commits, ms: median(full) };
}

/** A repository that borrows the objects of another, so that commits can be added without touching it. */
function growing(gitDirectory: string, place: string) {
  const directory = join(place, 'growing.git');
  mkdirSync(join(directory, 'objects', 'info'), { recursive: true });
  mkdirSync(join(directory, 'refs'), { recursive: true });
  writeFileSync(join(directory, 'objects', 'info', 'alternates'), `${join(gitDirectory, 'objects')}\n`);
  writeFileSync(join(directory, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  const head = git(gitDirectory, 'rev-parse', 'HEAD').toString('utf8').trim();
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(directory, 'refs', 'heads'));
  writeFileSync(join(directory, 'refs', 'heads', 'main'), `${head}\n`);
  return {
    directory,
    commit: (turn: number) => {
      const text = `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_900_000_000 + turn} +0000\ndata 12\nfeat: commit\nfrom refs/heads/main^0\nM 100644 inline bench/file${turn % 3}.txt\ndata 2\n${turn % 10}\n\n`;
      const done = spawnSync('git', [`--git-dir=${directory}`, 'fast-import', '--quiet'], { input: text });
      if (done.status !== 0) throw new Error(done.stderr.toString());
    },
  };
}

function once(program: string, directory: string, index: string): { commits: number; megabytes: number } {
  const done = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, directory, index],
    {
      encoding: 'utf8',
      // As the product does: what was compiled once is not compiled again.
      env: { ...process.env, NODE_COMPILE_CACHE: join(dirname(program), 'compiled') },
    },
  );
  if (done.status !== 0 || !existsSync(index)) throw new Error(done.stderr);
  return JSON.parse(done.stdout);
}

function git(directory: string, ...args: string[]): Buffer {
  return spawnSync('git', [`--git-dir=${directory}`, ...args], { maxBuffer: 1 << 30 }).stdout;
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return Math.round(performance.now() - start);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
