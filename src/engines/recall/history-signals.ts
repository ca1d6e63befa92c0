import { refOf } from '../../base/ref.ts';
import {
  changedTogether,
  commitRecord,
  fileSignals,
  findCommit,
  type History,
  type HistoryView,
  listCommits,
  livingFilesOf,
} from '../../stores/history/index.ts';
import type { FilesOfCommit, Freshness, RecallSource } from './source.ts';

const day = 86_400_000;

const commitLine = ({ commit, author, timestamp }: ReturnType<typeof commitRecord>): string =>
  `${commit.slice(0, 10)} by ${author}, ${new Date(timestamp * 1000).toISOString().slice(0, 10)}`;

/** What recall takes from the history of files. Nothing here waits for an index: it answers from what is there. */
export function readHistory(history: History) {
  let ids = new Map<string, number>();
  let current: HistoryView | undefined;
  const view = async (): Promise<HistoryView | undefined> => {
    current = await history
      .ready({ waitMs: 0 })
      .then((ready) => ready.view)
      .catch(() => undefined);
    return current;
  };
  const idOf = (sha: string): number | undefined => {
    const open = current;
    return open && (ids.get(sha) ?? safely(() => findCommit(open, sha)));
  };
  const message = async (sha: string): Promise<string | undefined> => {
    const open = current ?? (await view());
    const id = idOf(sha);
    return open && id !== undefined ? commitRecord(open, id).message : undefined;
  };
  /** Commits, by what their messages say. */
  const source: RecallSource = {
    name: 'commits',
    domain: 'commits',
    trust: 90,
    ref: (sha) => refOf('commit', sha),
    text: message,
    detail: async (sha) => {
      const open = current ?? (await view());
      const id = idOf(sha);
      return open && id !== undefined ? commitLine(commitRecord(open, id)) : undefined;
    },
    chunks: async (sha) => {
      const text = (await message(sha))?.slice(0, longestMessage);
      if (text === undefined) return undefined;
      const endLine = text.split('\n').length;
      return [{ path: '', startLine: 1, endLine, heading: [], kind: 'prose', text }];
    },
    owners: async () => {
      const open = await view();
      if (!open) return [];
      const listed = listCommits(open);
      ids = new Map(listed.map((commit) => [commit.sha, commit.id]));
      return listed.map(({ id, sha, timestamp }) => ({
        owner: sha,
        hash: sha,
        title: firstLine(commitRecord(open, id).message),
        updated: timestamp * 1000,
        // Commits are short and vote for files: they come after the files of the last weeks and before the old ones.
        priority: 0.5,
      }));
    },
    generation: async () => (await history.freshness()).indexed ?? 'none',
    freshness: async (): Promise<Freshness> => {
      const { state, done, total } = await history.freshness();
      if (state === 'fresh' || state === 'empty') return { state };
      const detail = total ? `${done ?? 0} of ${total} commits` : 'HEAD moved since';
      return { state: state === 'behind' ? 'stale' : 'indexing', detail };
    },
  };
  return {
    source,
    /** Reads the past first, where no question did yet. */
    filesOfCommit: async (): Promise<FilesOfCommit> => {
      const open = await view();
      return (sha) => {
        const id = idOf(sha);
        if (!open || id === undefined) return { files: [], age: 1 };
        const { commits, positions } = open.stored;
        const age = (commits - (positions[id] ?? 0)) / Math.max(200, commits);
        return { files: livingFilesOf(open, id), age };
      };
    },
    /** Files that change together with this one, with the share of its commits. */
    changedWith: (path: string): Map<string, number> => {
      const open = current;
      const id = open?.find(path);
      if (!open || id === undefined) return new Map();
      return new Map([...changedTogether(open, id)].map(([other, share]) => [open.name(other), share]));
    },
    signals: async (text: string, limit: number, also: string[]) => {
      const open = await view();
      if (!open) return [];
      return fileSignals(open, text, { depth: limit, also }).map(({ path, signals }) => ({
        path: open.name(path),
        signals: {
          words: signals.text,
          path: signals.path,
          recent_votes: signals.recentVotes,
          popularity: signals.popularity,
          lately: signals.lately,
          last_change: signals.lastChange,
        },
      }));
    },
    /** How often and how lately each living file changed, 0 … 1. */
    importance: async () => {
      const open = await view();
      const found = new Map<string, { changes: number; latest: number }>();
      if (!open) return found;
      for (const commit of listCommits(open))
        for (const path of livingFilesOf(open, commit.id)) {
          const known = found.get(path);
          const latest = Math.max(known?.latest ?? 0, commit.timestamp * 1000);
          found.set(path, { changes: (known?.changes ?? 0) + 1, latest });
        }
      return found;
    },
  };
}

/** Recently changed and often changed files are embedded first. */
export const priorityOf = (facts: { changes: number; latest: number } | undefined, now: number): number => {
  if (!facts) return 1;
  const age = Math.max(0, now - facts.latest) / day;
  return Math.exp(-age / 30) + Math.min(1, facts.changes / 50) * 0.5;
};

const firstLine = (message: string): string => message.split('\n', 1).join('').slice(0, 120);

function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const longestMessage = 1500;
