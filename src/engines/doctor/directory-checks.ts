import { join } from 'node:path';
import { state } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import { note, ok, problem, type Repairable } from './finding.ts';
import { megabytes } from './runtime-checks.ts';

/** The state directory: there, ours to write, for nobody else to read, with nothing left behind. */
export async function checkDirectory(repository: Repository, git: Git): Promise<Repairable[]> {
  const { directory, readOnly, foreign, former } = repository.state;
  const findings: Repairable[] = [...(await checkTracked(repository, git)), ...checkLeft(repository)];
  if (foreign)
    findings.push(
      note(
        'foreign-state',
        'State of somebody else',
        `${foreign} was not made for this clone on this machine and is not opened.`,
        '`sylk library adopt` shows what it holds and takes it over; else remove it.',
      ),
    );
  if (former)
    findings.push(
      note(
        'former-state',
        'State of a repository that was here before',
        `${former} belongs to another repository that was at this path and is not opened.`,
        'If this is the same one, copied back or restored: `sylk library adopt`. Else remove it.',
      ),
    );
  if (readOnly)
    findings.push(
      note('read-only', 'Library', `It can be read only: ${readOnly}.`, 'Give yourself write permission.'),
    );
  const there = state.entry(directory);
  if (!there)
    return [...findings, note('directory', 'State', `${directory} does not exist yet.`, 'Run `sylk up`.')];
  if (there.kind !== 'directory')
    return [
      problem(
        'directory',
        'State',
        `${directory} is not a directory.`,
        `Move it away: mv ${directory} ${directory}.old`,
      ),
    ];
  findings.push(ok('directory', 'State', directory));
  if (process.platform !== 'win32' && (there.mode & 0o077) !== 0)
    findings.push(
      problem('mode', 'State', `${directory} can be read by others.`, `chmod 700 ${directory}`, () => {
        state.setMode(directory, 0o700);
        return 'now readable by you alone';
      }),
    );
  return [...findings, ...checkLeftovers(directory)];
}

async function checkTracked(repository: Repository, git: Git): Promise<Repairable[]> {
  if (repository.bare) return [];
  try {
    const tracked = (await git.list(['ls-files', '-z', '--', '.sylk'])).filter((path) =>
      /\.db(?:-|$|\.)/.test(path),
    );
    if (tracked.length === 0) return [];
    return [
      problem(
        'tracked-database',
        'Databases in git',
        `git tracks ${tracked.join(', ')}; Sylk never opens it.`,
        `git rm --cached -- ${tracked.join(' ')}`,
      ),
    ];
  } catch {
    // Without git there is nothing to find; another check reports git.
    return [];
  }
}

/** What version 0.1 kept in the working tree. None of it is opened any more. */
function checkLeft({ sharedDirectory }: Repository): Repairable[] {
  if (state.entry(sharedDirectory)?.kind !== 'directory') return [];
  const names = state.list(sharedDirectory).map(({ name }) => name);
  const left = names.filter((name) =>
    /^(?:(?:index|history)\.db(?:-wal|-shm)?|cache|run|snapshots)$/.test(name),
  );
  if (left.length === 0) return [];
  const paths = left.map((name) => `.sylk/${name}`).join(' ');
  return [note('left', 'Files of an older Sylk', `${paths}: not used any more.`, `rm -r ${paths}`)];
}

function checkLeftovers(directory: string): Repairable[] {
  const findings: Repairable[] = [];
  const names = state.list(directory).map(({ name }) => name);
  const aside = names.filter((name) => name.includes('.corrupt.') && !/-(?:wal|shm)$/.test(name));
  if (aside.length > 0) {
    const size = aside.reduce((sum, name) => sum + (state.entry(join(directory, name))?.size ?? 0), 0);
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
          for (const name of temporary) state.remove(join(directory, name));
          return `removed ${temporary.length}`;
        },
      ),
    );
  const secret = join(directory, 'run', 'http.json');
  if (process.platform !== 'win32' && ((state.entry(secret)?.mode ?? 0) & 0o077) !== 0)
    findings.push(
      problem('token-mode', 'Token file', `${secret} can be read by others.`, `chmod 600 ${secret}`, () => {
        state.setMode(secret, 0o600);
        return 'now readable by you alone';
      }),
    );
  return findings;
}
