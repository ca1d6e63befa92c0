import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journal } from '../journal.ts';
import type { Clone } from './clone.ts';

export interface RawRun {
  command: string;
  code: number;
  seconds: number;
}

/** The project's own commands, as a person types them, in a plain checkout beside the packages. Exit codes only. */
export function createRaw(
  { path, git, name }: Clone,
  commands: string[],
  journal: Journal<{ key: string; runs: RawRun[] }> = { lines: [], add: () => {} },
) {
  const keyOf = (commit: string) => `${name} ${commit}`;
  const kept = new Map(journal.lines.map(({ key, runs }) => [key, runs]));
  const at = join(tmpdir(), `gates-raw-${process.pid}-${name}`);
  const run = (commit: string): RawRun[] => {
    const known = kept.get(keyOf(commit));
    if (known) return known;
    rmSync(at, { recursive: true, force: true });
    git(['worktree', 'prune']);
    git(['worktree', 'add', '-q', '--detach', at, commit]);
    for (const folder of ['node_modules', '.venv', 'vendor'])
      if (existsSync(join(path, folder)) && !existsSync(join(at, folder)))
        symlinkSync(join(path, folder), join(at, folder));
    const home = join(tmpdir(), `gates-home-${name}`);
    mkdirSync(home, { recursive: true });
    const runs = commands.map((command) => {
      const started = performance.now();
      const { status } = spawnSync('sh', ['-c', command], {
        cwd: at,
        env: {
          ...process.env,
          CI: 'true',
          PATH: `${at}/node_modules/.bin:${at}/.venv/bin:${process.env['PATH']}`,
          XDG_CACHE_HOME: home,
        },
        timeout: 180_000,
        stdio: 'ignore',
      });
      return { command, code: status ?? -1, seconds: (performance.now() - started) / 1000 };
    });
    kept.set(keyOf(commit), runs);
    journal.add({ key: keyOf(commit), runs });
    return runs;
  };
  return {
    run,
    /** A command that was green at the base and is red now; red twice, so that a test that wavers does not decide. */
    isBroken: (base: string, commit: string): { broken: boolean; usable: number } => {
      const before = run(base);
      const first = run(commit);
      const red = first.filter(({ code }, at) => code !== 0 && before[at]?.code === 0);
      if (red.length > 0) kept.delete(keyOf(commit));
      const again = red.length > 0 ? run(commit) : first;
      const broken = again.some(({ code }, at) => code !== 0 && before[at]?.code === 0);
      return { broken, usable: before.filter(({ code }) => code === 0).length };
    },
    close: () => {
      rmSync(at, { recursive: true, force: true });
      git(['worktree', 'prune']);
    },
  };
}
