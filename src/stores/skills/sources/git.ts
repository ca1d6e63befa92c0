import { join } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { messageOf, SylkError } from '../../../base/errors.ts';
import { tree } from '../../../base/files/index.ts';
import { type Log, silentLog } from '../../../base/log.ts';
import type { SkillScope, SkillSource } from '../skill.ts';
import { delegating } from './delegating.ts';
import { type FolderSource, filesystemSource } from './filesystem.ts';
import { type GitCheckout, gitCheckout } from './git-checkout.ts';
import { type GitRemoteOptions, requireGitRemote } from './git-remote.ts';

export interface GitSourceOptions extends GitRemoteOptions {
  ref?: string;
  refType?: 'branch' | 'tag' | 'commit';
  /** Directory within the repository that holds the skills. */
  skillsRoot?: string;
  scope?: SkillScope;
  /** Maximum age of a branch's clone before the remote is asked again; Infinity: only on request. */
  refreshSeconds?: number;
  /** Commits to fetch; undefined fetches all. When omitted: 1, and all for a commit pin. */
  depth?: number | undefined;
  /** Directory of the clones, one for each (URL, ref). */
  cacheRoot?: string;
  clock?: Clock;
  log?: Log;
}

/**
 * A git repository as a library of skills: its tree is the hierarchy. It is cloned on first use.
 * A branch is fetched again once its clone is old; tags and commits are fixed. When the network fails, the
 * last good clone is served.
 */
export function gitSource(options: GitSourceOptions): SkillSource {
  const { clock = systemClock, log = silentLog, refType = 'branch', ref = 'main' } = options;
  requireGitRemote(options);
  const checkout = gitCheckout({ ...options, ref, refType, clock });
  const lifetime = (options.refreshSeconds ?? 300) * 1000;
  let inner: { source: FolderSource; commit: string } | undefined;
  let lastTry = Number.NEGATIVE_INFINITY;

  const serve = (at: GitCheckout) => {
    if (inner?.commit === at.commit) return inner.source;
    const root = join(at.directory, options.skillsRoot ?? '.');
    if (!tree.isDirectory(at.directory, root))
      throw new SylkError('UNAVAILABLE', `skills_root '${options.skillsRoot}' not found in repo`, {
        hint: 'Fix skills_root of this repository in skills.toml, or remove it to scan the whole tree.',
      });
    inner = {
      source: filesystemSource({ root, scope: options.scope ?? 'project', boundary: at.directory }),
      commit: at.commit,
    };
    return inner.source;
  };

  const current = async (): Promise<FolderSource> => {
    const held = checkout.held();
    if (!held) return serve(await checkout.sync());
    const old = refType === 'branch' && clock.now() - Math.max(held.syncedAt, lastTry) >= lifetime;
    if (!old) return serve(held);
    return serve(await refreshed(held));
  };

  /** A failed refresh is retried after the same interval; the time of the last good one stays. */
  const refreshed = async (held: GitCheckout): Promise<GitCheckout> => {
    lastTry = clock.now();
    try {
      return await checkout.sync();
    } catch (error) {
      log.warn(
        `Skill source ${options.url} could not be refreshed; serving the clone of ${held.commit.slice(0, 12)}.`,
        {
          error: messageOf(error),
        },
      );
      return held;
    }
  };

  return {
    ...delegating(current),
    refresh: async (how = {}) => {
      serve(await checkout.sync(how));
    },
    origin: () => {
      const commit = inner?.commit ?? checkout.held()?.commit;
      return {
        kind: 'git',
        location: `${options.url}#${ref}`,
        remote: true,
        revision: commit,
      };
    },
  };
}
