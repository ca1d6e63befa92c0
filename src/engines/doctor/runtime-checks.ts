import { DatabaseSync } from 'node:sqlite';
import { messageOf, SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { type Git, type Repository, readHead } from '../../base/git/index.ts';
import { note, ok, problem, type Repairable } from './finding.ts';

export interface RuntimeFacts {
  node: string;
  freeBytes(path: string): number;
}

export const thisRuntime: RuntimeFacts = {
  node: process.versions.node,
  freeBytes: system.freeBytes,
};

const leastNode = 24;
const leastGit = [2, 38];

export function checkRuntime(facts: RuntimeFacts, root: string): Repairable[] {
  const major = Number(facts.node.split('.')[0]);
  const free = facts.freeBytes(root);
  return [
    major >= leastNode
      ? ok('node', 'Node', facts.node)
      : problem(
          'node',
          'Node',
          `${facts.node} is too old; ${leastNode} or newer is needed.`,
          'Install Node 24, or run `npm install` where Sylk is, which brings one along.',
        ),
    checkFullText(),
    free > 200 * 1024 * 1024
      ? ok('disk', 'Disk', `${megabytes(free)} free`)
      : problem('disk', 'Disk', `Only ${megabytes(free)} are free here.`, 'Free some space before indexing.'),
  ];
}

function checkFullText(): Repairable {
  try {
    const memory = new DatabaseSync(':memory:');
    memory.exec('CREATE VIRTUAL TABLE t USING fts5(x)');
    memory.close();
    return ok('sqlite', 'SQLite', `${process.versions.sqlite ?? 'unknown'} with full text`);
  } catch (error) {
    return problem(
      'sqlite',
      'SQLite',
      `Full text search is missing: ${messageOf(error)}`,
      'Use an official build of Node 24.',
    );
  }
}

export async function checkGit(git: Git, repository: Repository): Promise<Repairable[]> {
  let version: string;
  try {
    version = (await git.text(['--version'])).replace('git version ', '');
  } catch (error) {
    const hint = error instanceof SylkError ? error.hint : undefined;
    const [id, title] = hint?.startsWith('Install') ? ['git', 'git'] : ['repository', 'Repository'];
    return [problem(id, title, messageOf(error), hint ?? 'Install git and put it on PATH.')];
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const old = major < leastGit[0]! || (major === leastGit[0] && minor < leastGit[1]!);
  const first = old
    ? note(
        'git',
        'git',
        `${version}: it cannot refuse repositories hidden in a working tree.`,
        'Upgrade git to 2.38 or newer.',
      )
    : ok('git', 'git', version);
  return [first, ...(await checkRepository(git, repository))];
}

async function checkRepository(git: Git, repository: Repository): Promise<Repairable[]> {
  try {
    const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD'], { accept: [1, 128] });
    if (head.code !== 0) {
      // git says the same of a branch without commits and of a broken one.
      await readHead(repository, git);
      return [
        note('repository', 'Repository', `${repository.root} has no commit yet.`, 'Make a first commit.'),
      ];
    }
    const shallow = (await git.text(['rev-parse', '--is-shallow-repository'])) === 'true';
    const missing = await git.run(['cat-file', '-e', 'HEAD^{tree}'], { accept: [1, 128] });
    if (missing.code !== 0)
      return [
        problem(
          'repository',
          'Repository',
          'Objects of HEAD are missing or damaged.',
          'Run `git fsck`, then `git fetch --refetch`.',
        ),
      ];
    if (shallow)
      return [
        note(
          'repository',
          'Repository',
          'This is a shallow clone: history before its oldest commit is missing.',
          'Run `git fetch --unshallow`.',
        ),
      ];
    return [ok('repository', 'Repository', repository.root)];
  } catch (error) {
    const hint = error instanceof SylkError ? error.hint : undefined;
    return [problem('repository', 'Repository', messageOf(error), hint ?? 'Run `git fsck`.')];
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
