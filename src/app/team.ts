import { hostname } from 'node:os';
import { join } from 'node:path';
import { SylkError } from '../base/errors.ts';
import { state } from '../base/files/index.ts';
import { createOwnGit, type Git } from '../base/git/index.ts';
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

const rootsOf = async (git: Git, ...which: string[]): Promise<string[]> =>
  (await git.text(['rev-list', '--max-parents=0', ...which, '--'], { accept: [128] }))
    .split('\n')
    .filter(Boolean);

/**
 * One library is one repository, told by the first commits of its history. Whoever comes first tells them; a clone that shares none of
 * them is refused, so that nobody's commits, notes or runs end up in the library of something else. `seen` keeps what was agreed on,
 * because the way to the first commit is long.
 */
export async function requireSameRepository(library: Library, git: Git, seen: string): Promise<void> {
  const marks = library.marks(space);
  const recorded = await marks.get('roots');
  if (recorded !== undefined && state.readText(seen) === recorded) return;
  const own = await rootsOf(git, 'HEAD');
  // Without a commit there is nothing to tell it by.
  if (own.length === 0) return;
  if ((await git.text(['rev-parse', '--is-shallow-repository'])) === 'true')
    throw new SylkError(
      'UNAVAILABLE',
      "This clone has only a part of its history, so it can't be compared with the repository of the team.",
      {
        hint: 'Run `git fetch --unshallow`, then try again.',
      },
    );
  const agreed = recorded ?? own.join(' ');
  const known = new Set(agreed.split(' '));
  if (!own.some((root) => known.has(root)) && !(await rootsOf(git, '--all')).some((root) => known.has(root)))
    throw new SylkError(
      'DENIED',
      `This clone is another repository than the one of the team: their histories share no first commit (${known.values().next().value?.slice(0, 10)} there, ${own[0]?.slice(0, 10)} here).`,
      {
        hint: "Run this in a clone of the team's repository, or give this one a library of its own: --database …?schema=OTHER. Nothing was written.",
      },
    );
  if (recorded === undefined) {
    await library.write(async () => {
      if ((await marks.get('roots')) === undefined) await marks.set('roots', agreed);
    });
    // Somebody may have been faster.
    return requireSameRepository(library, git, seen);
  }
  state.write(seen, recorded);
}
