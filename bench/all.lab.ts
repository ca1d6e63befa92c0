import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import list from './all.json' with { type: 'json' };
import type { Bench } from './run-named.ts';

interface Take {
  lab: string;
  /** What the small take is given; the full one runs without it. */
  small: string[];
  /** Needs clones of public repositories: `--from`. */
  outside?: boolean;
}

const takes: Take[] = list;
/** A lab that needs longer than this in its small form is no small one. */
const mostMs = { small: 5 * 60_000, full: 4 * 3_600_000 };

/**
 * `npm run lab -- all [small|full] [--from CLONE…] [--commands NAME,…]`: every lab of the list, one after the other, each in a process of its own, with the
 * last line it prints as its result. Labs that need outside material run where `--from` names some. What is printed is a table for docs/measurements.md.
 */
const all: Bench = async ({ words: [size = 'small'], from, commands = '' }) => {
  if (size !== 'small' && size !== 'full') throw new Error(`There is no size ${size}: small, full.`);
  const chosen = commands === '' ? takes : takes.filter(({ lab }) => commands.split(',').includes(lab));
  const program = join(import.meta.dirname, 'lab.ts');
  console.log(
    `| lab | result, ${new Date().toISOString().slice(0, 10)} | seconds | ended |\n| --- | --- | --- | --- |`,
  );
  for (const { lab, small, outside = false } of chosen) {
    if (outside && from.length === 0) {
      console.log(`| ${lab} | not run: it needs \`--from CLONE\` | | |`);
      continue;
    }
    const args = [...lab.split(' '), ...(size === 'small' ? small : [])];
    const clones = outside ? from.flatMap((path) => ['--from', path]) : [];
    const begun = performance.now();
    const { status, stdout, signal } = spawnSync(process.execPath, [program, ...args, ...clones], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: mostMs[size],
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const last = stdout.trim().split('\n').at(-1)?.replaceAll('|', '\\|') ?? '';
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(
      `| ${lab} | ${last} | ${seconds} | ${status === 0 ? 'well' : (signal ?? `with ${status}`)} |`,
    );
    if (status !== 0) process.exitCode = 1;
  }
};

export default all;
