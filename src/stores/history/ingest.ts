import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Git, Repository } from '../../base/git/index.ts';
import { ensureDerived, isBusy, openSqlite, type Sqlite } from '../../base/sqlite/index.ts';
import { buildAside } from './build-aside.ts';
import { advanceView } from './deriving/advance.ts';
import { deriveView } from './deriving/derive.ts';
import { ancestors } from './deriving/order.ts';
import { loadView, type StoredView, type ViewSource } from './deriving/view.ts';
import { createExcludes } from './exclude.ts';
import { createFacts, type Facts } from './facts.ts';
import type { TagOperation } from './message.ts';
import { type CommitLane, createCommitLane, type ReadProblem } from './reading/commit-lane.ts';
import { graftMark, readHead } from './reading/head.ts';
import { readTree, readTreeChanges } from './reading/tree.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { HistorySettings } from './settings.ts';
import { bulkIndexes, historySchema } from './tables.ts';

export interface UpdateOptions {
  rebuild?: boolean;
  signal?: AbortSignal;
  progress?: (event: { done: number; total?: number; message: string }) => void;
}

export interface UpdateResult {
  /** `unchanged`: nothing to do. `advanced`: new commits on top. `derived`: another line of commits. `built`: anew. */
  kind: 'unchanged' | 'advanced' | 'derived' | 'built';
  head: string | null;
  /** Commits read from git now. */
  commits: number;
}

export interface IngestOptions {
  path: string;
  repository: Repository;
  git: Git;
  settings: HistorySettings;
}

/** Which worktree asks: each has its own HEAD. */
export const worktreeName = (repository: Repository): string =>
  repository.linkedWorktree ? repository.gitDirectory : 'main';

/** Changes with everything that decides what is stored, so that a change of rules rebuilds. */
export function storageMark(repository: Repository, settings: HistorySettings): string {
  return createHash('sha256')
    .update(
      JSON.stringify([settings.exclude, settings.stripPrefixes, settings.stopTags, graftMark(repository)]),
    )
    .digest('hex')
    .slice(0, 16);
}

const walkAtMost = 400;
const blockSize = 512;

/** Brings the index to HEAD in one transaction: a kill at any moment leaves it as it was. */
export async function updateHistory(
  options: IngestOptions,
  request: UpdateOptions = {},
): Promise<UpdateResult> {
  if (!existsSync(options.path)) {
    const built = await buildAside(options.path, (path) =>
      runUpdate({ ...options, path }, request, (sqlite) => {
        sqlite.exec('PRAGMA journal_mode = OFF');
        sqlite.exec('PRAGMA synchronous = OFF');
      }),
    );
    if (built) return built;
  }
  return runUpdate(options, request, () => {});
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

/** Waits for another writer without stopping this thread: the other one may live in it. */
async function begin(sqlite: Sqlite, signal?: AbortSignal): Promise<void> {
  sqlite.exec('PRAGMA busy_timeout = 0');
  for (;;) {
    signal?.throwIfAborted();
    try {
      return sqlite.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  }
}

async function bringUp(
  sqlite: Sqlite,
  options: IngestOptions,
  request: UpdateOptions,
  head: string | undefined,
): Promise<UpdateResult> {
  const mark = storageMark(options.repository, options.settings);
  const stored = sqlite.get<{ value: string }>("SELECT value FROM meta WHERE key = 'mark'")?.value;
  const count = sqlite.get<{ value: number }>("SELECT value FROM meta WHERE key = 'commits'")?.value ?? 0;
  const fresh = request.rebuild === true || stored !== mark || count === 0;
  const worktree = worktreeName(options.repository);
  const current = fresh ? undefined : viewOf(sqlite, worktree);
  if (current && shaText(current.head) === (head ?? null)) {
    return { kind: 'unchanged', head: head ?? null, commits: 0 };
  }
  if (fresh) {
    for (const table of historySchema.tables) sqlite.exec(`DELETE FROM ${table}`);
    sqlite.exec(bulkIndexes.drop);
    sqlite.run("INSERT INTO meta (key, value) VALUES ('mark', ?)", mark);
  }
  const facts = loadFacts(sqlite, fresh ? 0 : count);
  const reading = createReading(sqlite, options, request, facts, fresh);
  const commits = head ? await reading.readTo(head) : 0;
  reading.recorder.finish();
  if (fresh) sqlite.exec(bulkIndexes.create);
  const kind = await reading.view(worktree, current, head);
  return { kind: fresh ? 'built' : kind, head: head ?? null, commits };
}

export const shaText = (sha: Uint8Array | null): string | null =>
  sha ? Buffer.from(sha).toString('hex') : null;

export function viewOf(sqlite: Sqlite, worktree: string): StoredView | undefined {
  const row = sqlite.get<{ view: number }>('SELECT view FROM worktrees WHERE name = ?', worktree);
  return row ? loadView(sqlite, row.view) : undefined;
}

export function loadFacts(sqlite: Sqlite, count: number): Facts {
  const page = sqlite.prepare('SELECT data FROM facts WHERE page = ?');
  return createFacts({
    count,
    load: (number) => (page.get(number) as { data: Uint8Array } | undefined)?.data,
  });
}

function createReading(
  sqlite: Sqlite,
  { git, settings }: IngestOptions,
  { signal, progress }: UpdateOptions,
  facts: Facts,
  bulk: boolean,
) {
  let walking: string[] | undefined;
  const recorder: Recorder = createRecorder({
    sqlite,
    facts,
    bulk,
    excludes: createExcludes(settings.exclude),
    discovered: (sha) => walking?.push(sha),
  });
  const problem = ({ kind, commits }: ReadProblem) => {
    for (const what of kind === 'renames' ? [`${commits[0]}..${commits.at(-1)}`] : commits)
      sqlite.run(
        'INSERT INTO problems (kind, what, count) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        kind,
        what,
        kind === 'renames' ? commits.length : 1,
      );
  };
  const lane = (extra: { combined?: boolean; interactive?: boolean; sink?: Recorder['sink'] } = {}) =>
    createCommitLane({ git, sink: recorder.sink, problem, ...(signal ? { signal } : {}), ...extra });

  /** From HEAD back to what is known, one process, each commit naming the next. */
  const walk = async (head: string): Promise<boolean> => {
    walking = [];
    recorder.commitId(head);
    let read = 0;
    let wake = () => {};
    const walker = lane({
      interactive: true,
      sink: {
        ...recorder.sink,
        header: (...args) => {
          recorder.sink.header(...args);
          read++;
          wake();
        },
      },
    });
    let asked = 0;
    while (walking.length > 0 && asked < walkAtMost) {
      const next = walking.splice(0);
      asked += next.length;
      walker.feed(next);
      while (read < asked && walking.length === 0) {
        const more = new Promise<void>((resolve) => (wake = resolve));
        if (read < asked && walking.length === 0) await Promise.race([more, walker.stopped]);
        if (walker.isStopped()) break;
      }
      if (walker.isStopped()) break;
    }
    await walker.finish();
    const left = walking;
    walking = undefined;
    return left.length === 0;
  };

  const readMany = async (head: string): Promise<void> => {
    const known = sqlite
      .all<{ head: Uint8Array }>('SELECT DISTINCT head FROM views WHERE head IS NOT NULL')
      .map((row) => `^${shaText(row.head)}`);
    const lanes: CommitLane[] = [lane(), lane()];
    const { child, end } = git.stream(['rev-list', '--ignore-missing', head, ...known]);
    child.stdin!.end();
    child.stderr!.resume();
    const abort = () => end();
    signal?.addEventListener('abort', abort, { once: true });
    let block: string[] = [];
    let turn = 0;
    let listed = 0;
    const send = () => {
      lanes[turn++ % lanes.length]!.feed(block);
      block = [];
    };
    for await (const sha of createInterface({ input: child.stdout!, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (!bulk && facts.known(recorder.commitId(sha))) continue;
      listed++;
      block.push(sha);
      if (block.length === blockSize) {
        send();
        progress?.({ done: recorder.recorded, message: 'reading history' });
      }
    }
    if (block.length > 0) send();
    signal?.removeEventListener('abort', abort);
    const ticking = setInterval(
      () => progress?.({ done: recorder.recorded, total: listed, message: 'reading history' }),
      250,
    );
    try {
      await Promise.all(lanes.map((each) => each.finish()));
    } finally {
      clearInterval(ticking);
    }
  };

  const readMerges = async (from: number) => {
    const merges = recorder.merges.slice(from);
    if (merges.length === 0) return;
    const combined = lane({ combined: true, sink: recorder.mergeSink });
    combined.feed(merges);
    await combined.finish();
  };

  const source: ViewSource = {
    sqlite,
    facts,
    rules: { stripPrefixes: settings.stripPrefixes, stopTags: settings.stopTags },
    shaOf: shaLookup(sqlite),
    pathOf: (path) => sqlite.get<{ path: string }>('SELECT path FROM paths WHERE id = ?', path)!.path,
    tagLine: (commit) => {
      const row = sqlite.get<{ operations: string }>(
        'SELECT operations FROM tag_lines WHERE commit_id = ?',
        commit,
      );
      return row ? (JSON.parse(row.operations) as TagOperation[]) : [];
    },
  };

  return {
    recorder,
    readTo: async (head: string): Promise<number> => {
      if (recorder.isKnown(head)) return 0;
      if (bulk || !(await walk(head))) await readMany(head);
      await readMerges(0);
      return recorder.recorded;
    },
    /** Points the worktree at the view of HEAD, made from an older view where that is possible. */
    view: async (
      worktree: string,
      current: StoredView | undefined,
      head: string | undefined,
    ): Promise<UpdateResult['kind']> => {
      const headId = head ? recorder.commitId(head) : -1;
      const same = head
        ? sqlite.get<{ id: number }>('SELECT id FROM views WHERE head = ?', Buffer.from(head, 'hex'))
        : undefined;
      const others = current
        ? sqlite.get('SELECT 1 AS there FROM worktrees WHERE view = ? AND name <> ?', current.id, worktree)
        : undefined;
      let id = same?.id ?? (current && !others ? current.id : undefined);
      id ??= (sqlite.get<{ next: number | null }>('SELECT max(id) + 1 AS next FROM views')?.next ?? 1) || 1;
      let kind: UpdateResult['kind'] = 'derived';
      if (!same) {
        const fresh = current?.head && id === current.id ? onTop(facts, current, headId) : undefined;
        if (fresh && current) {
          const changes = await readTreeChanges(git, shaText(current.head)!, head!, signal);
          const ids = (paths: Buffer[]) =>
            paths.map((path) => recorder.pathId(path)).filter((each) => each >= 0);
          const appeared = ids(changes.appeared);
          recorder.finish();
          advanceView(source, current, headId, fresh, { appeared, vanished: ids(changes.vanished) });
          kind = 'advanced';
        } else {
          const tree: number[] = [];
          for (const entry of head ? await readTree(git, head, signal) : []) {
            const path = entry.gitlink ? -1 : recorder.pathId(entry.path);
            if (path >= 0) tree.push(path);
          }
          recorder.finish();
          deriveView(source, id, headId, tree);
        }
      }
      sqlite.run('INSERT OR REPLACE INTO worktrees (name, view) VALUES (?, ?)', worktree, id);
      for (const table of ['lineages', 'tags']) {
        sqlite.run(`DELETE FROM ${table} WHERE view NOT IN (SELECT view FROM worktrees)`);
      }
      sqlite.run('DELETE FROM views WHERE id NOT IN (SELECT view FROM worktrees)');
      return kind;
    },
  };
}

/** The commits that are new since `view`, if every one of them descends from its head: then order only grows. */
function onTop(facts: Facts, view: StoredView, head: number): Int32Array | undefined {
  const isOld = (id: number) => id < view.positions.length && view.positions[id]! >= 0;
  const fresh = ancestors(facts, head, isOld);
  if (fresh.length === 0) return undefined;
  const last = view.commits - 1;
  const isHead = (id: number) => id < view.positions.length && view.positions[id] === last;
  const inFresh = new Set(fresh);
  const verdict = new Map<number, boolean>();
  // Parents come before children in a depth-first sense; a stack keeps long histories off the call stack.
  for (const start of fresh) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1)!;
      if (verdict.has(id)) {
        stack.pop();
        continue;
      }
      const parents = facts.parents(id);
      const open = parents.filter((parent) => inFresh.has(parent) && !verdict.has(parent));
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      const descends = parents.some((parent) => isHead(parent) || verdict.get(parent) === true);
      if (!descends) return undefined;
      verdict.set(id, true);
      stack.pop();
    }
  }
  return fresh;
}

function shaLookup(sqlite: Sqlite): (id: number) => string {
  const find = sqlite.prepare('SELECT sha FROM commits WHERE id = ?');
  const known = new Map<number, string>();
  return (id) => {
    let sha = known.get(id);
    if (sha === undefined) {
      sha = shaText((find.get(id) as { sha: Uint8Array }).sha)!;
      known.set(id, sha);
    }
    return sha;
  };
}
