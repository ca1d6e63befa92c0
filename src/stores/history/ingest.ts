import { backoff } from '../../base/backoff.ts';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import { type Git, type Repository, readHead } from '../../base/git/index.ts';
import { ignoreRules } from '../../base/glob/index.ts';
import { ensureDerived, isBusy, openSqlite, type Sqlite, versionOf } from '../../base/sqlite/index.ts';
import { buildAside } from './build-aside.ts';
import { placeView } from './derive/place-view.ts';
import type { ViewSource } from './derive/view.ts';
import { damagedCommits } from './git/problems.ts';
import { createCommitReading } from './git/read-commits.ts';
import { howToMend, readTree } from './git/tree.ts';
import type { HistorySettings } from './settings.ts';
import {
  loadFacts,
  metaOf,
  readTagLine,
  shaOf,
  shaText,
  storageMark,
  viewOf,
  worktreeName,
} from './stored.ts';
import { bulkIndexes, historySchema } from './tables.ts';

export interface UpdateOptions {
  rebuild?: boolean;
  signal?: AbortSignal;
  progress?: (event: { done: number; total?: number; message: string }) => void;
}

export interface UpdateResult {
  /** `unchanged`: nothing to do. `advanced`: new commits on top. `derived`: another branch of commits. `built`: from scratch. */
  kind: 'unchanged' | 'advanced' | 'derived' | 'built';
  head: string | null;
  /** Commits read from git by this call. */
  commits: number;
}

export interface IngestOptions {
  path: string;
  repository: Repository;
  git: Git;
  settings: HistorySettings;
}

/** Updates the index to HEAD in one transaction: a kill at any time leaves it as it was. */
export async function updateHistory(
  options: IngestOptions,
  request: UpdateOptions = {},
): Promise<UpdateResult> {
  if (!state.exists(options.path)) {
    const built = await buildAside(options.path, (path) =>
      runUpdate({ ...options, path }, request, (sqlite) => {
        sqlite.exec('PRAGMA journal_mode = OFF');
        sqlite.exec('PRAGMA synchronous = OFF');
      }),
    );
    if (built) return built;
  }
  const head = (await readHead(options.repository, options.git)) ?? null;
  if (!request.rebuild && (await isRepaired(options)))
    return runUpdate(options, { ...request, rebuild: true }, () => {});
  if (!request.rebuild && isUpToDate(options, head)) return { kind: 'unchanged', head, commits: 0 };
  return runUpdate(options, request, () => {});
}

/** Commits that could not be read before exist now: their ancestors can be read, too. */
async function isRepaired({ path, git }: IngestOptions): Promise<boolean> {
  const sqlite = openSqlite(path, { readOnly: true });
  try {
    if (versionOf(sqlite, historySchema.store) !== historySchema.version) return false;
    const [damaged] = damagedCommits(sqlite);
    if (!damaged) return false;
    const read = ['diff-tree', '--root', '-r', '--raw', '--no-renames', damaged.commit];
    return (await git.run(read, { accept: [1, 128] })).code === 0;
  } finally {
    sqlite.close();
  }
}

/** Most hooks find nothing to do: check once without a lock. */
function isUpToDate({ path, repository, settings }: IngestOptions, head: string | null): boolean {
  const sqlite = openSqlite(path, { readOnly: true });
  try {
    if (versionOf(sqlite, historySchema.store) !== historySchema.version) return false;
    const stored = sqlite.value<Uint8Array | null>(
      'SELECT head FROM worktrees JOIN views ON views.id = worktrees.view WHERE name = ?',
      worktreeName(repository),
    );
    if (stored === undefined || metaOf(sqlite, 'mark') !== storageMark(repository, settings)) return false;
    return (stored && shaText(stored)) === head;
  } finally {
    sqlite.close();
  }
}

async function runUpdate(
  options: IngestOptions,
  request: UpdateOptions,
  prepare: (sqlite: Sqlite) => void,
): Promise<UpdateResult> {
  const { repository, git } = options;
  const sqlite = openSqlite(options.path, { durability: 'normal', cacheMegabytes: 8 });
  try {
    prepare(sqlite);
    ensureDerived(sqlite, historySchema);
    await begin(sqlite, request.signal);
    try {
      const result = await bringUp(sqlite, options, request, await readHead(repository, git));
      request.signal?.throwIfAborted();
      sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      if (sqlite.db.isTransaction) sqlite.exec('ROLLBACK');
      throw error;
    }
  } finally {
    sqlite.close();
  }
}

const unreadable = (commit: string): SylkError =>
  new SylkError('UNAVAILABLE', `Commit ${commit} is missing or damaged, so no history can be read.`, {
    hint: howToMend,
  });

/** Waits for another writer without blocking this thread: the writer may be in it. */
async function begin(sqlite: Sqlite, signal?: AbortSignal): Promise<void> {
  sqlite.exec('PRAGMA busy_timeout = 0');
  for (;;) {
    signal?.throwIfAborted();
    try {
      return sqlite.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, backoff(1, { first: 35, jitter: 0.4 })));
    }
  }
}

function startOver(sqlite: Sqlite, mark: string): void {
  for (const table of historySchema.tables) sqlite.exec(`DELETE FROM ${table}`);
  sqlite.exec(bulkIndexes.drop);
  sqlite.run("INSERT INTO meta (key, value) VALUES ('mark', ?)", mark);
}

async function bringUp(
  sqlite: Sqlite,
  options: IngestOptions,
  request: UpdateOptions,
  head: string | undefined,
): Promise<UpdateResult> {
  const mark = storageMark(options.repository, options.settings);
  const fresh = request.rebuild === true || metaOf(sqlite, 'mark') !== mark || !metaOf(sqlite, 'commits');
  const worktree = worktreeName(options.repository);
  const current = fresh ? undefined : viewOf(sqlite, worktree);
  const indexed = head ?? null;
  if (current && (current.head && shaText(current.head)) === indexed)
    return { kind: 'unchanged', head: indexed, commits: 0 };
  if (fresh) startOver(sqlite, mark);
  const facts = loadFacts(sqlite);
  const { git, settings } = options;
  const { signal, progress } = request;
  const excludes = ignoreRules(settings.exclude);
  const reading = createCommitReading({ sqlite, git, facts, bulk: fresh, excludes, signal, progress });
  // A first index needs the whole tree: git lists it while commits are read. The awaiting caller handles a failure.
  const tree = fresh && head ? readTree(git, head, signal) : undefined;
  tree?.catch(() => {});
  const commits = head ? await reading.readTo(head) : 0;
  if (head && !facts.known(reading.recorder.commitId(head))) throw unreadable(head);
  reading.recorder.finish();
  if (fresh) sqlite.exec(bulkIndexes.create);
  const shas = new Map<number, string>();
  const source: ViewSource = {
    sqlite,
    facts,
    rules: settings,
    shaOf: (id) => {
      const sha = shas.get(id) ?? shaOf(sqlite, id);
      shas.set(id, sha);
      return sha;
    },
    pathOf: (path) => sqlite.value<string>('SELECT path FROM paths WHERE id = ?', path) ?? '',
    tagLine: (commit) => readTagLine(sqlite, commit),
  };
  const { recorder } = reading;
  const troubled = reading.isTroubled();
  const kind = await placeView({ source, git, recorder, worktree, current, head, tree, troubled, signal });
  return { kind: fresh ? 'built' : kind, head: indexed, commits };
}
