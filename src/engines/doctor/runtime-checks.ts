import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, SylkError } from '../../base/errors.ts';
import { system, tree } from '../../base/files/index.ts';
import {
  type Git,
  hasReplacedObjects,
  isPartialClone,
  type Repository,
  readHead,
} from '../../base/git/index.ts';
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
  return [
    finding(isOld ? 'git/old' : 'git', { version }),
    await checkRepository(git, repository),
    ...(await checkGitFiles(git, repository)),
  ];
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
    const lost = isPartialClone(repository) ? [] : await lostFiles(git);
    if (lost.length > 0) {
      const paths = `${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ', …' : ''}`;
      const said = lost.length === 1 ? '1 file of HEAD is' : `${lost.length} files of HEAD are`;
      return finding('repository/content', { said, paths });
    }
    if (shallow) return finding('repository/shallow', { root });
    return finding(hasReplacedObjects(repository) ? 'repository/replaced' : 'repository', { root });
  } catch (error) {
    return finding('repository/failed', failureOf(error, 'Run `git fsck`.'));
  }
}

/** Files of HEAD whose content git lacks. */
async function lostFiles(git: Git): Promise<string[]> {
  const limits = { maxOutputBytes: 1 << 28, timeoutMs: 120_000 };
  const rows = await git.list(['ls-tree', '-r', '-z', '--full-tree', 'HEAD'], limits);
  const files = rows.flatMap((row) => {
    const [, kind, object = '', path = ''] = /^\d+ (\w+) ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
    return kind === 'blob' ? [{ object, path }] : [];
  });
  if (files.length === 0) return [];
  const input = `${files.map(({ object }) => object).join('\n')}\n`;
  const said = await git.text(['cat-file', '--batch-check=%(objectname)'], { ...limits, input });
  const lost = new Set([...said.matchAll(/^([0-9a-f]+) missing$/gm)].map(([, object]) => object));
  return files.filter(({ object }) => lost.has(object)).map(({ path }) => path);
}

/** Files beside the objects that git derives from them. */
async function checkGitFiles(
  git: Git,
  { bare, gitDirectory, commonDirectory }: Repository,
): Promise<Repairable[]> {
  const findings: Repairable[] = [];
  const index = join(gitDirectory, 'index');
  // One entry is enough to make git read the whole file.
  const listed = bare ? undefined : await git.run(['ls-files', '--', ':(top).sylk'], { accept: [128] });
  if (listed?.code === 128 && /index/.test(listed.stderr))
    findings.push(finding('git-index', { path: index }));
  const graph = 'objects/info/commit-graph';
  if (tree.isFile(commonDirectory, graph) && !isSealed(commonDirectory, graph))
    findings.push(finding('commit-graph', { path: join(commonDirectory, graph) }));
  return findings;
}

/** Whether a file of git ends with the digest of what is before. */
function isSealed(root: string, path: string): boolean {
  const bytes = tree.read(root, path, { limit: 1 << 30 });
  // The sixth byte says which digest: 2 is SHA-256.
  const [algorithm, length] = bytes[5] === 2 ? ['sha256', 32] : ['sha1', 20];
  const digest = createHash(algorithm).update(bytes.subarray(0, -length)).digest();
  return digest.equals(bytes.subarray(-length));
}
