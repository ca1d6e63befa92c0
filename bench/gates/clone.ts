import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runCheck } from './program.ts';

/** A clone of a public repository with its packages installed. Its checkout and its object store are written. */
export function openClone(path: string) {
  const name = basename(path);
  const git = (args: string[], { input, env }: { input?: string; env?: Record<string, string> } = {}) => {
    const { status, stdout, stderr } = spawnSync('git', ['-C', path, ...args], {
      encoding: 'utf8',
      input,
      env: { ...process.env, ...identity, ...env },
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  };
  const check = (input: Record<string, unknown>) => runCheck(path, input);
  /** A commit with the text of one file replaced. */
  const commitWith = (base: string, file: string, text: string, parent: string): string => {
    const scratch = mkdtempSync(join(tmpdir(), 'gates-'));
    try {
      const env = { GIT_INDEX_FILE: join(scratch, 'index') };
      writeFileSync(join(scratch, 'text'), text);
      const blob = git(['hash-object', '-w', join(scratch, 'text')]);
      const mode = git(['ls-tree', base, '--', file]).split(' ')[0] ?? '100644';
      git(['read-tree', base], { env });
      git(['update-index', '--cacheinfo', `${mode},${blob},${file}`], { env });
      const tree = git(['write-tree'], { env });
      return git(['commit-tree', tree, '-p', parent, '-m', 'mutant']);
    } finally {
      rmSync(scratch, { recursive: true });
    }
  };
  return { name, path, git, check, commitWith };
}

export type Clone = ReturnType<typeof openClone>;

const identity = {
  GIT_AUTHOR_NAME: 'lab',
  GIT_AUTHOR_EMAIL: 'lab@example.org',
  GIT_COMMITTER_NAME: 'lab',
  GIT_COMMITTER_EMAIL: 'lab@example.org',
};

const source = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|c|cc|cpp|h|ex|exs|sh)$/;
const manifest =
  /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|pyproject\.toml|setup\.(py|cfg)|requirements[^/]*\.txt|go\.(mod|sum)|Cargo\.(toml|lock)|uv\.lock|poetry\.lock)$/;
export const isTest = (path: string) =>
  /(^|\/)(tests?|specs?|__tests__|t)\/|[._-](test|spec)s?\.|(^|\/)test_|_test\./.test(path);
export const isSource = (path: string) => source.test(path);

export interface Step {
  commit: string;
  parent: string;
  files: string[];
  /** Why it can't be used. */
  skip?: string;
}

/** Consecutive commits of the main line, newest first, a merge as what it brings there, each with the reason why it is left out. */
export function consecutive({ git }: Clone, most: number): Step[] {
  const log = [
    'log',
    '--first-parent',
    '-m',
    '--name-only',
    '--no-renames',
    `-${most}`,
    '--format=%x00%H %P',
  ];
  return git(log)
    .split('\0')
    .filter(Boolean)
    .map((entry) => {
      const [hashes = '', ...rest] = entry.split('\n');
      const [commit = '', parent = ''] = hashes.split(' ');
      const files = parent === '' ? [] : rest.filter(Boolean);
      return { commit, parent, files, skip: skipOf(files, parent) };
    });
}

function skipOf(files: string[], parent: string): string | undefined {
  if (parent === '') return 'first commit';
  if (files.some((path) => manifest.test(path))) return 'changes packages';
  if (!files.some((path) => isSource(path) && !isTest(path))) return 'no source file';
  return files.length > 40 ? 'more than 40 files' : undefined;
}
