import { SylkError } from '../../../base/errors.ts';
import { judge, type TagVerdicts, tagsOf } from '../derive/tag-lists.ts';
import { commitFlags } from '../facts.ts';
import { parseTrailers } from '../message.ts';
import { readTagLine } from '../stored.ts';
import type { HistoryView } from './history-view.ts';

export interface CommitRecord {
  commit: string;
  message: string;
  author: string;
  /** When the author made the change, seconds since 1970. */
  timestamp: number;
}

export interface ProvenanceEntry extends CommitRecord {
  tags_at_commit: string[];
  /** The name the file had then, where it was another. */
  path?: string;
}

export function commitRecord(view: HistoryView, id: number): CommitRecord {
  const row = view.sqlite.get<{ sha: Uint8Array; message: string; name: string; timestamp: number }>(
    `SELECT sha, message, timestamp, authors.name AS name FROM commits JOIN authors ON authors.id = commits.author
     WHERE commits.id = ?`,
    id,
  )!;
  return {
    commit: Buffer.from(row.sha).toString('hex'),
    message: row.message,
    author: row.name,
    timestamp: row.timestamp,
  };
}

/** The commits of one file's story, `take` of them counted from the newest after `skip`; answered oldest first. */
export function provenance(
  view: HistoryView,
  path: number,
  { skip, take }: { skip: number; take: number },
): { entries: ProvenanceEntry[]; total: number } {
  const story = view.commitsOf(path);
  const end = Math.max(0, story.length - skip);
  const start = Math.max(0, end - take);
  const current = view.name(path);
  const names = namesInStory(view, path, story);
  const verdicts: TagVerdicts = new Map();
  const entries: ProvenanceEntry[] = [];
  for (let at = 0; at < end; at++) {
    const commit = story[at]!;
    if ((view.facts.flags(commit) & commitFlags.tagged) !== 0)
      judge(verdicts, readTagLine(view.sqlite, commit));
    if (at < start) continue;
    const name = names[at]!;
    entries.push({
      ...commitRecord(view, commit),
      tags_at_commit: tagsOf(view.folderTags(name), verdicts).slice().sort(),
      ...(name === current ? {} : { path: name }),
    });
  }
  return { entries, total: story.length };
}

/** Under which name each commit of a story touched the file. */
function namesInStory(view: HistoryView, path: number, story: number[]): string[] {
  const home = view.currentPath(path);
  return story.map((commit) => {
    let found = path;
    view.facts.eachChange(commit, (touched, kind) => {
      if (view.currentPath(touched) !== home) return;
      if (kind !== 2 || found === path) found = touched;
    });
    return view.name(found);
  });
}

/** A commit by its sha or the start of it. */
export function findCommit(view: HistoryView, text: string): number {
  const wanted = text.replace(/^commit:/, '').toLowerCase();
  if (wanted === 'head') {
    const head = view.stored.positions.indexOf(view.stored.commits - 1);
    if (head >= 0) return head;
    throw new SylkError('NOT_FOUND', 'This branch has no commit yet.', { hint: 'Make a first commit.' });
  }
  if (!/^[0-9a-f]{4,64}$/.test(wanted)) {
    throw new SylkError('VALIDATION_ERROR', `Not a commit id: ${JSON.stringify(text.slice(0, 100))}`, {
      hint: 'Give at least four hexadecimal digits of the commit.',
    });
  }
  const low = Buffer.from(wanted.padEnd(wanted.length + (wanted.length % 2), '0'), 'hex');
  const high = Buffer.from(wanted.padEnd(64, 'f'), 'hex');
  const rows = view.sqlite
    .all<{ id: number; sha: Uint8Array }>(
      'SELECT id, sha FROM commits WHERE sha >= ? AND sha <= ?',
      low,
      high,
    )
    .filter((row) => Buffer.from(row.sha).toString('hex').startsWith(wanted))
    .filter((row) => (view.stored.positions[row.id] ?? -1) >= 0);
  if (rows.length === 1) return rows[0]!.id;
  if (rows.length === 0)
    throw new SylkError('NOT_FOUND', `HEAD's history has no commit ${wanted}.`, {
      hint: 'It may be on another branch: answers are over the commits that HEAD reaches.',
    });
  throw new SylkError('VALIDATION_ERROR', `${wanted} is the start of ${rows.length} commits.`, {
    hint: 'Give more digits.',
  });
}

export function commitWithFiles(view: HistoryView, id: number) {
  const details = view.sqlite.get<{ conv_type: string | null; conv_scope: string | null; breaking: number }>(
    'SELECT conv_type, conv_scope, breaking FROM commits WHERE id = ?',
    id,
  )!;
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
  const record = commitRecord(view, id);
  return {
    ...record,
    ...(details.conv_type ? { type: details.conv_type } : {}),
    ...(details.conv_scope ? { scope: details.conv_scope } : {}),
    ...(details.breaking ? { breaking: true } : {}),
    trailers: parseTrailers(record.message),
    tags: readTagLine(view.sqlite, id),
    parents: view.facts.parents(id).map((parent) => commitSha(view, parent)),
    files,
  };
}

const commitSha = (view: HistoryView, id: number): string =>
  Buffer.from(view.sqlite.get<{ sha: Uint8Array }>('SELECT sha FROM commits WHERE id = ?', id)!.sha).toString(
    'hex',
  );
