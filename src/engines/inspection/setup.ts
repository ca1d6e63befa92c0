import { join } from 'node:path';
import { state, tree as treeFiles } from '../../base/files/index.ts';
import { runConfined } from '../../base/sandbox/index.ts';

/** A command that fills a fresh working tree with its packages. A person approves its text before it runs. */
export interface SetupCommand {
  directory: string;
  command: string;
  /** The file that shows it. */
  because: string;
  /** Whose packages it installs; undefined for a script of the project, which installs them all. */
  manager?: keyof typeof groups | undefined;
  /** What a script of the project says: a person approves that, too. */
  script?: string | undefined;
}

/** The first file of a group that is there decides: a lock file names its package manager. */
const groups = {
  npm: [
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn install --frozen-lockfile'],
    ['bun.lock', 'bun install --frozen-lockfile'],
    ['bun.lockb', 'bun install --frozen-lockfile'],
    ['package-lock.json', 'npm ci --no-audit --no-fund'],
    ['npm-shrinkwrap.json', 'npm ci --no-audit --no-fund'],
    ['package.json', 'npm install --no-audit --no-fund --no-package-lock'],
  ],
  pypi: [
    ['uv.lock', 'uv sync'],
    ['poetry.lock', 'poetry install'],
    ['Pipfile.lock', 'pipenv sync --dev'],
    ['pyproject.toml', 'python3 -m venv .venv && .venv/bin/pip install -e .'],
    ['requirements.txt', 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt'],
  ],
  go: [['go.mod', 'go mod download']],
  cargo: [['Cargo.toml', 'cargo fetch']],
  gem: [['Gemfile', 'bundle install']],
  composer: [['composer.json', 'composer install']],
  hex: [['mix.exs', 'mix deps.get']],
  pub: [['pubspec.yaml', 'dart pub get']],
} satisfies Record<string, Array<[file: string, command: string]>>;

/** What a fresh checkout needs before its tools run: a script of the project, or what its lock files name. */
export function findSetup(root: string): SetupCommand[] {
  const script = ['script/setup', 'bin/setup', 'scripts/setup.sh', 'setup.sh'].find(
    (path) => treeFiles.entry(root, path)?.kind === 'file',
  );
  if (script)
    return [
      {
        directory: '',
        command: `./${script}`,
        because: script,
        script: treeFiles.readText(root, script, { limit: 1_000_000 }),
      },
    ];
  const managers = Object.keys(groups) as Array<keyof typeof groups>;
  return managers.flatMap((manager) => {
    const group: Array<[file: string, command: string]> = groups[manager];
    const found = group.find(([file]) => treeFiles.entry(root, file)?.kind === 'file');
    return found ? [{ directory: '', command: found[1], because: found[0], manager }] : [];
  });
}

/**
 * Runs approved set-up commands in a working tree, in the sandbox, with the network that package managers need. Answers the
 * first that failed, with the end of what it printed.
 */
export async function runSetup({
  worktree,
  commands,
  caches,
  hidden,
  signal,
  progress,
}: {
  worktree: string;
  commands: SetupCommand[];
  caches: string;
  hidden: string[];
  signal: AbortSignal;
  progress(message: string): void;
}): Promise<{ command: string; problem: string } | undefined> {
  state.makeDirectory(caches);
  for (const { directory, command } of commands) {
    progress(command);
    const { code, stdout, stderr, timedOut } = await runConfined({
      shell: command,
      cwd: join(worktree, directory),
      writable: [worktree, caches],
      hidden,
      network: 'open',
      environment: { CI: 'true', XDG_CACHE_HOME: caches, npm_config_cache: join(caches, 'npm') },
      limits: { seconds: 1200 },
      signal,
    });
    if (code !== 0)
      return {
        command,
        problem: timedOut ? 'It did not end in 20 minutes.' : `${stdout}\n${stderr}`.trim().slice(-1000),
      };
  }
  return undefined;
}
