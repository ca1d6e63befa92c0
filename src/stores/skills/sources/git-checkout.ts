import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { withLease } from '../../../base/durable/index.ts';
import { messageOf, SylkError } from '../../../base/errors.ts';
import { state } from '../../../base/files/index.ts';
import { createOwnGit, type Git, requireRevision } from '../../../base/git/index.ts';
import { redact } from '../../../base/redact.ts';
import { openSqlite } from '../../../base/sqlite/index.ts';
import { type GitRemoteOptions, refusePrivate, remoteGit } from './git-remote.ts';

export interface GitCheckout {
  /** A tree of plain files that no longer changes. */
  directory: string;
  commit: string;
  syncedAt: number;
}

export interface CheckoutOptions extends GitRemoteOptions {
  ref: string;
  refType: 'branch' | 'tag' | 'commit';
  depth?: number | undefined;
  cacheRoot?: string;
  clock: Clock;
}

const networkTimeout = 120_000;
const patience = 150_000;

/**
 * One clone on disk: `repo.git`, a tree for each served commit, and `state.json`, which names the current
 * one and is replaced atomically. Readers never see a half-written tree; one process at a time talks to the remote.
 */
export function gitCheckout(options: CheckoutOptions) {
  const { url, refType, clock } = options;
  const ref = requireRevision(options.ref);
  const key = createHash('sha256').update(`${url}\0${refType}\0${ref}`).digest('hex').slice(0, 32);
  const cacheRoot = options.cacheRoot ?? join(tmpdir(), 'sylk-skill-repos');
  const home = join(cacheRoot, key);
  const gitDirectory = join(home, 'repo.git');
  const stateFile = join(home, 'state.json');
  const depth = refType === 'commit' || 'depth' in options ? options.depth : 1;

  const held = (): GitCheckout | undefined => {
    try {
      const saved = JSON.parse(state.readText(stateFile) ?? 'null') as {
        commit: string;
        synced_at: number;
      } | null;
      if (!saved || !/^[0-9a-f]{40,64}$/.test(saved.commit)) return undefined;
      const directory = join(home, 'trees', saved.commit);
      return state.exists(directory)
        ? { directory, commit: saved.commit, syncedAt: saved.synced_at }
        : undefined;
    } catch {
      return undefined;
    }
  };

  /** Updates the clone and returns it. `acceptRewrite` accepts a branch whose history was rewritten. */
  const sync = async (how: { acceptRewrite?: boolean } = {}): Promise<GitCheckout> => {
    state.makeDirectory(home);
    const leases = openSqlite(join(cacheRoot, 'leases.db'), { durability: 'normal' });
    try {
      const checkout = await withLease(
        () => leases,
        `skills:${key}`,
        { seconds: 180, waitMs: patience, until: () => held() !== undefined },
        () => syncAlone(how),
      );
      // Another process is updating it: its result is just as good.
      const result = checkout ?? held();
      if (result) return result;
      throw new SylkError('TIMEOUT', 'Another process has been cloning this skill source for too long.', {
        hint: 'Try again in a few minutes.',
      });
    } finally {
      leases.close();
    }
  };

  const syncAlone = async (how: { acceptRewrite?: boolean }): Promise<GitCheckout> => {
    const before = held();
    removeStaleLocks(gitDirectory);
    const vetted = await refusePrivate(options);
    const git = remoteGit(home, gitDirectory, options, vetted);
    if (!state.exists(join(gitDirectory, 'HEAD')))
      await createOwnGit(home).run(['init', '-q', '--bare', '--', gitDirectory]);
    await fetchRef(git, before !== undefined);
    const commit = await resolveCommit(git);
    if (before && refType === 'branch' && !how.acceptRewrite)
      await requireForward(git, before.commit, commit);
    const directory = await writeTree(git, commit);
    const syncedAt = clock.now();
    state.write(stateFile, JSON.stringify({ url: redact(url), ref, commit, synced_at: syncedAt }));
    removeOldTrees([commit, before?.commit]);
    return { directory, commit, syncedAt };
  };

  const fetchRef = async (git: Git, again: boolean): Promise<void> => {
    const wanted = {
      branch: [`+refs/heads/${ref}:refs/sylk/head`],
      tag: [`+refs/tags/${ref}:refs/sylk/head`],
      commit: ['+refs/heads/*:refs/sylk/heads/*', '+refs/tags/*:refs/sylk/tags/*'],
    }[refType];
    // A later fetch continues from the existing clone, so that the path between the two commits is known.
    const shallow = depth !== undefined && !again && refType !== 'commit' ? [`--depth=${depth}`] : [];
    try {
      await git.run(
        [
          'fetch',
          '-q',
          '--no-tags',
          '--no-recurse-submodules',
          '--no-write-fetch-head',
          ...shallow,
          '--end-of-options',
          url,
          ...wanted,
        ],
        { timeoutMs: networkTimeout },
      );
    } catch (error) {
      throw fetchFailure(error, again);
    }
  };

  const fetchFailure = (error: unknown, again: boolean): SylkError => {
    const said = redact(messageOf(error));
    if (/couldn't find remote ref/.test(said)) return refNotFound();
    return new SylkError(
      'UNAVAILABLE',
      `git ${again ? 'pull' : 'clone'} failed: ${said.replace(/^git fetch failed \(\d+\): /, '')}`,
      {
        hint: 'Check the URL, your access and the network, then run `sylk skills sources --refresh`.',
        cause: error,
      },
    );
  };

  const refNotFound = () =>
    new SylkError('UNAVAILABLE', `ref '${ref}' not found in repo`, {
      hint: `There is no ${refType} of that name. Fix git_ref and ref_type in skills.toml.`,
    });

  const resolveCommit = async (git: Git): Promise<string> => {
    const name = refType === 'commit' ? ref : 'refs/sylk/head';
    const { code, stdout } = await git.run(
      ['rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`],
      { accept: [1, 128] },
    );
    const commit = stdout.toString('utf8').trim().split('\n').at(-1) ?? '';
    if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(commit)) throw refNotFound();
    return commit;
  };

  const requireForward = async (git: Git, from: string, to: string): Promise<void> => {
    if (from === to) return;
    const { code } = await git.run(['merge-base', '--is-ancestor', from, to], { accept: [1, 128] });
    if (code === 0) return;
    throw new SylkError(
      'CONFLICT',
      `git pull failed: ${ref} was rewritten on the remote; ${from.slice(0, 12)} is no longer part of it.`,
      {
        hint: 'If that is intended, run `sylk skills sources --refresh --accept-rewrite`.',
      },
    );
  };

  /** Files of one commit, written to a temporary directory and moved into place. No hooks, no filters, no submodules. */
  const writeTree = async (git: Git, commit: string): Promise<string> => {
    const target = join(home, 'trees', commit);
    if (state.exists(target)) return target;
    const fresh = join(home, 'trees', `.${commit}.${randomBytes(6).toString('hex')}`);
    state.makeDirectory(fresh);
    const index = join(home, `index.${randomBytes(6).toString('hex')}`);
    const env = {
      GIT_INDEX_FILE: index,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_WORK_TREE: fresh,
    };
    try {
      await git.run(['read-tree', commit], { env });
      await git.run(['checkout-index', '--all', '--force', `--prefix=${fresh}/`], { env });
      state.move(fresh, target);
    } finally {
      for (const leftover of [fresh, index, `${index}.lock`]) state.remove(leftover);
    }
    return target;
  };

  const removeOldTrees = (kept: Array<string | undefined>) => {
    for (const { name } of state.list(join(home, 'trees'))) {
      if (!kept.includes(name) && !name.startsWith('.')) state.remove(join(home, 'trees', name));
    }
  };

  return { held, sync, home };
}

/** Only the holder of the lease writes here; a lock file is the leftover of a killed process. */
function removeStaleLocks(gitDirectory: string): void {
  if (!state.exists(gitDirectory)) return;
  for (const name of ['shallow.lock', 'packed-refs.lock', 'config.lock', 'HEAD.lock', 'refs/sylk/head.lock'])
    state.remove(join(gitDirectory, name));
}
