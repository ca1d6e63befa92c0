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
  /** How old a branch's copy may get before the remote is asked again; Infinity: only when told. */
  refreshSeconds?: number;
  /** Commits to fetch; undefined fetches all. Left out: 1, and all for a commit pin. */
  depth?: number | undefined;
  /** Clones live below, one directory for each (address, ref). */
  cacheRoot?: string;
  clock?: Clock;
  log?: Log;
}

/**
 * A git repository as a library of skills: its tree is the hierarchy. It is cloned at the first question, not before.
 * A branch is looked at again once its copy is old; tags and commits are what they are. When the network fails, the
 * last good copy is served.
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
        hint: 'Correct skills_root of this repository in skills.toml, or remove it to scan the whole tree.',
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

  /** A failed refresh is tried again after the same interval; the time of the last good one stays as it was. */
  const refreshed = async (held: GitCheckout): Promise<GitCheckout> => {
    lastTry = clock.now();
    try {
      return await checkout.sync();
    } catch (error) {
      log.warn(
        `Skill source ${options.url} could not be refreshed; the copy of ${held.commit.slice(0, 12)} is served.`,
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
