import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { commitFormat, readCited } from './commits.ts';
import type { Cited } from './specialists/compose.ts';

const most = 5;
const patienceMs = 10_000;

/**
 * The commit that added or removed something: git knows when the count of a text changed. The first such commit added it;
 * the last one removed it, where the text is gone from the tree. Undefined where that cannot be said.
 */
export async function originOf(
  git: Git,
  subject: string,
  did: 'added' | 'removed',
): Promise<{ cited: Cited[]; total: number; notes?: string[] } | undefined> {
  const isPath = subject.includes('/') || /\.\w{1,5}$/.test(subject);
  const text = isPath ? subject : (subject.split(/::|[.#](?=\w)/).at(-1) ?? subject);
  const isThere = isPath ? tree.entry(git.directory, subject) : await isInTree(git, text);
  if (did === 'removed' && isThere) return undefined;
  const commits = readCited(
    await git
      .text(
        [
          'log',
          '--no-merges',
          ...(isPath ? [`--diff-filter=${did === 'added' ? 'A' : 'D'}`] : [`-S${text}`]),
          `--format=${commitFormat}`,
          'HEAD',
          '--',
          ...(isPath ? [`:(literal)${subject}`] : []),
        ],
        { accept: [128], timeoutMs: patienceMs },
      )
      // A long history takes longer than anybody waits: the question is then searched for.
      .catch(() => ''),
  );
  const cited = did === 'added' ? commits.toReversed() : commits;
  return { cited: cited.slice(0, most), total: cited.length };
}

async function isInTree(git: Git, text: string): Promise<boolean> {
  // Change logs name what is gone.
  const { code } = await git.run(
    [
      'grep',
      '-q',
      '-I',
      '-F',
      '-e',
      text,
      '--',
      '.',
      ':(exclude,icase)*change*',
      ':(exclude,icase)*news*',
      ':(exclude,icase)*release*',
      ':(exclude,icase)*histor*',
    ],
    { accept: [0, 1], timeoutMs: patienceMs },
  );
  return code === 0;
}
