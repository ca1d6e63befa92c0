import { createHash } from 'node:crypto';
import { type Clock, isoTime } from '../../../base/clock.ts';
import { didYouMean } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import { loadTokenCounter } from '../../../base/tokens.ts';
import type { DerivedCache } from '../cache.ts';
import type { ProjectFiles } from '../project-files.ts';

/** A file as it was read: its text is cached while it does not change on disk. */
export interface Snapshot {
  path: string;
  content: string;
  hash: string;
  size: number;
  mod_time: string;
  read_at: string;
  token_count: number;
  hit_count: number;
}

const maxBytes = 5_000_000;
const maxKeptBytes = 48_000_000;
/** An older snapshot is read again even if the file looks the same. */
export const maxSnapshotAge = 60 * 60 * 1000;

interface Kept {
  snapshot: Snapshot;
  stamp: string;
  at: number;
}

export type SnapshotCache = ReturnType<typeof createSnapshotCache>;

export function createSnapshotCache(files: ProjectFiles, facts: DerivedCache, clock: Clock) {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const forget = (path: string) => {
    const known = kept.get(path);
    if (!known) return;
    bytes -= known.snapshot.size;
    kept.delete(path);
  };
  return {
    /** The text of a file and whether it came from memory. Files that git ignores are not served. */
    read: async (path: string): Promise<{ snapshot: Snapshot; hit: boolean }> => {
      const stamp = await files.stamp(path);
      if (stamp === undefined) throw await missing(files, path);
      const now = clock.now();
      const known = kept.get(path);
      if (known && known.stamp === stamp.mark && now - known.at <= maxSnapshotAge) {
        known.snapshot.hit_count++;
        // Most recently used last, so that the oldest is evicted first.
        kept.delete(path);
        kept.set(path, known);
        return { snapshot: known.snapshot, hit: true };
      }
      forget(path);
      await requireServed(files, path, stamp.size);
      const content = await files.read(path);
      if (content === undefined)
        throw new SylkError('VALIDATION_ERROR', `${path} is not a text file.`, {
          hint: 'Binary files are not served.',
        });
      const snapshot = await takeSnapshot(facts, path, content, stamp, now);
      kept.set(path, { snapshot, stamp: stamp.mark, at: now });
      bytes += snapshot.size;
      for (const oldest of kept.keys()) {
        if (bytes <= maxKeptBytes || oldest === path) break;
        forget(oldest);
      }
      return { snapshot, hit: false };
    },
  };
}

/** Token counts are cached by content, across processes. */
async function takeSnapshot(
  facts: DerivedCache,
  path: string,
  content: string,
  stamp: { size: number; modifiedAt: number },
  now: number,
): Promise<Snapshot> {
  const hash = createHash('sha256').update(content).digest('hex');
  const known = facts.get<number>('token count', hash)?.value;
  const tokens = known ?? (await loadTokenCounter())(content);
  if (known === undefined) facts.put('token count', [[hash, tokens]]);
  return {
    path,
    content,
    hash,
    size: stamp.size,
    mod_time: isoTime(stamp.modifiedAt),
    read_at: isoTime(now),
    token_count: tokens,
    hit_count: 0,
  };
}

async function requireServed(files: ProjectFiles, path: string, size: number): Promise<void> {
  if (!(await files.isListed(path)))
    throw new SylkError('DENIED', `${path} is ignored by git, so it is not served.`, {
      hint: 'Ignored files often contain secrets or build output. Read it yourself if you need it.',
    });
  if (size > maxBytes)
    throw new SylkError(
      'VALIDATION_ERROR',
      `${path} has ${Math.round(size / 1e6)} MB; the limit is ${maxBytes / 1e6} MB.`,
      {
        hint: 'Search in it instead.',
      },
    );
}

const missing = async (files: ProjectFiles, path: string): Promise<SylkError> =>
  new SylkError('NOT_FOUND', `File not found: ${JSON.stringify(path)}`, {
    hint: didYouMean(path, await files.list(), 'Give a path relative to the repository root.'),
  });
