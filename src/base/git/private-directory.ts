import { join } from 'node:path';
import { person, state } from '../files/index.ts';
import type { Repository } from './repository.ts';
import { configurationText, fileSettings, isHarmless, personSettings, type Settings } from './settings.ts';

/** What git reads of the repository; all the rest of its directory (configuration, hooks, attributes) is not there. */
const shared = ['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'logs', 'worktrees', 'shallow'];

const mostConfiguration = 4 * 1024 * 1024;
const mostExcludes = 1024 * 1024;

const made = new Set<string>();

function removeAll(): void {
  for (const directory of made) state.remove(directory);
}

/**
 * A directory of ours that git takes for the repository's common directory: its objects and references, with a
 * configuration that we wrote. It lives as long as this process.
 */
export function makePrivateDirectory(repository: Repository): string {
  const settings = repositorySettings(repository).filter(isHarmless);
  const excludes = person.readText(join(repository.commonDirectory, 'info', 'exclude'), {
    limit: mostExcludes,
  });
  const directory = state.temporaryDirectory('sylk-git-');
  if (made.size === 0) process.once('exit', removeAll);
  made.add(directory);
  for (const name of shared) state.addLink(join(directory, name), join(repository.commonDirectory, name));
  if (excludes) state.write(join(directory, 'info', 'exclude'), excludes);
  const own = personSettings().filter((one) => isHarmless(one) || one[0] === 'core.excludesfile');
  state.write(
    join(directory, 'config'),
    configurationText([...own, ...settings, ['core.bare', String(repository.bare)]]),
  );
  return directory;
}

/** The repository's own settings, whatever they say. */
export function repositorySettings({ commonDirectory }: Pick<Repository, 'commonDirectory'>): Settings {
  const path = join(commonDirectory, 'config');
  const text = person.readText(path, { limit: mostConfiguration });
  return text === undefined ? [] : fileSettings(path, text);
}
