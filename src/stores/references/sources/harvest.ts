import { isUtf8 } from 'node:buffer';
import { SylkError } from '../../../base/errors.ts';
import { tree } from '../../../base/files/index.ts';
import { redact } from '../../../base/redact.ts';
import { isSafePath, unmatchedPaths } from '../names.ts';
import type { FetchBudget } from '../settings.ts';
import { type SourceProblem, sourceName, type TopicSource } from '../topic.ts';

/** A directory being filled. Nothing is written outside of it, over another file, or beyond the budget. */
export interface Harvest {
  readonly directory: string;
  readonly files: string[];
  readonly problems: SourceProblem[];
  /** Returns the path under which it was stored, or undefined when it was refused and noted. */
  add(source: string, path: string, content: Uint8Array | string): string | undefined;
  problem(source: string, reason: string, message: string): void;
}

const noted = 50;

export function openHarvest(directory: string, budget: FetchBudget): Harvest {
  const files: string[] = [];
  const problems: SourceProblem[] = [];
  const taken = new Set<string>(['topic.md']);
  let bytes = 0;
  const problem = (source: string, reason: string, message: string) => {
    if (problems.length < noted) problems.push({ source, reason, message });
  };
  return {
    directory,
    files,
    problems,
    problem,
    add: (source, path, content) => {
      if (!isSafePath(path)) {
        problem(source, 'unsafe_path', `skipped ${JSON.stringify(path.slice(0, 200))}: not a safe file name`);
        return undefined;
      }
      if (files.length >= budget.maxFiles) throw overBudget(`more than ${budget.maxFiles} files`);
      bytes += content.length;
      if (bytes > budget.maxBytes) throw overBudget(`more than ${budget.maxBytes} bytes`);
      const free = freeName(path, taken);
      if (free !== path && path.toLowerCase() !== 'topic.md') {
        problem(source, 'name_collision', `${path} is saved as ${free}: another file has that name`);
      }
      taken.add(fold(free));
      tree.create(directory, free, withoutSecrets(content));
      files.push(free);
      return free;
    },
  };
}

/** Text without credentials; binary data stays as it is. */
function withoutSecrets(content: Uint8Array | string): Uint8Array | string {
  if (typeof content === 'string') return redact(content);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!isUtf8(bytes)) return content;
  const text = bytes.toString('utf8');
  const clean = redact(text);
  return clean === text ? content : clean;
}

const overBudget = (what: string): SylkError =>
  new SylkError('BUDGET_EXCEEDED', `The sources hold ${what}.`, {
    hint: 'Request less with `paths`, or raise references.max_files and max_megabytes in your own config file.',
    data: { reason: 'too_large' },
  });

/** Names that differ on one file system may be equal on another. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase();

function freeName(path: string, taken: Set<string>): string {
  if (!taken.has(fold(path))) return path;
  const [, stem, ending] = /^(.*?)((?:\.[^./]*)?)$/.exec(path) ?? [];
  for (let count = 2; ; count++) {
    const other = `${stem}~${count}${ending}`;
    if (!taken.has(fold(other))) return other;
  }
}

/** A requested path that no file matches is a problem, also where others do. */
export function reportUnmatched(source: TopicSource, files: string[], harvest: Harvest): void {
  const paths = 'paths' in source ? source.paths : undefined;
  for (const path of unmatchedPaths(paths, files))
    harvest.problem(sourceName(source), 'path_not_found', `no file matches ${path}`);
}
