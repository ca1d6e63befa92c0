import { SylkError } from '../../../base/errors.ts';
import { fetchUrl } from '../../../base/fetch/index.ts';
import { state } from '../../../base/files/index.ts';
import { requireRevision } from '../../../base/git/index.ts';
import { runProcess } from '../../../base/process/index.ts';
import { selects, unmatchedPaths } from '../names.ts';
import type { GitSource } from '../topic.ts';
import { isLeftOut } from './file-kinds.ts';
import { type GitMetadata, type GitRemote, repositoryName } from './git-remote.ts';
import { type BareCopy, bareCopy } from './git-tree.ts';
import type { Outside } from './outside.ts';

type Told = Omit<GitMetadata, 'filtered'>;

/** Data from the person's own GitHub login; undefined if the program is not installed or not logged in. */
export async function askGitHub(
  source: GitSource,
  outside: Outside,
  what: 'all' | 'commit' = 'all',
): Promise<Told | undefined> {
  const gh = await loggedIn(outside);
  if (!gh) return undefined;
  const name = repositoryName(source.url);
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return undefined;
  const repository = (await api(gh, `repos/${name}`)) as Record<string, unknown> | undefined;
  if (!repository) return undefined;
  const ref =
    source.ref === undefined ? String(repository['default_branch'] ?? 'HEAD') : requireRevision(source.ref);
  const tip = (await api(gh, `repos/${name}/commits/${encodeURIComponent(ref)}`)) as
    | { sha?: string }
    | undefined;
  if (!tip?.sha) {
    throw new SylkError('NOT_FOUND', `${name} has no branch or tag ${JSON.stringify(ref)}.`, {
      hint: `Its default branch is ${String(repository['default_branch'])}.`,
      data: { reason: 'unknown_ref' },
    });
  }
  const told: Told = { name, commit: tip.sha, ref };
  if (typeof repository['language'] === 'string') told.language = repository['language'];
  if (typeof repository['description'] === 'string') told.description = repository['description'];
  if (what === 'commit') return told;
  const tree = (await api(gh, `repos/${name}/git/trees/${tip.sha}?recursive=1`)) as GitHubTree | undefined;
  if (!tree?.tree || tree.truncated) return { ...told, bytes: Number(repository['size'] ?? 0) * 1024 };
  const wanted = tree.tree.filter((entry) => entry.type === 'blob' && selects(source.paths, entry.path));
  const files = wanted.filter((entry) => entry.mode !== '120000' && !isLeftOut(entry.path));
  return {
    ...told,
    files: files.length,
    bytes: files.reduce((sum, entry) => sum + (entry.size ?? 0), 0),
    leftOut: wanted.length - files.length,
    unmatched: unmatchedPaths(
      source.paths,
      files.map(({ path }) => path),
    ),
  };
}

/** File sizes from GitHub without a login: about sixty requests an hour, and not for the largest trees. */
export async function sizesOnGitHub(
  url: string,
  commit: string,
  outside: Outside,
): Promise<Map<string, number> | undefined> {
  const name = repositoryName(url);
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return undefined;
  try {
    const reply = await fetchUrl(
      `${outside.gitHubApi ?? 'https://api.github.com'}/repos/${name}/git/trees/${commit}?recursive=1`,
      {
        ...outside,
        headers: { accept: 'application/vnd.github+json' },
        types: ['application/json'],
        limits: { maxBytes: 20_000_000, maxDecodedBytes: 100_000_000 },
      },
    );
    const { tree, truncated } = JSON.parse(reply.text()) as GitHubTree;
    if (!Array.isArray(tree) || truncated) return undefined;
    return new Map(tree.flatMap(({ sha, size }) => (sha && size !== undefined ? [[sha, Number(size)]] : [])));
  } catch (error) {
    if (outside.signal?.aborted) throw error;
    return undefined;
  }
}

interface GitHubTree {
  truncated?: boolean;
  tree?: Array<{ path: string; mode: string; type: string; sha?: string; size?: number }>;
}

/** `gh repo clone` uses the person's login, for private repositories; otherwise plain git is used. */
export async function cloneFromGitHub(
  source: GitSource,
  commit: string,
  scratch: string,
  remote: GitRemote,
  outside: Outside,
): Promise<BareCopy | undefined> {
  const gh = await loggedIn(outside);
  if (!gh) return undefined;
  const directory = state.temporaryDirectory('gh-', scratch);
  const branch =
    source.ref && !/^[0-9a-f]{40}$/.test(source.ref) ? [`--branch=${requireRevision(source.ref)}`] : [];
  const args = [
    'repo',
    'clone',
    repositoryName(source.url),
    directory,
    '--',
    '--bare',
    '--depth=1',
    '--no-tags',
    '--template=',
    ...branch,
  ];
  const cloned = await runProcess(gh, args, {
    cwd: scratch,
    env: { GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1', GIT_ALLOW_PROTOCOL: 'https:ssh' },
    timeoutMs: 600_000,
    signal: outside.signal,
  });
  const copy = bareCopy(remote, directory, commit);
  const head = cloned.code === 0 ? await copy.git.text(['rev-parse', 'HEAD']).catch(() => '') : '';
  if (head === commit) return copy;
  copy.remove();
  return undefined;
}

async function loggedIn({ gh = 'gh' }: Outside): Promise<string | undefined> {
  if (gh === '') return undefined;
  try {
    const status = await runProcess(gh, ['auth', 'status'], { timeoutMs: 15_000 });
    return status.code === 0 ? gh : undefined;
  } catch {
    return undefined;
  }
}

async function api(gh: string, path: string): Promise<unknown> {
  const reply = await runProcess(gh, ['api', path], { timeoutMs: 60_000, maxOutputBytes: 128 * 1024 * 1024 });
  if (reply.code !== 0) return undefined;
  try {
    return JSON.parse(reply.stdout.toString('utf8'));
  } catch {
    return undefined;
  }
}
