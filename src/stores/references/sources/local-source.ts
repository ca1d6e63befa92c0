import { createHash } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { SylkError } from '../../../base/errors.ts';
import { selects } from '../names.ts';
import type { FetchBudget } from '../settings.ts';
import type { LocalSource } from '../topic.ts';
import { isLeftOut } from './file-kinds.ts';
import type { Harvest } from './harvest.ts';

export interface LocalMetadata {
  path: string;
  files: number;
  bytes: number;
  /** Over names, sizes and times: what is approved is what is there. */
  fingerprint: string;
}

export function inspectLocal(source: LocalSource): LocalMetadata {
  const found = listFiles(source);
  const lines = found.map(({ path, size, changed }) => `${path}\0${size}\0${changed}`);
  return {
    path: resolve(source.path),
    files: found.length,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    fingerprint: createHash('sha256').update(lines.join('\n')).digest('hex'),
  };
}

export function fetchLocal(source: LocalSource, prefix: string, harvest: Harvest, budget: FetchBudget): void {
  const found = listFiles(source);
  if (found.length === 0) {
    throw new SylkError('NOT_FOUND', `${source.path} holds no text files.`, {
      data: { reason: 'nothing_there' },
    });
  }
  let large = 0;
  for (const { path, full, size } of found) {
    if (size > budget.maxFileBytes) large++;
    else {
      const content = readWithoutLinks(full);
      if (!content.subarray(0, 8192).includes(0)) harvest.add(source.path, `${prefix}${path}`, content);
    }
  }
  if (large > 0)
    harvest.problem(
      source.path,
      'files_too_large',
      `left out ${large} files over ${budget.maxFileBytes} bytes`,
    );
}

interface FoundFile {
  path: string;
  full: string;
  size: number;
  changed: number;
}

const skipped = new Set(['.git', 'node_modules', '.sylk', 'target', '__pycache__', '.venv']);

/** Links are never followed, so that what is read is what lies below the directory that was named. */
function listFiles(source: LocalSource): FoundFile[] {
  const root = resolve(source.path);
  const status = lstatSync(root, { throwIfNoEntry: false });
  if (!status) {
    throw new SylkError('NOT_FOUND', `There is no ${source.path}.`, {
      hint: 'Give a path on this machine.',
      data: { reason: 'nothing_there' },
    });
  }
  if (status.isFile())
    return [{ path: basename(root), full: root, size: status.size, changed: status.mtimeMs }];
  const found: FoundFile[] = [];
  const walk = (directory: string, below: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) walk(join(directory, entry.name), `${path}/`);
      else if (entry.isFile() && selects(source.paths, path) && !isLeftOut(path)) {
        const { size, mtimeMs } = lstatSync(join(directory, entry.name));
        found.push({ path, full: join(directory, entry.name), size, changed: mtimeMs });
      }
    }
  };
  if (status.isDirectory()) walk(root, '');
  return found;
}

function readWithoutLinks(path: string): Buffer {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}
