import { setImmediate as nextTurn } from 'node:timers/promises';
import ignore from 'ignore';
import picomatch from 'picomatch';
import { type Entry, tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { redact } from '../../base/redact.ts';
import { type SkipReason, skipByPath } from './skip-rules.ts';

export interface ScannedFile {
  path: string;
  size: number;
  modified: number;
}

export interface Scan {
  files: ScannedFile[];
  skipped: Array<{ path: string; reason: SkipReason; size: number; modified: number }>;
}

export interface ScanSettings {
  exclude: string[];
  maxBytes: number;
}

/** Every file that git knows or would add, sorted, with those that are left out and why. */
export async function scanFiles(
  git: Git,
  root: string,
  settings: ScanSettings,
  signal?: AbortSignal,
): Promise<Scan> {
  const listed = await git.list(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    { maxOutputBytes: 512 * 1024 * 1024, ...(signal ? { signal } : {}) },
  );
  const scan: Scan = { files: [], skipped: [] };
  // A large folder is looked at in parts, so that a request to stop is heard.
  for (let at = 0; at < listed.length; at += atOnce) {
    const part = sortOut(root, listed.slice(at, at + atOnce), settings);
    scan.files.push(...part.files);
    scan.skipped.push(...part.skipped);
    await nextTurn();
    signal?.throwIfAborted();
  }
  scan.files.sort(byPath);
  scan.skipped.sort(byPath);
  return scan;
}

const atOnce = 1000;

const byPath = (a: { path: string }, b: { path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

/** The same for paths that are known already, such as those that a watcher named. */
export function sortOut(root: string, paths: string[], settings: ScanSettings): Scan {
  const ruled = pathRules(root, settings);
  const scan: Scan = { files: [], skipped: [] };
  const checked = new Set<string>();
  for (const path of paths) {
    if (path.startsWith('.sylk/')) continue;
    const found = tree.entry(root, path, checked);
    if (!found && !path.includes('\ufffd')) continue;
    const modified = found?.modified ?? 0;
    const size = found?.size ?? 0;
    const named = redact(path);
    const reason =
      named !== path ? 'secrets' : found ? (ruled(path) ?? skipByKind(found, settings)) : 'name is not UTF-8';
    if (reason) scan.skipped.push({ path: named, reason, size, modified });
    else scan.files.push({ path, size, modified });
  }
  scan.files.sort(byPath);
  scan.skipped.sort(byPath);
  return scan;
}

export function pathRules(root: string, settings: ScanSettings): (path: string) => SkipReason | undefined {
  const own = ignore().add(tree.readText(root, '.sylkignore', { limit: 1_000_000 }) ?? '');
  const excluded = settings.exclude.length > 0 ? picomatch(settings.exclude, { dot: true }) : () => false;
  return (path) => {
    if (excluded(path)) return 'excluded by configuration';
    if (own.ignores(path)) return 'excluded by .sylkignore';
    return skipByPath(path);
  };
}

function skipByKind({ kind, size }: Entry, settings: ScanSettings): SkipReason | undefined {
  if (kind === 'link') return 'link';
  if (kind === 'directory') return 'submodule';
  if (kind !== 'file') return 'not readable';
  return size > settings.maxBytes ? 'too large' : undefined;
}
