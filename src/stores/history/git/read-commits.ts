import type { Git } from '../../../base/git/index.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import type { Facts } from '../facts.ts';
import { createRecorder } from '../recorder.ts';
import { shaText } from '../stored.ts';
import { type CommitLane, createCommitLane, glanceAtCommit, type ReadProblem } from './commit-lane.ts';
import type { RawSink } from './raw-parser.ts';

export interface ReadOptions {
  sqlite: Sqlite;
  git: Git;
  facts: Facts;
  /** True when nothing is stored yet. */
  bulk: boolean;
  excludes(path: string): boolean;
  signal?: AbortSignal | undefined;
  progress?: ((event: { done: number; total?: number; message: string }) => void) | undefined;
}

const walkAtMost = 400;
const mostRounds = 20;
const silenceMs = 1000;

/** False on a timeout. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
const blockSize = 512;

/** Reads commits that are not stored yet: a few by walking back from HEAD, many in two parallel lanes. */
export function createCommitReading({ sqlite, git, facts, bulk, excludes, signal, progress }: ReadOptions) {
  let walking: string[] | undefined;
  let troubled = false;
  const recorder = createRecorder({
    sqlite,
    facts,
    bulk,
    excludes,
    discovered: (sha) => walking?.push(sha),
  });
  const problem = ({ kind, commits }: ReadProblem) => {
    troubled = true;
    for (const what of kind === 'renames' ? [`${commits[0]}..${commits.at(-1)}`] : commits)
      sqlite.run(
        'INSERT INTO problems (kind, what, count) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        kind,
        what,
        kind === 'renames' ? commits.length : 1,
      );
  };
  const lane = (extra: { combined?: boolean; interactive?: boolean; sink?: RawSink } = {}) =>
    createCommitLane({ git, sink: recorder.sink(), problem, signal, ...extra });

  const laneForMerges = () => lane({ combined: true, sink: recorder.mergeSink() });

  const missingCommits = (commits: string[]): string[] => {
    const told =
      git.glance(['cat-file', '--batch-check'], `${commits.join('\n')}\n`)?.toString('latin1') ?? '';
    return commits.filter((sha) => told.includes(`${sha} missing`));
  };

  const walk = async (head: string): Promise<boolean> => {
    walking = [];
    recorder.commitId(head);
    if (glanceAtCommit(git, head, recorder.sink())) {
      walking.shift();
      if (walking.length === 0) return true;
    }
    return walkOn();
  };

  /** Walks back from the waiting commits to the stored ones, in one process, each commit naming the next. */
  const walkOn = async (): Promise<boolean> => {
    walking ??= [];
    let read = 0;
    let wake = () => {};
    const told = recorder.sink();
    const walker = lane({
      interactive: true,
      sink: {
        ...told,
        header: (...args) => {
          told.header(...args);
          read++;
          wake();
        },
      },
    });
    let asked = 0;
    let waiting: string[] = [];
    while (walking.length > 0 && asked < walkAtMost) {
      const next = walking.splice(0);
      asked += next.length;
      waiting = [...waiting, ...next].filter((sha) => !facts.known(recorder.commitId(sha)));
      walker.feed(next);
      while (read < asked && walking.length === 0) {
        const more = new Promise<'more'>((resolve) => (wake = () => resolve('more')));
        const heard = await within(silenceMs, Promise.race([more, walker.stopped]));
        if (walker.isStopped()) break;
        // git prints nothing about a missing commit.
        if (heard) continue;
        const missing = missingCommits(waiting);
        if (missing.length > 0) problem({ kind: 'commit', commits: missing });
        read += missing.length;
        waiting = waiting.filter((sha) => !missing.includes(sha));
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
      .column<Uint8Array>('SELECT DISTINCT head FROM views WHERE head IS NOT NULL')
      .map((sha) => `^${shaText(sha)}`);
    // The second one starts with the second block: a small history needs none.
    const lanes: CommitLane[] = [];
    let mergeLane: CommitLane | undefined;
    const { createInterface } = await import('node:readline');
    const { child, end } = git.stream(['rev-list', '--parents', '--ignore-missing', head, ...known]);
    child.stdin.end();
    child.stderr.resume();
    const listing = new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 128));
    });
    // Awaited after the lanes; must not count as an unhandled rejection until then.
    listing.catch(() => {});
    signal?.addEventListener('abort', end, { once: true });
    let block: string[] = [];
    let merges: string[] = [];
    let listed = 0;
    const send = () => {
      const next = lanes.length < 2 ? lane() : lanes.shift();
      if (next) lanes.push(next);
      next?.feed(block);
      block = [];
      if (merges.length === 0) return;
      mergeLane ??= laneForMerges();
      mergeLane.feed(merges);
      merges = [];
    };
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
      const [sha = '', ...parents] = line.split(' ');
      if (!bulk && facts.known(recorder.commitId(sha))) continue;
      listed++;
      block.push(sha);
      if (parents.length > 1) merges.push(sha);
      if (block.length === blockSize) {
        send();
        progress?.({ done: recorder.recorded, message: 'reading history' });
      }
    }
    if (block.length > 0) send();
    signal?.removeEventListener('abort', end);
    const ticking = setInterval(
      () => progress?.({ done: recorder.recorded, total: listed, message: 'reading history' }),
      250,
    );
    try {
      await Promise.all([...lanes, mergeLane].map((each) => each?.finish()));
    } finally {
      clearInterval(ticking);
    }
    signal?.throwIfAborted();
    if ((await listing) !== 0) await readUpToDamage(head);
  };

  /** git stops listing at the first unreadable commit: continue from each parent that was only mentioned. */
  const readUpToDamage = async (head: string): Promise<void> => {
    const tried = new Set<string>();
    recorder.commitId(head);
    for (let round = 0; round < mostRounds; round++) {
      const next = recorder.unread().filter((sha) => !tried.has(sha));
      if (next.length === 0) return;
      for (const sha of next) tried.add(sha);
      walking = next;
      await walkOn();
    }
  };

  const readMerges = async (merges: string[]) => {
    if (merges.length === 0) return;
    const combined = laneForMerges();
    combined.feed(merges);
    await combined.finish();
  };

  return {
    recorder,
    isTroubled: () => troubled,
    /** Returns how many commits were new. */
    readTo: async (head: string): Promise<number> => {
      if (recorder.isKnown(head)) return 0;
      const walked = !bulk && (await walk(head));
      // An abandoned walk has read some merges; the others are read with everything else.
      await readMerges(recorder.merges.splice(0));
      if (!walked) await readMany(head);
      return recorder.recorded;
    },
  };
}
