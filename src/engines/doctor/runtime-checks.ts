import { DatabaseSync } from 'node:sqlite';
import { messageOf, SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { type Git, type Repository, readHead } from '../../base/git/index.ts';
import { failureOf, finding, megabytes, type Repairable } from './finding.ts';

export interface RuntimeFacts {
  node: string;
  freeBytes(path: string): number;
}

export const thisRuntime: RuntimeFacts = {
  node: process.versions.node,
  freeBytes: system.freeBytes,
};

const leastNode = 24;

export function checkRuntime({ node, freeBytes }: RuntimeFacts, root: string): Repairable[] {
  const bytes = freeBytes(root);
  const free = megabytes(bytes);
  return [
    finding(Number(node.split('.')[0]) >= leastNode ? 'node' : 'node/old', { node, least: leastNode }),
    checkFullText(),
    finding(bytes > 200 * 1024 * 1024 ? 'disk' : 'disk/full', { free }),
  ];
}

function checkFullText(): Repairable {
  try {
    const memory = new DatabaseSync(':memory:');
    memory.exec('CREATE VIRTUAL TABLE t USING fts5(x)');
    memory.close();
    return finding('sqlite', { version: process.versions.sqlite ?? 'unknown' });
  } catch (error) {
    return finding('sqlite/bare', { why: messageOf(error) });
  }
}

export async function checkGit(git: Git, repository: Repository): Promise<Repairable[]> {
  let version: string;
  try {
    version = (await git.text(['--version'])).replace('git version ', '');
  } catch (error) {
    const failure = failureOf(error, 'Install git and put it on PATH.');
    const isMissing = error instanceof SylkError && error.hint?.startsWith('Install');
    return [finding(isMissing ? 'git/missing' : 'repository/failed', failure)];
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 2 || (major === 2 && minor < 38);
  return [finding(isOld ? 'git/old' : 'git', { version }), await checkRepository(git, repository)];
}

async function checkRepository(git: Git, repository: Repository): Promise<Repairable> {
  const { root } = repository;
  const works = async (...args: string[]) => (await git.run(args, { accept: [1, 128] })).code === 0;
  try {
    if (!(await works('rev-parse', '--verify', '--quiet', 'HEAD'))) {
      // git reports the same for a branch without commits and for a broken one.
      await readHead(repository, git);
      return finding('repository/empty', { root });
    }
    const shallow = (await git.text(['rev-parse', '--is-shallow-repository'])) === 'true';
    if (!(await works('cat-file', '-e', 'HEAD^{tree}'))) return finding('repository/damaged');
    return finding(shallow ? 'repository/shallow' : 'repository', { root });
  } catch (error) {
    return finding('repository/failed', failureOf(error, 'Run `git fsck`.'));
  }
}
