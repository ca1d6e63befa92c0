// Owns: history.db — commits, artifacts, tags, co-change, the words of messages and paths, snapshots.
// Knows: git and SQLite, through base.
// Must not know: other stores, code, vectors, who asks.
import { dirname, join } from 'node:path';
import { messageOf, SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import { type Git, graftMark, isPartialClone, type Repository, readHead } from '../../base/git/index.ts';
import { openOrQuarantine, quarantine, type Sqlite, versionOf } from '../../base/sqlite/index.ts';
import { type ContentReader, createContentReader } from './git/content.ts';
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
import { createSnapshots, recordWaiting, type SnapshotShelf, sinceSnapshot } from './snapshots.ts';
import { shaText, storageMark } from './stored.ts';

export { settingsOf } from './config/index.ts';
export { readManifest } from './manifest.ts';
export {
  artifactSummary,
  listArtifacts,
  listTags,
  pathsWithTags,
} from './query/artifacts.ts';
export { listCommits, livingFilesOf } from './query/commit-list.ts';
export type { HistoryView } from './query/history-view.ts';
export { nameNow, namesEver } from './query/names.ts';
export { coupledPairs } from './query/pairs.ts';
export { commitRecord, commitWithFiles, findCommit, provenance } from './query/provenance.ts';
export { readArtifact } from './query/read-artifact.ts';
export { relatedFiles } from './query/related.ts';
export { askedRoles, type RoleSignals, roleSignals } from './query/roles.ts';
export { fileSignals } from './query/signals.ts';
export { summarise } from './query/summary.ts';
export { broughtAlong, changedTogether } from './query/together.ts';

/**
 * `empty`: the branch has no commit. `unindexed`: nothing was read yet. `indexing`: this process is at it.
 * `behind`: HEAD moved since. `fresh`: answers are about HEAD.
 */
export type FreshnessState = 'empty' | 'unindexed' | 'indexing' | 'behind' | 'fresh';

export interface Freshness {
  state: FreshnessState;
  head: string | null;
  indexed: string | null;
  /** While indexing: commits read so far, and how many there are once that is known. */
  done?: number;
  total?: number;
}

export interface ReadyOptions {
  /** How long to wait for an index that is not fresh before answering from what is there. */
  waitMs?: number;
  signal?: AbortSignal;
  progress?: UpdateOptions['progress'];
}

export interface History {
  /** The one way the index is filled. Calls at the same time share one run. */
  update(options?: UpdateOptions): Promise<UpdateResult>;
  freshness(): Promise<Freshness>;
  /** The picture to ask, brought up to HEAD first where that is quick. */
  ready(options?: ReadyOptions): Promise<{ view: HistoryView; freshness: Freshness }>;
  readonly content: ContentReader;
  /** What could not be read, in words; empty when all is well. */
  problems(): string[];
  /** Says what HEAD descends from and git can't read. History before an unreadable commit is not indexed. */
  damage(): SylkError | undefined;
  /** The oldest commits of a shallow clone: what came before them is on the remote only. */
  shallowCommits(): string[];
  /** Objects that were filtered out when it was cloned are on the remote only. */
  isPartialClone(): boolean;
  /** Files of HEAD's tree that are no artifacts, by reason. */
  skippedFiles(): Promise<{ excluded: number; submodule: number }>;
  /** Tracked files that .gitignore names. */
  ignoredFiles(): Promise<Set<string>>;
  /** Commits listed in .git-blame-ignore-revs. */
  ignoredRevisions(view: HistoryView): Set<number>;
  readonly settings: HistorySettings;
  readonly path: string;
  readonly snapshots: SnapshotShelf;
  /** Sets the index aside if it is damaged; the next question makes a new one. False if it is sound. */
  heal(): boolean;
  close(): void;
}

export interface HistoryOptions {
  path: string;
  repository: Repository;
  git: Git;
  settings: HistorySettings;
  notice?: (line: string) => void;
}

export function openHistory(options: HistoryOptions): History {
  const { repository, git, settings, path } = options;
  let sqlite: Sqlite | undefined;
  let held: { view: HistoryView; version: number; mark: string } | undefined;
  let running: Promise<UpdateResult> | undefined;
  let progress: { done: number; total?: number } | undefined;
  let waiting: number | undefined;
  const content = createContentReader(git);
  const snapshots = createSnapshots({ path, git, directory: join(dirname(path), 'snapshots') });

  const connection = (): Sqlite | undefined => {
    if (sqlite || !state.exists(path)) return sqlite;
    const opened = openOrQuarantine(path, { durability: 'normal', cacheMegabytes: 16 });
    if (opened.quarantined)
      options.notice?.(`The history index was damaged: set aside as ${opened.quarantined}.`);
    refuseForeign(opened.sqlite);
    sqlite = opened.sqlite;
    return sqlite;
  };
  const view = (): HistoryView | undefined => {
    const open = connection();
    if (!open || versionOf(open, 'history') === 0) return undefined;
    const version = open.get<{ data_version: number }>('PRAGMA data_version')!.data_version;
    const wanted = storageMark(repository, settings);
    if (held && held.version === version && held.mark === wanted) return held.view;
    const mark = open.get<{ value: string }>("SELECT value FROM meta WHERE key = 'mark'")?.value;
    const loaded = mark === wanted ? loadHistoryView(open, repository, settings) : undefined;
    held = loaded ? { view: loaded, version, mark: wanted } : undefined;
    return loaded;
  };
  /** Every so many commits; a disk that is full does not fail the index that was just made. */
  const keepSnapshot = async ({ commits, kind }: UpdateResult) => {
    if (settings.snapshotFrequency === 0) return;
    waiting = kind === 'built' ? commits : (waiting ?? sinceSnapshot(path)) + commits;
    if (waiting < settings.snapshotFrequency) return recordWaiting(path, waiting);
    waiting = 0;
    try {
      recordWaiting(path, 0);
      await snapshots.take();
    } catch (error) {
      options.notice?.(`No snapshot of the history was kept: ${messageOf(error)}`);
    }
  };
  const history: History = {
    path,
    settings,
    content,
    snapshots,
    update: (request = {}) => {
      if (running && !request.rebuild) return running;
      connection();
      const before = running ?? Promise.resolve();
      const optionsWithProgress: UpdateOptions = {
        ...request,
        progress: (event) => {
          progress = event;
          request.progress?.(event);
        },
      };
      const run = before
        // Its own caller hears of that failure; this run starts anyway.
        .catch(() => {})
        .then(async () => {
          if (!request.rebuild && !state.exists(path))
            await snapshots.seed(storageMark(repository, settings));
          const result = await updateHistory({ path, repository, git, settings }, optionsWithProgress);
          if (result.commits > 0) await keepSnapshot(result);
          return result;
        })
        .finally(() => {
          if (running === run) running = progress = undefined;
        });
      running = run;
      return run;
    },
    freshness: async () => {
      // What is wrong with a broken branch is said by the update that is asked for then.
      const read = await readHead(repository, git).catch(() => 'broken' as const);
      const head = read === 'broken' ? null : (read ?? null);
      const current = view();
      const indexed = current ? shaText(current.stored.head) : null;
      const state = (): FreshnessState => {
        if (read === 'broken') return current ? 'behind' : 'unindexed';
        if (current && indexed === head) return head ? 'fresh' : 'empty';
        if (running) return 'indexing';
        if (current) return 'behind';
        return head ? 'unindexed' : 'empty';
      };
      return { state: state(), head, indexed, ...(running ? progress : {}) };
    },
    ready: async ({ waitMs = Number.POSITIVE_INFINITY, signal, progress: tell } = {}) => {
      let freshness = await history.freshness();
      let current = view();
      if (!current || (freshness.state !== 'fresh' && freshness.state !== 'empty')) {
        const run = history.update({ progress: tell });
        await withinTime(run, waitMs, signal);
        current = view();
        freshness = await history.freshness();
      }
      if (current) return { view: current, freshness };
      const share = freshness.total
        ? ` (${Math.floor((100 * (freshness.done ?? 0)) / freshness.total)} %)`
        : '';
      throw new SylkError('UNAVAILABLE', `The history is being indexed for the first time${share}.`, {
        hint: 'Ask again in a moment; `sylk status` shows how far it is.',
      });
    },
    problems: () => {
      const open = connection();
      return open && versionOf(open, 'history') > 0 ? readProblems(open) : [];
    },
    damage: () => {
      const open = connection();
      const damaged = open && versionOf(open, 'history') > 0 ? damagedCommits(open) : [];
      // A partial clone lacks files on purpose.
      const isTold = ({ kind }: DamagedCommit) => kind === 'commit' || !isPartialClone(repository);
      return damageReport(damaged.filter(isTold));
    },
    shallowCommits: () => graftMark(repository).split(' ').filter(Boolean),
    isPartialClone: () => isPartialClone(repository),
    skippedFiles: async () => {
      const head = await readHead(repository, git);
      return countSkipped(head ? await readTree(git, head) : [], settings.exclude);
    },
    ignoredFiles: async () => {
      if (repository.bare) return new Set();
      const answer = await git.run(
        ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--full-name'],
        {
          accept: [128],
          maxOutputBytes: 1 << 28,
        },
      );
      return new Set(answer.stdout.toString('utf8').split('\0').filter(Boolean));
    },
    ignoredRevisions: (asked) => readIgnoredRevisions(asked.sqlite, repository.root),
    heal: () => {
      sqlite?.close();
      sqlite = held = undefined;
      if (!state.exists(path)) return false;
      const opened = openOrQuarantine(path, { durability: 'normal' });
      const sound = opened.sqlite.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check === 'ok';
      opened.sqlite.close();
      if (!sound) options.notice?.(`The history index was damaged: set aside as ${quarantine(path)}.`);
      return !sound || opened.quarantined !== undefined;
    },
    close: () => {
      content.close();
      sqlite?.close();
      sqlite = held = undefined;
    },
  };
  return history;
}

/** Waits for `work`, at most `limit`; the work itself goes on and its failure is heard only while waiting. */
async function withinTime(work: Promise<unknown>, limit: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const waits: Array<Promise<unknown>> = [work];
  if (Number.isFinite(limit)) waits.push(new Promise((resolve) => (timer = setTimeout(resolve, limit))));
  let stop = () => {};
  if (signal) {
    waits.push(
      new Promise((_, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
      }),
    );
  }
  // Heard above while waiting; later the next question reports it.
  work.catch(() => {});
  try {
    await Promise.race(waits);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** `db_path` may name a file that another program made: it is left alone. */
function refuseForeign(sqlite: Sqlite): void {
  const tables = sqlite.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  if (tables.length === 0 || versionOf(sqlite, 'history') > 0) return;
  sqlite.close();
  throw new SylkError('VALIDATION_ERROR', `${sqlite.path} is a database of another program.`, {
    hint: 'Set history.db_path to another file, or leave it out.',
  });
}
