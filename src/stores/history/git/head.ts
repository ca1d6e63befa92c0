import { join } from 'node:path';
import { person, tree } from '../../../base/files/index.ts';
import type { Git, Repository } from '../../../base/git/index.ts';

const fullSha = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit of HEAD, from git's own files: a commit hook asks this every time, and a process would cost more than
 * all the rest. Undefined when the branch has no commit yet.
 */
export async function readHead(repository: Repository, git: Git): Promise<string | undefined> {
  const quick = readHeadFiles(repository);
  if (quick !== 'ask git') return quick;
  const answer = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  const sha = answer.stdout.toString('utf8').trim();
  return fullSha.test(sha) ? sha : undefined;
}

function readHeadFiles({ gitDirectory, commonDirectory }: Repository): string | undefined | 'ask git' {
  let text = gitText(gitDirectory, 'HEAD')?.trim() ?? '';
  for (let depth = 0; depth < 5; depth++) {
    if (fullSha.test(text)) return text;
    const name = /^ref: (refs\/[^\0\n]+)$/.exec(text)?.[1];
    // A repository with another kind of reference storage keeps a name here that is not a branch.
    if (!name || name.includes('..') || name === 'refs/heads/.invalid') return 'ask git';
    const loose = gitText(gitDirectory, name) ?? gitText(commonDirectory, name);
    const found = loose?.trim() || packed(commonDirectory, name);
    if (!found) return undefined;
    text = found;
  }
  return 'ask git';
}

function packed(commonDirectory: string, name: string): string | undefined {
  const text = gitText(commonDirectory, 'packed-refs');
  if (!text) return undefined;
  const at = text.indexOf(` ${name}\n`);
  if (at < 0) return undefined;
  return text.slice(text.lastIndexOf('\n', at) + 1, at);
}

/** A shallow clone that is deepened, or a replaced object, changes what old commits look like. */
export function graftMark({ commonDirectory }: Repository): string {
  return (gitText(commonDirectory, 'shallow') ?? '').split('\n').sort().join(' ').trim();
}

/** git marks the packs that it got from a remote that keeps the rest. */
export const isPartialClone = ({ commonDirectory }: Repository): boolean =>
  person.list(join(commonDirectory, 'objects', 'pack')).some(({ name }) => name.endsWith('.promisor'));

/** A name that is also the start of other names is a directory; git is asked about anything stranger. */
const gitText = (directory: string, name: string): string | undefined =>
  tree.isFile(directory, name) ? tree.readText(directory, name) : undefined;
