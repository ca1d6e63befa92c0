import { SylkError } from '../../../base/errors.ts';
import { judge, type TagVerdicts, tagsOf } from '../derive/tag-lists.ts';
import { commitFlags } from '../facts.ts';
import { changeKinds } from '../git/raw-parser.ts';
import { parseTrailers } from '../message.ts';
import { readTagLine, shaOf } from '../stored.ts';
import type { HistoryView } from './history-view.ts';

interface CommitRow {
  commit: string;
  message: string;
  author: string;
  /** Author time, in seconds since 1970. */
  timestamp: number;
  type: string | null;
  scope: string | null;
  breaking: number;
}

function commitRow({ sqlite }: HistoryView, id: number): CommitRow {
  const row = sqlite.get<CommitRow>(
    `SELECT lower(hex(sha)) AS "commit", message, authors.name AS author, timestamp,
       conv_type AS type, conv_scope AS scope, breaking
     FROM commits JOIN authors ON authors.id = commits.author WHERE commits.id = ?`,
    id,
  );
  if (row) return row;
  throw new SylkError('INTERNAL_ERROR', `The history index has no commit ${id}.`);
}

export function commitRecord(view: HistoryView, id: number) {
  const { commit, message, author, timestamp } = commitRow(view, id);
  return { commit, message, author, timestamp };
}

/** Commits that HEAD reaches and that change files themselves; a merge repeats other commits. */
export const listCommits = ({ sqlite, stored, facts }: HistoryView) =>
  sqlite
    .all<{ id: number; sha: string; timestamp: number }>(
      'SELECT id, lower(hex(sha)) AS sha, timestamp FROM commits',
    )
    .filter(({ id }) => stored.place(id) >= 0 && facts.size(id) > 0);

/** The commits of one lineage, `take` of them counted from the newest after `skip`; returned oldest first. */
export function provenance(view: HistoryView, path: number, { skip, take }: { skip: number; take: number }) {
  const story = view.commitsOf(path);
  const end = Math.max(0, story.length - skip);
  const start = Math.max(0, end - take);
  const current = view.name(path);
  const verdicts: TagVerdicts = new Map();
  const entries: Array<ReturnType<typeof entryOf>> = [];
  const entryOf = (commit: number) => {
    const name = nameInCommit(view, path, commit);
    return {
      ...commitRecord(view, commit),
      tags_at_commit: tagsOf(view.folderTags(name), verdicts).toSorted(),
      /** The file's name at the commit, if it differs. */
      path: name === current ? undefined : name,
    };
  };
  for (const [at, commit] of story.slice(0, end).entries()) {
    if ((view.facts.flags(commit) & commitFlags.tagged) !== 0)
      judge(verdicts, readTagLine(view.sqlite, commit));
    if (at >= start) entries.push(entryOf(commit));
  }
  return { entries, total: story.length };
}

/** The name under which a commit touched the file. */
function nameInCommit(view: HistoryView, path: number, commit: number): string {
  const home = view.currentPath(path);
  let found = path;
  view.facts.eachChange(commit, (touched, kind) => {
    if (view.currentPath(touched) !== home) return;
    if (kind !== changeKinds.deleted || found === path) found = touched;
  });
  return view.name(found);
}

/** A commit by its hash or the first digits of it. */
export function findCommit(view: HistoryView, text: string): number {
  const wanted = text.replace(/^commit:/, '').toLowerCase();
  if (wanted === 'head') {
    const head = view.stored.positions.indexOf(view.stored.commits - 1);
    if (head >= 0) return head;
    throw new SylkError('NOT_FOUND', 'This branch has no commit yet.', { hint: 'Create a first commit.' });
  }
  if (!/^[0-9a-f]{4,64}$/.test(wanted)) {
    throw new SylkError('VALIDATION_ERROR', `Invalid commit id: ${JSON.stringify(text.slice(0, 100))}`, {
      hint: 'Give at least four hexadecimal digits of the hash.',
    });
  }
  const low = Buffer.from(wanted.padEnd(wanted.length + (wanted.length % 2), '0'), 'hex');
  const high = Buffer.from(wanted.padEnd(64, 'f'), 'hex');
  const sql = 'SELECT id FROM commits WHERE sha >= ? AND sha <= ? AND lower(hex(sha)) LIKE ?';
  const reachable = (id: number) => view.stored.place(id) >= 0;
  const [id, ...more] = view.sqlite.column<number>(sql, low, high, `${wanted}%`).filter(reachable);
  if (id === undefined)
    throw new SylkError('NOT_FOUND', `Commit ${wanted} does not appear in HEAD's history.`, {
      hint: 'It may be on another branch: answers cover the commits that HEAD reaches.',
    });
  if (more.length === 0) return id;
  throw new SylkError('VALIDATION_ERROR', `${wanted} matches ${more.length + 1} commits.`, {
    hint: 'Give more digits.',
  });
}

export function commitWithFiles(view: HistoryView, id: number) {
  const statuses = ['modified', 'added', 'deleted', 'renamed'] as const;
  const files: Array<{ path: string; status: (typeof statuses)[number]; from?: string; now?: string }> = [];
  view.facts.eachChange(id, (path, kind, from) => {
    const home = view.currentPath(path);
    files.push({
      path: view.name(path),
      status: statuses[kind],
      from: from >= 0 ? view.name(from) : undefined,
      now: home !== path && home >= 0 ? view.name(home) : undefined,
    });
  });
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { type, scope, breaking, ...record } = commitRow(view, id);
  return {
    ...record,
    type: type ?? undefined,
    scope: scope ?? undefined,
    breaking: breaking ? true : undefined,
    trailers: parseTrailers(record.message),
    tags: readTagLine(view.sqlite, id),
    parents: view.facts.parents(id).map((parent) => shaOf(view.sqlite, parent)),
    files,
  };
}
