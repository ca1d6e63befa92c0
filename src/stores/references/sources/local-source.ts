import { createHash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { SylkError } from '../../../base/errors.ts';
import { tree } from '../../../base/files/index.ts';
import { selects, unmatchedPaths } from '../names.ts';
import type { FetchBudget } from '../settings.ts';
import type { LocalSource } from '../topic.ts';
import { isLeftOut } from './file-kinds.ts';
import { type Harvest, reportUnmatched } from './harvest.ts';

export interface LocalMetadata {
  path: string;
  files: number;
  bytes: number;
  /** Digest of names, sizes and times: an approval covers exactly these files. */
  fingerprint: string;
  unmatched: string[];
}

export function inspectLocal(source: LocalSource): LocalMetadata {
  const found = listFiles(source);
  if (found.length === 0) throw nothingThere(source);
  const lines = found.map(({ path, size, changed }) => `${path}\0${size}\0${changed}`);
  return {
    path: resolve(source.path),
    files: found.length,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    fingerprint: createHash('sha256').update(lines.join('\n')).digest('hex'),
    unmatched: unmatchedPaths(
      source.paths,
      found.map(({ path }) => path),
    ),
  };
}

export function fetchLocal(source: LocalSource, prefix: string, harvest: Harvest, budget: FetchBudget): void {
  const found = listFiles(source);
  if (found.length === 0) throw nothingThere(source);
  reportUnmatched(
    source,
    found.map(({ path }) => path),
    harvest,
  );
  let large = 0;
  for (const { path, root, name, size } of found) {
    if (size > budget.maxFileBytes) large++;
    else {
      const content = tree.read(root, name);
      if (!content.subarray(0, 8192).includes(0)) harvest.add(source.path, `${prefix}${path}`, content);
    }
  }
  if (large > 0)
    harvest.problem(
      source.path,
      'files_too_large',
      `skipped ${large} files over ${budget.maxFileBytes} bytes`,
    );
}

const nothingThere = (source: LocalSource): SylkError =>
  new SylkError(
    'NOT_FOUND',
    `${source.path} contains no text files${source.paths?.length ? ` under ${source.paths.join(', ')}` : ''}.`,
    { data: { reason: 'nothing_there' } },
  );

interface FoundFile {
  path: string;
  /** The given directory, or that of the given file, and the file in it. */
  root: string;
  name: string;
  size: number;
  changed: number;
}

const skipped = new Set(['.git', 'node_modules', '.sylk', 'target', '__pycache__', '.venv']);

/** Links are never followed, so that nothing outside of the given directory is read. */
function listFiles(source: LocalSource): FoundFile[] {
  const root = resolve(source.path);
  const status = tree.entry(root, '.');
  if (!status) {
    throw new SylkError('NOT_FOUND', `Path not found: ${source.path}`, {
      hint: 'Give a path on this machine.',
      data: { reason: 'nothing_there' },
    });
  }
  if (status.kind === 'file') {
    const name = basename(root);
    return [{ path: name, root: dirname(root), name, size: status.size, changed: status.modified }];
  }
  const found: FoundFile[] = [];
  const walk = (below: string) => {
    for (const entry of tree.list(root, below)) {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) walk(`${path}/`);
      else if (entry.isFile() && selects(source.paths, path) && !isLeftOut(path)) {
        const stat = tree.entry(root, path);
        if (stat) found.push({ path, root, name: path, size: stat.size, changed: stat.modified });
      }
    }
  };
  if (status.kind === 'directory') walk('');
  return found;
}
