import { basename, join } from 'node:path';
import { SylkError } from '../errors.ts';
import { person, tree } from '../files/index.ts';
import type { Git } from './git.ts';
import { repositorySettings } from './private-directory.ts';
import type { Repository } from './repository.ts';

const fullSha = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit of HEAD, from git's own files: a commit hook asks this every time, and a process would cost more than
 * all the rest. Undefined when the branch has no commit yet; a branch that names none is an error.
 */
export async function readHead(repository: Repository, git: Git): Promise<string | undefined> {
  const quick = readHeadFiles(repository);
  if (quick !== 'ask git') return quick;
  const answer = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [1, 128] });
  const sha = answer.stdout.toString('utf8').trim();
  return fullSha.test(sha) ? sha : undefined;
}

function readHeadFiles({ gitDirectory, commonDirectory }: Repository): string | undefined | 'ask git' {
  let name = 'HEAD';
  let text = gitText(gitDirectory, name);
  for (let depth = 0; depth < 5; depth++) {
    // A link, or a reference with more than an id in it.
    if (text === undefined || /^[0-9a-f]{40,64}\s+\S/.test(text)) return 'ask git';
    const id = text.trim();
    if (fullSha.test(id)) return id;
    const next = /^ref: (refs\/[^\0\n]+)$/.exec(id)?.[1];
    // A repository with another kind of reference storage keeps a name here that is not a branch.
    if (next === 'refs/heads/.invalid') return 'ask git';
    if (next ? impossibleName.test(next) : !id.startsWith('ref:'))
      throw brokenReference(join(name === 'HEAD' ? gitDirectory : commonDirectory, name));
    if (!next) return 'ask git';
    name = next;
    text = gitText(gitDirectory, name) ?? gitText(commonDirectory, name) ?? packed(commonDirectory, name);
    if (text === undefined) return tree.entry(commonDirectory, name)?.kind === 'link' ? 'ask git' : undefined;
  }
  return 'ask git';
}

/** What git refuses in the name of a reference. */
const impossibleName = /\.\.|[\x00-\x20\x7f~^:?*[\\]|@\{|\/[./]|\.(?:lock)?(?:\/|$)|\/$/;

/** git itself calls such a branch one without commits. */
const brokenReference = (file: string): SylkError =>
  new SylkError(
    'UNAVAILABLE',
    `${file} is broken: it names no commit and no branch, so no history can be read.`,
    {
      hint:
        basename(file) === 'HEAD'
          ? 'Run `git symbolic-ref HEAD refs/heads/BRANCH`, then `sylk index`.'
          : 'Find the id of the last commit in the last line of .git/logs/HEAD, or with `git fsck --lost-found`. Remove the broken file, run `git update-ref HEAD COMMIT`, then `sylk index`.',
    },
  );

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

/** Refs by which git shows other objects than those that were committed; no command of ours follows them. */
export const hasReplacedObjects = ({ commonDirectory }: Repository): boolean =>
  person.list(join(commonDirectory, 'refs', 'replace')).length > 0 ||
  (gitText(commonDirectory, 'packed-refs') ?? '').includes(' refs/replace/');

/** git marks the packs that it got from a remote that keeps the rest, and that remote. One without the other is whole. */
export const isPartialClone = (repository: Repository): boolean =>
  person
    .list(join(repository.commonDirectory, 'objects', 'pack'))
    .some(({ name }) => name.endsWith('.promisor')) &&
  repositorySettings(repository).some(([name]) =>
    /^remote\..*\.(?:promisor|partialclonefilter)$/i.test(name),
  );

/** A name that is also the start of other names is a directory; git is asked about anything stranger. */
const gitText = (directory: string, name: string): string | undefined =>
  tree.isFile(directory, name) ? tree.readText(directory, name) : undefined;
