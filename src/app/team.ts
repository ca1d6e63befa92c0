import { hostname } from 'node:os';
import { join } from 'node:path';
import { SylkError } from '../base/errors.ts';
import { state } from '../base/files/index.ts';
import { createOwnGit } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';

const space = 'team';

/** Where the hub of a team is, as its server told: clones on the same machine use the path, others the URL. */
interface HubPlace {
  host: string;
  path: string;
  url: string;
}

/** Makes the bare repository that the clones of a team exchange commits through, and tells the library where it is. */
export async function openHub(library: Library, directory: string, url: string): Promise<string> {
  const path = join(directory, 'hub.git');
  if (!state.exists(join(path, 'HEAD'))) {
    state.makeDirectory(path);
    await createOwnGit(path, { gitDirectory: path }).run(['init', '--quiet', '--bare']);
  }
  const place: HubPlace = { host: hostname(), path, url };
  await library.marks(space).set('hub', JSON.stringify(place));
  return path;
}

export async function findHub(library: Library): Promise<string> {
  const told = await library.marks(space).get('hub');
  if (told === undefined)
    throw new SylkError('UNAVAILABLE', 'No server of this team has been started yet, so it has no hub.', {
      hint: 'Run `sylk serve --database …` once, or name a git repository with --hub.',
    });
  const { host, path, url }: HubPlace = JSON.parse(told);
  return host === hostname() && state.exists(path) ? path : url;
}
