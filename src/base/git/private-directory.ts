import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SylkError } from '../errors.ts';
import type { Repository } from './repository.ts';
import { configurationText, fileSettings, isHarmless, personSettings, type Settings } from './settings.ts';

/** What git reads of the repository; all the rest of its directory (configuration, hooks, attributes) is not there. */
const shared = ['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'logs', 'worktrees', 'shallow'];

const mostConfiguration = 4 * 1024 * 1024;
const mostExcludes = 1024 * 1024;

const made = new Set<string>();

function removeAll(): void {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
}

/**
 * A directory of ours that git takes for the repository's common directory: its objects and references, with a
 * configuration that we wrote. It lives as long as this process.
 */
export function makePrivateDirectory(repository: Repository): string {
  const settings = repositorySettings(repository).filter(isHarmless);
  const excludes = readBounded(join(repository.commonDirectory, 'info', 'exclude'), mostExcludes);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-git-'));
  if (made.size === 0) process.once('exit', removeAll);
  made.add(directory);
  for (const name of shared) symlinkSync(join(repository.commonDirectory, name), join(directory, name));
  mkdirSync(join(directory, 'info'));
  if (excludes) writeFileSync(join(directory, 'info', 'exclude'), excludes);
  const person = personSettings().filter((one) => isHarmless(one) || one[0] === 'core.excludesfile');
  writeFileSync(
    join(directory, 'config'),
    configurationText([...person, ...settings, ['core.bare', String(repository.bare)]]),
  );
  return directory;
}

/** The repository's own settings, whatever they say. */
export function repositorySettings({ commonDirectory }: Pick<Repository, 'commonDirectory'>): Settings {
  const path = join(commonDirectory, 'config');
  const text = readBounded(path, mostConfiguration);
  return text === undefined ? [] : fileSettings(path, text);
}

/** The text of a file that is no pipe, no device and not too large; undefined where there is none. */
function readBounded(path: string, limit: number): string | undefined {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const status = fstatSync(handle);
    if (!status.isFile()) throw refusal(path, 'is not a file');
    if (status.size > limit) throw refusal(path, `has ${status.size} bytes; at most ${limit} are read`);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

const refusal = (path: string, why: string): SylkError =>
  new SylkError('DENIED', `${path} ${why}.`, {
    hint: 'Nothing was read. Look at the file, or clone the repository anew.',
  });
