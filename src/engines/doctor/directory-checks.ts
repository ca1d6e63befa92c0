import { accessSync, chmodSync, constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Git, Repository } from '../../base/git/index.ts';
import { note, ok, problem, type Repairable } from './finding.ts';
import { megabytes } from './runtime-checks.ts';

/** `.sylk`: there, ours to write, kept out of git, with nothing left behind. */
export async function checkDirectory(
  repository: Repository,
  git: Git,
  prepare: () => string,
): Promise<Repairable[]> {
  const directory = repository.sylkDirectory;
  const there = statSync(directory, { throwIfNoEntry: false });
  if (!there) return [note('directory', '.sylk', `${directory} does not exist yet.`, 'Run `sylk up`.')];
  if (!there.isDirectory())
    return [
      problem(
        'directory',
        '.sylk',
        `${directory} is not a directory.`,
        `Move it away: mv ${directory} ${directory}.old`,
      ),
    ];
  if (!isWritable(directory))
    return [
      problem(
        'directory',
        '.sylk',
        `${directory} cannot be written.`,
        'Give yourself write permission, or set SYLK_DIR to another directory.',
      ),
    ];
  const findings = [ok('directory', '.sylk', directory)];
  if (!existsSync(join(directory, '.gitignore')))
    findings.push(
      problem(
        'gitignore',
        '.sylk/.gitignore',
        'It is missing, so databases could be committed.',
        'sylk doctor --fix writes it.',
        () => `wrote ${join(prepare(), '.gitignore')}`,
      ),
    );
  return [...findings, ...(await checkTracked(repository, git)), ...checkLeftovers(directory)];
}

async function checkTracked(repository: Repository, git: Git): Promise<Repairable[]> {
  const inside = relative(repository.mainRoot, repository.sylkDirectory);
  if (repository.bare || inside.startsWith('..')) return [];
  try {
    const tracked = (await git.list(['ls-files', '-z', '--', inside])).filter((path) =>
      /\.db(?:-|$|\.)/.test(path),
    );
    if (tracked.length === 0) return [];
    return [
      problem(
        'tracked-database',
        'Databases in git',
        `git tracks ${tracked.join(', ')}; every machine would overwrite it.`,
        `git rm --cached -- ${tracked.join(' ')}`,
      ),
    ];
  } catch {
    return [];
  }
}

function checkLeftovers(directory: string): Repairable[] {
  const findings: Repairable[] = [];
  const names = readdirSync(directory);
  const aside = names.filter((name) => name.includes('.corrupt.') && !/-(?:wal|shm)$/.test(name));
  if (aside.length > 0) {
    const size = aside.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    findings.push(
      note(
        'set-aside',
        'Databases set aside',
        `${aside.length} damaged database(s), ${megabytes(size)}: ${aside.join(', ')}`,
        `When nothing is missed: rm ${directory}/*.corrupt.*`,
      ),
    );
  }
  const temporary = names.filter((name) => /^\..+\.[0-9a-f]{12}\.tmp$/.test(name));
  if (temporary.length > 0)
    findings.push(
      problem(
        'temporary-files',
        'Temporary files',
        `${temporary.length} file(s) of an interrupted write.`,
        'sylk doctor --fix removes them.',
        () => {
          for (const name of temporary) rmSync(join(directory, name), { force: true });
          return `removed ${temporary.length}`;
        },
      ),
    );
  const secret = join(directory, 'run', 'http.json');
  if (process.platform !== 'win32' && existsSync(secret) && (statSync(secret).mode & 0o077) !== 0)
    findings.push(
      problem('token-mode', 'Token file', `${secret} can be read by others.`, `chmod 600 ${secret}`, () => {
        chmodSync(secret, 0o600);
        return 'now readable by you alone';
      }),
    );
  return findings;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
