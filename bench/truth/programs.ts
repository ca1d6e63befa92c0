import { execFileSync, spawnSync } from 'node:child_process';

const maxBuffer = 1 << 28;

export const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer });

/** Lines of a program's output; none where it fails, as `rg` does when nothing matches. */
export const linesOf = (root: string, command: string, args: string[]): string[] =>
  (
    spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer, stdio: ['ignore', 'pipe', 'ignore'] })
      .stdout ?? ''
  )
    .split('\n')
    .filter(Boolean);
