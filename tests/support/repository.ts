import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

export interface TestRepository {
  path: string;
  git(...args: string[]): string;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  /** Writes the files, stages everything and commits; answers the new commit. Time moves one minute a commit. */
  commit(
    message: string,
    files?: Record<string, string | Uint8Array | null>,
    options?: { author?: string; date?: number },
  ): string;
}

/** A real git repository in a temporary directory, with fixed identity and dates. */
export function testRepository(init: string[] = [], at: string = temporaryDirectory('repo')): TestRepository {
  let time = Date.UTC(2025, 0, 1) / 1000;
  const run = (args: string[], env: Record<string, string> = {}) => {
    const result = spawnSync('git', ['-C', at, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.org',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.org',
        ...env,
      },
    });
    if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
    return result.stdout.replace(/\n$/, '');
  };
  mkdirSync(at, { recursive: true });
  run(['init', '-q', '-b', 'main', ...init]);
  const repository: TestRepository = {
    path: at,
    git: (...args) => run(args),
    write: (path, content) => {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), content);
    },
    remove: (path) => rmSync(join(at, path), { recursive: true }),
    commit: (message, files = {}, options = {}) => {
      for (const [path, content] of Object.entries(files)) {
        if (content === null) repository.remove(path);
        else repository.write(path, content);
      }
      run(['add', '-A']);
      time += 60;
      const date = `@${options.date ?? time} +0000`;
      const author = options.author ? ['--author', options.author] : [];
      run(['commit', '-q', '--allow-empty', '--allow-empty-message', ...author, '-m', message], {
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      });
      return run(['rev-parse', 'HEAD']);
    },
  };
  return repository;
}
