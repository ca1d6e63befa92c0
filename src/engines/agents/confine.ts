import { join } from 'node:path';
import { state } from '../../base/files/index.ts';
import { runConfined } from '../../base/sandbox/index.ts';
import type { RunLine } from './tools/command.ts';

export interface ConfineOptions {
  /** git's own files: programs may read them, never write them. */
  commonDirectory: string;
  /** The person's checkout, and the folders of installed packages in it, below it. */
  packages: { root: string; folders: string[] };
  /** May be written, and stays. */
  caches: string;
  /** State of this machine that no program of an agent may see. */
  hidden: string[];
  /** There is no sandbox, and a person is asked about each line. */
  unconfined: boolean;
}

/** Runs a line in the sandbox: it writes the work place and caches, and reaches no network. */
export function confineTo(options: ConfineOptions): RunLine {
  const { commonDirectory, packages, caches, hidden, unconfined } = options;
  state.makeDirectory(caches);
  return (line, { directory, environment, seconds, signal }) =>
    runConfined({
      shell: line,
      cwd: directory,
      writable: [directory, caches],
      readable: [
        commonDirectory,
        // Whoever can write the pointer decides what git does there.
        join(directory, '.git'),
        ...packages.folders.map((path) => ({ from: join(packages.root, path), at: join(directory, path) })),
      ],
      hidden,
      environment: {
        ...environment,
        CI: 'true',
        NO_COLOR: '1',
        XDG_CACHE_HOME: caches,
        npm_config_cache: join(caches, 'npm'),
        npm_config_update_notifier: 'false',
      },
      limits: { seconds, outputBytes: 4_000_000, processes: 500 },
      signal,
      unconfined,
    });
}
