import { redact } from '../../base/redact.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { commitFlags, type Facts, packChange } from './facts.ts';
import { type ChangeKind, changeKinds, type RawSink } from './git/raw-parser.ts';
import { parseConventional, parseTagLine } from './message.ts';
import { createBytes } from './packed.ts';
import { showPath } from './path-name.ts';
import { createPostingsWriter, type Range, wordFields } from './words/postings.ts';
import { createWordTable } from './words/tokenise.ts';

/** Writes what git tells about commits, as it streams by, into the tables of facts. */
export interface Recorder {
  /** One for each stream: streams arrive in pieces, and a piece may end in the middle of a commit. */
  sink(): RawSink;
  /** For merges, whose own changes are read separately. */
  mergeSink(): RawSink;
  /** The id of a commit, made at its first mention. */
  commitId(sha: string): number;
  isKnown(sha: string): boolean;
  /** Commits that others name as parents and that were not told. */
  unread(): string[];
  /** -1 for a path that is excluded. */
  pathId(path: Buffer): number;
  readonly recorded: number;
  /** Merges that were told. */
  readonly merges: string[];
  readonly gitlinks: number;
  finish(): void;
}

export interface RecorderOptions {
  sqlite: Sqlite;
  facts: Facts;
  /** Nothing is stored yet: no lookups are needed. */
  bulk: boolean;
  excludes(path: string): boolean;
  /** Called with the parents of each commit that was not known before it was mentioned. */
  discovered?(sha: string): void;
}

const botPattern =
  /\[bot\]|dependabot|renovate|greenkeeper|github-actions|snyk-bot|semantic-release|pre-commit-ci/i;
export const isBot = (name: string, email: string): boolean =>
  botPattern.test(name) || botPattern.test(email);

export function createRecorder(options: RecorderOptions): Recorder {
  const { sqlite, facts, bulk } = options;
  const firstNew = facts.count;
  const insertCommit = sqlite.prepare(
    `INSERT INTO commits (id, sha, author, timestamp, committed, conv_type, conv_scope, breaking, message)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertTags = sqlite.prepare('INSERT INTO tag_lines (commit_id, operations) VALUES (?, ?)');
  const table = createWordTable();
  const messages = createPostingsWriter(sqlite, wordFields.message, table);
  const pathWords = createPostingsWriter(sqlite, wordFields.path, table);
  const authors = createAuthors(sqlite, bulk);
  const paths = createPaths(sqlite, bulk, options.excludes, (id, bytes) => {
    const slash = bytes.lastIndexOf(0x2f) + 1;
    const title = { buffer: bytes, start: slash, end: bytes.length };
    pathWords.add(id, title, slash > 0 ? [{ buffer: bytes, start: 0, end: slash }] : []);
  });

  let nextCommit = facts.count;
  const ids = new Map<string, number>();
  const findCommit = sqlite.prepare('SELECT id FROM commits WHERE sha = ?');
  const lookUp = (sha: string): number | undefined => {
    const held = ids.get(sha);
    if (held !== undefined || bulk) return held;
    const row = findCommit.get(Buffer.from(sha, 'hex')) as { id: number } | undefined;
    if (row) ids.set(sha, row.id);
    return row?.id;
  };
  const commitId = (sha: string): number => {
    const known = lookUp(sha);
    if (known !== undefined) return known;
    ids.set(sha, nextCommit);
    options.discovered?.(sha);
    return nextCommit++;
  };

  const merges: string[] = [];
  let recorded = 0;
  let gitlinks = 0;
  let unsaved = true;
  const record: RawSink['header'] = (header, buffer, start, end) => {
    const id = commitId(header.sha);
    while (end > start && buffer[end - 1]! <= 0x20) end--;
    let message = buffer.toString('utf8', start, end);
    const clean = redact(message);
    if (clean !== message) {
      message = clean;
      buffer = Buffer.from(clean);
      start = 0;
      end = buffer.length;
    }
    const author = authors.id(header.name, header.email);
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
    if (operations.length > 0) insertTags.run(id, JSON.stringify(operations));
    const { title, rest } = messageParts(buffer, start, end, message.includes('-by: '));
    const words = messages.add(id, title, rest);
    if (messages.full) messages.flush();
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
      change: (kind, buffer, range) => {
        const to = paths.id(buffer, range.start, range.end);
        const from = kind === changeKinds.renamed ? paths.id(buffer, range.fromStart, range.fromEnd) : -1;
        if (kind !== changeKinds.renamed) put(to, kind, -1);
        else if (from < 0) put(to, changeKinds.added, -1);
        else if (to < 0) put(from, changeKinds.deleted, -1);
        else put(to, kind, from);
      },
      gitlink: () => {
        gitlinks++;
      },
      done: () => {
        // What a merge changed itself comes from its own stream, which may be ahead of this one.
        if (merge && !ofMerges) return;
        facts.setChanges(current, size, bytes.copy());
        unsaved = true;
      },
    };
  };
  return {
    sink: () => stream(record),
    mergeSink: () => stream(() => {}, true),
    commitId,
    isKnown: (sha) => lookUp(sha) !== undefined,
    unread: () => [...ids].filter(([, id]) => !facts.known(id)).map(([sha]) => sha),
    pathId: (path) => paths.id(path, 0, path.length),
    get recorded() {
      return recorded;
    },
    get gitlinks() {
      return gitlinks;
    },
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

/** The subject is the title; `…-by:` lines name people, not the change. */
function messageParts(
  buffer: Buffer,
  start: number,
  end: number,
  namesPeople: boolean,
): { title: Range; rest: Range[] } {
  const line = buffer.indexOf(0x0a, start);
  if (line < 0 || line >= end) return { title: { buffer, start, end }, rest: [] };
  const rest: Range[] = [];
  let from = line + 1;
  for (let at = from; namesPeople && at < end; ) {
    const next = buffer.indexOf(0x0a, at);
    const stop = next < 0 || next > end ? end : next;
    if (/^[A-Z][A-Za-z-]{0,30}-by: /.test(buffer.toString('latin1', at, Math.min(stop, at + 40)))) {
      if (at > from) rest.push({ buffer, start: from, end: at });
      from = stop;
    }
    at = stop + 1;
  }
  if (from < end) rest.push({ buffer, start: from, end });
  return { title: { buffer, start, end: line }, rest };
}

function createAuthors(sqlite: Sqlite, bulk: boolean) {
  const known = new Map<string, { id: number; bot: boolean }>();
  const find = sqlite.prepare('SELECT id FROM authors WHERE name = ? AND email = ?');
  return {
    id: (name: string, email: string) => {
      const key = `${name}\0${email}`;
      let author = known.get(key);
      if (!author) {
        const shown = [redact(name), redact(email)];
        const row = bulk ? undefined : (find.get(...shown) as { id: number } | undefined);
        const id =
          row?.id ?? sqlite.run('INSERT INTO authors (name, email) VALUES (?, ?)', ...shown).lastInsertRowid;
        author = { id, bot: isBot(name, email) };
        known.set(key, author);
      }
      return author;
    },
  };
}

function createPaths(
  sqlite: Sqlite,
  bulk: boolean,
  excludes: (path: string) => boolean,
  made: (id: number, bytes: Buffer) => void,
) {
  const known = new Map<string, number>();
  const find = sqlite.prepare('SELECT id FROM paths WHERE path = ?');
  const insert = sqlite.prepare('INSERT INTO paths (id, path) VALUES (?, ?)');
  let next = (sqlite.get<{ next: number | null }>('SELECT max(id) + 1 AS next FROM paths')?.next ?? 0) || 0;
  return {
    id: (buffer: Buffer, start: number, end: number): number => {
      const key = buffer.toString('latin1', start, end);
      let id = known.get(key);
      if (id !== undefined) return id;
      const bytes = Buffer.from(buffer.subarray(start, end));
      const named = showPath(bytes);
      const path = redact(named);
      if (excludes(path)) id = -1;
      else {
        const row = bulk ? undefined : (find.get(path) as { id: number } | undefined);
        id = row?.id ?? next++;
        if (!row) {
          insert.run(id, path);
          made(id, path === named ? bytes : Buffer.from(path));
        }
      }
      known.set(key, id);
      return id;
    },
  };
}
