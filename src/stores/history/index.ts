// Owns: history.db — commits, artifacts, tags, co-change, the words of messages and paths, snapshots.
// Knows: git and SQLite, through base.
// Must not know: other stores, code, vectors, who asks.
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { messageOf, SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import {
  type Git,
  graftMark,
  hasReplacedObjects,
  isPartialClone,
  type Repository,
  readHead,
} from '../../base/git/index.ts';
import { openOrQuarantine, quarantine, type Sqlite, versionOf } from '../../base/sqlite/index.ts';
import { tellUnread } from '../../base/unread.ts';
import { createContentReader } from './git/content.ts';
import { readIgnoredRevisions } from './git/ignored-revisions.ts';
import {
  countSkipped,
  type DamagedCommit,
  damagedCommits,
  damageReport,
  readProblems,
} from './git/problems.ts';
import { readTree } from './git/tree.ts';
import { type UpdateOptions, type UpdateResult, updateHistory } from './ingest.ts';
import { type HistoryView, loadHistoryView } from './query/history-view.ts';
import type { HistorySettings } from './settings.ts';
import { createSnapshots, recordWaiting, sinceSnapshot } from './snapshots.ts';
import { metaOf, shaText, storageMark } from './stored.ts';

export { settingsOf } from './config/index.ts';
export { readManifest } from './manifest.ts';
export {
  artifactSummary,
  listArtifacts,
  listTags,
  nameNow,
  namesEver,
  pathsWithTags,
  readArtifact,
} from './query/artifacts.ts';
export type { HistoryView } from './query/history-view.ts';
export { commitRecord, commitWithFiles, findCommit, listCommits, provenance } from './query/provenance.ts';
export { relatedFiles } from './query/related.ts';
export { askedRoles, roleSignals } from './query/roles.ts';
export { fileSignals } from './query/signals.ts';
export { summarise } from './query/summary.ts';
export { broughtAlong, changedTogether, coupledPairs, livingFilesOf } from './query/together.ts';
export { explanationOf, reasonOf } from './reasons.ts';

/**
 * `empty`: the branch has no commit. `unindexed`: nothing was read yet. `indexing`: this process is indexing.
 * `behind`: HEAD moved since. `fresh`: answers match HEAD.
 */
export type FreshnessState = 'empty' | 'unindexed' | 'indexing' | 'behind' | 'fresh';

export interface Freshness {
  state: FreshnessState;
  head: string | null;
  indexed: string | null;
  /** While indexing: commits read so far, and the total once it is known. */
  done?: number;
  total?: number;
}

export interface ReadyOptions {
  /** How long to wait for an index that is not fresh before answering from the existing one. */
  waitMs?: number;
  signal?: AbortSignal;
  progress?: UpdateOptions['progress'];
}

export type History = ReturnType<typeof openHistory>;

export interface HistoryOptions {
  path: string;
  repository: Repository;
  git: Git;
  settings: HistorySettings;
  notice?: (line: string) => void;
  /** Told what makes the command fail, although its own work is done. */
  tellDamage?: (line: string) => void;
}

export function openHistory({ repository, git, settings, path, notice, tellDamage }: HistoryOptions) {
  let sqlite: Sqlite | undefined;
  let held: { view: HistoryView; version: number; mark: string } | undefined;
  let running: Promise<UpdateResult> | undefined;
  let progress: { done: number; total?: number } | undefined;
  let waiting: number | undefined;
  const content = createContentReader(git);
  const snapshots = createSnapshots({ path, git, directory: join(dirname(path), 'snapshots') });
  const mark = () => storageMark(repository, settings);
  const forget = () => {
    sqlite?.close();
    sqlite = held = undefined;
  };

  const connection = (): Sqlite | undefined => {
    if (sqlite || !state.entry(path)) return sqlite;
    const opened = openOrQuarantine(path, { durability: 'normal', cacheMegabytes: 16 });
    if (opened.quarantined) tellDamage?.(`The history index was damaged and moved to ${opened.quarantined}.`);
    refuseForeign(opened.sqlite);
    sqlite = opened.sqlite;
    return sqlite;
  };
  const filled = (): Sqlite | undefined => {
    const open = connection();
    return open && versionOf(open, 'history') > 0 ? open : undefined;
  };
  const view = (): HistoryView | undefined => {
    const open = filled();
    if (!open) return undefined;
    const version = open.value<number>('PRAGMA data_version') ?? 0;
    const wanted = mark();
    if (held && held.version === version && held.mark === wanted) return held.view;
    const loaded = metaOf(open, 'mark') === wanted ? loadHistoryView(open, repository, settings) : undefined;
    held = loaded && { view: loaded, version, mark: wanted };
    return loaded;
  };
  /** Takes a snapshot every so many commits; a full disk must not fail the finished index. */
  const keepSnapshot = async ({ commits, kind }: UpdateResult) => {
    if (settings.snapshotFrequency === 0) return;
    waiting = kind === 'built' ? commits : (waiting ?? sinceSnapshot(path)) + commits;
    if (waiting < settings.snapshotFrequency) return recordWaiting(path, waiting);
    waiting = 0;
    try {
      recordWaiting(path, 0);
      await snapshots.take();
    } catch (error) {
      notice?.(`No snapshot of the history was saved: ${messageOf(error)}`);
    }
  };
  const damage = (): SylkError | undefined => {
    const open = filled();
    // A partial clone lacks files intentionally.
    const isTold = ({ kind }: DamagedCommit) => kind === 'commit' || !isPartialClone(repository);
    return damageReport(open ? damagedCommits(open).filter(isTold) : []);
  };
  /** The only way to fill the index. Concurrent calls share one run. */
  const update = async (request: UpdateOptions = {}): Promise<UpdateResult> => {
    const result = await start(request);
    tellUnread(damage());
    return result;
  };
  const start = (request: UpdateOptions): Promise<UpdateResult> => {
    if (running && !request.rebuild) return running;
    connection();
    const report: UpdateOptions['progress'] = (event) => {
      progress = event;
      request.progress?.(event);
    };
    const fill = async () => {
      if (!request.rebuild && !state.exists(path)) await snapshots.seed(mark());
      const options = { path, repository, git, settings };
      const result = await updateHistory(options, { ...request, progress: report });
      if (result.commits > 0) await keepSnapshot(result);
      return result;
    };
    // The previous caller handles its own failure; this run starts anyway.
    const before = running?.catch(() => {}) ?? Promise.resolve();
    const run = before.then(fill).finally(() => {
      if (running === run) running = progress = undefined;
    });
    running = run;
    return run;
  };
  const freshness = async (): Promise<Freshness> => {
    // The update that follows reports what is wrong with a broken branch.
    const read = await readHead(repository, git).catch(() => 'broken' as const);
    const head = read === 'broken' ? null : (read ?? null);
    const current = view();
    const indexed = current?.stored.head ? shaText(current.stored.head) : null;
    const stateNow = (): FreshnessState => {
      if (read === 'broken') return current ? 'behind' : 'unindexed';
      if (current && indexed === head) return head ? 'fresh' : 'empty';
      if (running) return 'indexing';
      if (current) return 'behind';
      return head ? 'unindexed' : 'empty';
    };
    return { ...(running && progress), state: stateNow(), head, indexed };
  };
  return {
    path,
    settings,
    content,
    snapshots,
    update,
    freshness,
    /** The view to query, updated to HEAD first when that is quick. */
    ready: async ({ waitMs = Number.POSITIVE_INFINITY, signal, progress: report }: ReadyOptions = {}) => {
      const now = await freshness();
      const current = view();
      if (current && (now.state === 'fresh' || now.state === 'empty')) {
        tellUnread(damage());
        return { view: current, freshness: now };
      }
      await withinTime(start({ progress: report }), waitMs, signal).catch((error) => {
        // Some answer without the history then. A damaged index is replaced, and the call made again.
        if (error instanceof SylkError) tellUnread(error);
        throw error;
      });
      tellUnread(damage());
      const updated = view();
      const { done = 0, total, ...rest } = await freshness();
      if (updated) return { view: updated, freshness: { done, total, ...rest } };
      const share = total ? ` (${Math.floor((100 * done) / total)} %)` : '';
      throw new SylkError('UNAVAILABLE', `The history is being indexed for the first time${share}.`, {
        hint: 'Try again in a moment; `sylk status` shows the progress.',
      });
    },
    /** What could not be read, in words; empty if nothing. */
    problems: (): string[] => {
      const open = filled();
      return open ? readProblems(open) : [];
    },
    /** Describes which ancestors of HEAD git cannot read. History before an unreadable commit is not indexed. */
    damage,
    /** The oldest commits of a shallow clone: earlier ones are on the remote only. */
    shallowCommits: (): string[] => graftMark(repository).split(' ').filter(Boolean),
    hasReplacedObjects: (): boolean => hasReplacedObjects(repository),
    /** Objects filtered out by the clone are on the remote only. */
    isPartialClone: (): boolean => isPartialClone(repository),
    /** Files of HEAD's tree that are not artifacts, by reason. */
    skippedFiles: async () => {
      const head = await readHead(repository, git);
      return countSkipped(head ? await readTree(git, head) : [], settings.exclude);
    },
    /** Tracked files that .gitignore matches. */
    ignoredFiles: async (): Promise<Set<string>> => {
      if (repository.bare) return new Set();
      const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--full-name'];
      const listed = git.list(args, { maxOutputBytes: 1 << 28 }).catch((error) => {
        tellUnread(error);
        return [];
      });
      return new Set(await listed);
    },
    /** Commits listed in .git-blame-ignore-revs. */
    ignoredRevisions: (asked: HistoryView) => readIgnoredRevisions(asked.sqlite, repository.root),
    /** Quarantines a damaged index; the next query builds a new one. False if it is sound. */
    heal: (): boolean => {
      forget();
      if (!state.entry(path)) return false;
      const opened = openOrQuarantine(path, { durability: 'normal' });
      const sound = opened.sqlite.value('PRAGMA quick_check(1)') === 'ok';
      opened.sqlite.close();
      if (!sound) tellDamage?.(`The history index was damaged and moved to ${quarantine(path)}.`);
      return !sound || opened.quarantined !== undefined;
    },
    close: () => {
      content.close();
      forget();
    },
  };
}

/** Waits for `work`, at most `limit`; the work itself goes on, and its failure is thrown only while waiting. */
async function withinTime(work: Promise<unknown>, limit: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const done = new AbortController();
  const either = AbortSignal.any([done.signal, signal ?? done.signal]);
  const late = setTimeout(Math.min(limit, 2 ** 31 - 1), undefined, { signal: either });
  // Handled below while waiting; later the next query reports it.
  work.catch(() => {});
  try {
    await Promise.race([work, late.catch(() => signal?.throwIfAborted())]);
  } finally {
    done.abort();
  }
}

/** `db_path` may name a file of another program: it is left alone. */
function refuseForeign(sqlite: Sqlite): void {
  const isEmpty = sqlite.value("SELECT 1 FROM sqlite_master WHERE type = 'table'") === undefined;
  if (isEmpty || versionOf(sqlite, 'history') > 0) return;
  sqlite.close();
  throw new SylkError('VALIDATION_ERROR', `${sqlite.path} is a database of another program.`, {
    hint: 'Set history.db_path to another file, or remove it.',
  });
}
