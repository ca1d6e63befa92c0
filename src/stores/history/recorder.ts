import { redact } from '../../base/redact.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { commitFlags, type Facts, packChange } from './facts.ts';
import { type ChangeKind, changeKinds, type RawSink } from './git/raw-parser.ts';
import { parseConventional, parseTagLine } from './message.ts';
import { createBytes } from './packed.ts';
import { showPath } from './path-name.ts';
import { createPostingsWriter, wordFields } from './words/postings.ts';
import { createWordTable } from './words/tokenise.ts';

export interface RecorderOptions {
  sqlite: Sqlite;
  facts: Facts;
  /** Nothing is stored yet: no lookups are needed. */
  bulk: boolean;
  excludes(path: string): boolean;
  /** Called with the parents of each commit that was unknown before it was mentioned. */
  discovered(sha: string): void;
}

const botPattern =
  /\[bot\]|dependabot|renovate|greenkeeper|github-actions|snyk-bot|semantic-release|pre-commit-ci/i;
export const isBot = (name: string, email: string): boolean =>
  botPattern.test(name) || botPattern.test(email);

export type Recorder = ReturnType<typeof createRecorder>;

/** Writes the streamed commits into the tables of facts. */
export function createRecorder({ sqlite, facts, bulk, excludes, discovered }: RecorderOptions) {
  const firstNew = facts.count;
  const insertCommit = sqlite.prepare(
    `INSERT INTO commits (id, sha, author, timestamp, committed, conv_type, conv_scope, breaking, message)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const table = createWordTable();
  const messages = createPostingsWriter(sqlite, wordFields.message, table);
  const pathWords = createPostingsWriter(sqlite, wordFields.path, table);
  const authorOf = createAuthors(sqlite, bulk);
  const pathOf = createPaths(sqlite, bulk, excludes, (id, path) => {
    const bytes = Buffer.from(path);
    const slash = bytes.lastIndexOf(0x2f) + 1;
    pathWords.add(id, bytes.subarray(slash), bytes.subarray(0, slash));
  });

  let nextCommit = facts.count;
  const ids = new Map<string, number>();
  const lookUp = (sha: string): number | undefined => {
    const held = ids.get(sha);
    if (held !== undefined || bulk) return held;
    const stored = sqlite.value<number>('SELECT id FROM commits WHERE sha = ?', Buffer.from(sha, 'hex'));
    if (stored !== undefined) ids.set(sha, stored);
    return stored;
  };
  /** The id of a commit, assigned at its first mention. */
  const commitId = (sha: string): number => {
    const known = lookUp(sha);
    if (known !== undefined) return known;
    ids.set(sha, nextCommit);
    discovered(sha);
    return nextCommit++;
  };

  const merges: string[] = [];
  let recorded = 0;
  let gitlinks = 0;
  let unsaved = true;
  const record: RawSink['header'] = (header, bytes) => {
    const id = commitId(header.sha);
    const end = bytes.findLastIndex((byte) => byte > 0x20) + 1;
    const text = bytes.toString('utf8', 0, end);
    const message = redact(text);
    const author = authorOf(header.name, header.email);
    const conventional = parseConventional(message);
    const operations = parseTagLine(message);
    insertCommit.run(
      id,
      Buffer.from(header.sha, 'hex'),
      author.id,
      header.authored,
      header.committed,
      conventional?.type ?? null,
      conventional?.scope ?? null,
      conventional?.breaking ? 1 : 0,
      message,
    );
    if (operations.length > 0)
      sqlite.run(
        'INSERT INTO tag_lines (commit_id, operations) VALUES (?, ?)',
        id,
        JSON.stringify(operations),
      );
    // `…-by:` lines name people, not the change.
    const names = /\n[A-Z][A-Za-z-]{0,30}-by: .*/g;
    const isPlain = message === text && !message.includes('-by: ');
    const said = isPlain ? bytes.subarray(0, end) : Buffer.from(message.replace(names, ''));
    const line = said.includes(0x0a) ? said.indexOf(0x0a) : said.length;
    const words = messages.add(id, said.subarray(0, line), said.subarray(line));
    const parents = header.parents === '' ? [] : header.parents.split(' ').map(commitId);
    if (parents.length > 1) merges.push(header.sha);
    const flags = (author.bot ? commitFlags.bot : 0) | (operations.length > 0 ? commitFlags.tagged : 0);
    facts.add(id, { committed: header.committed, authored: header.authored, flags, words, parents });
    recorded++;
    unsaved = true;
  };
  const stream = (headerOf: RawSink['header'], ofMerges = false): RawSink => {
    const bytes = createBytes();
    let current = -1;
    let size = 0;
    let merge = false;
    const put = (path: number, kind: ChangeKind, from: number) => {
      if (path < 0) return;
      size++;
      packChange(bytes, path, kind, from);
    };
    return {
      header: (header, ...rest) => {
        headerOf(header, ...rest);
        current = commitId(header.sha);
        merge = header.parents.includes(' ');
        size = 0;
        bytes.reset();
      },
      change: (kind, path, fromPath) => {
        const to = pathOf(path);
        const from = fromPath ? pathOf(fromPath) : -1;
        if (!fromPath) put(to, kind, -1);
        else if (from < 0) put(to, changeKinds.added, -1);
        else if (to < 0) put(from, changeKinds.deleted, -1);
        else put(to, kind, from);
      },
      gitlink: () => {
        gitlinks++;
      },
      done: () => {
        // The changes of a merge come from a separate stream, which may be ahead of this one.
        if (merge && !ofMerges) return;
        facts.setChanges(current, size, bytes.view());
        unsaved = true;
      },
    };
  };
  return {
    /** One per stream: streams arrive in chunks, and a chunk may end in the middle of a commit. */
    sink: () => stream(record),
    /** For merges, whose own changes are read separately. */
    mergeSink: () => stream(() => {}, true),
    commitId,
    isKnown: (sha: string) => lookUp(sha) !== undefined,
    /** Commits that others name as parents but that were not read. */
    unread: () => [...ids].filter(([, id]) => !facts.known(id)).map(([sha]) => sha),
    /** -1 for an excluded path. */
    pathId: pathOf,
    get recorded() {
      return recorded;
    },
    get gitlinks() {
      return gitlinks;
    },
    /** Merges that were read. */
    merges,
    finish: () => {
      messages.flush();
      pathWords.flush();
      if (!unsaved) return;
      unsaved = false;
      const store = sqlite.prepare('INSERT OR REPLACE INTO facts (page, data) VALUES (?, ?)');
      if (facts.count > firstNew)
        for (const { page, data } of facts.pagesFrom(firstNew)) store.run(page, data);
      sqlite.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('commits', ?)", facts.count);
    },
  };
}

function createAuthors(sqlite: Sqlite, bulk: boolean) {
  const known = new Map<string, { id: number; bot: boolean }>();
  return (name: string, email: string) => {
    const key = `${name}\0${email}`;
    let author = known.get(key);
    if (!author) {
      const shown = [redact(name), redact(email)];
      const find = 'SELECT id FROM authors WHERE name = ? AND email = ?';
      const stored = bulk ? undefined : sqlite.value<number>(find, ...shown);
      const insert = () => sqlite.run('INSERT INTO authors (name, email) VALUES (?, ?)', ...shown);
      author = { id: stored ?? insert().lastInsertRowid, bot: isBot(name, email) };
      known.set(key, author);
    }
    return author;
  };
}

function createPaths(
  sqlite: Sqlite,
  bulk: boolean,
  excludes: (path: string) => boolean,
  made: (id: number, path: string) => void,
) {
  const known = new Map<string, number>();
  let next = sqlite.value<number>('SELECT max(id) + 1 FROM paths') ?? 0;
  const idOf = (path: string): number => {
    if (excludes(path)) return -1;
    const stored = bulk ? undefined : sqlite.value<number>('SELECT id FROM paths WHERE path = ?', path);
    if (stored !== undefined) return stored;
    sqlite.run('INSERT INTO paths (id, path) VALUES (?, ?)', next, path);
    made(next, path);
    return next++;
  };
  return (bytes: Buffer): number => {
    const key = bytes.toString('latin1');
    let id = known.get(key);
    if (id === undefined) {
      id = idOf(redact(showPath(bytes)));
      known.set(key, id);
    }
    return id;
  };
}
