import { setImmediate as nextTurn } from 'node:timers/promises';
import { byCodePoint } from '../../base/code-point-order.ts';
import { codeOf } from '../../base/errors.ts';
import { type Entry, tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { compileGlob, ignoreRules } from '../../base/glob/index.ts';
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
  /** Folders whose text is for agents, besides the well-known ones; '' is the root. */
  agentFolders: () => Promise<string[]>;
}

/** Every file that git tracks or would add, sorted, with the skipped ones and why. */
export async function scanFiles(
  git: Git,
  root: string,
  settings: ScanSettings,
  signal?: AbortSignal,
): Promise<Scan> {
  const listed = await git.list(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    { maxOutputBytes: 512 * 1024 * 1024, signal },
  );
  const scan: Scan = { files: [], skipped: [] };
  const ruled = await pathRules(root, settings);
  // A large folder is scanned in parts, so that it can be canceled.
  for (let at = 0; at < listed.length; at += atOnce) {
    const part = sortOutBy(ruled, root, listed.slice(at, at + atOnce), settings);
    scan.files.push(...part.files);
    scan.skipped.push(...part.skipped);
    await nextTurn();
    signal?.throwIfAborted();
  }
  scan.files.sort(byPath);
  scan.skipped.sort(byPath);
  return scan;
}

const atOnce = 100;

const byPath = (a: { path: string }, b: { path: string }): number => byCodePoint(a.path, b.path);

/** The same for given paths, such as those of a watcher. */
export const sortOut = async (root: string, paths: string[], settings: ScanSettings): Promise<Scan> =>
  sortOutBy(await pathRules(root, settings), root, paths, settings);

function sortOutBy(ruled: PathRule, root: string, paths: string[], settings: ScanSettings): Scan {
  const scan: Scan = { files: [], skipped: [] };
  const checked = new Set<string>();
  for (const path of paths) {
    const found = entryOf(root, path, checked);
    if (!found && !path.includes('\ufffd')) continue;
    const { modified, size } = typeof found === 'object' ? found : { modified: 0, size: 0 };
    const named = redact(path);
    const reason =
      (named === path ? undefined : 'secrets') ??
      (found ? (ruled(path) ?? skipByKind(found, settings)) : 'name is not UTF-8');
    if (reason) scan.skipped.push({ path: named, reason, size, modified });
    else scan.files.push({ path, size, modified });
  }
  scan.files.sort(byPath);
  scan.skipped.sort(byPath);
  return scan;
}

/** Where the whole repository is configured as a folder of skills, its code is still code. */
const skillFile = /(?:^|\/)(?:skill|collection)\.md$/i;

type PathRule = (path: string) => SkipReason | undefined;

async function pathRules(root: string, settings: ScanSettings): Promise<PathRule> {
  const own = ignoreRules((tree.readText(root, '.sylkignore', { limit: 16_384 }) ?? '').split('\n'));
  const excluded = settings.exclude.map(compileGlob);
  const folders = (await settings.agentFolders()).map((folder) => folder.toLowerCase());
  const isInFolder = (path: string) =>
    folders.some((folder) =>
      folder === '' ? skillFile.test(path) : path.toLowerCase().startsWith(`${folder}/`),
    );
  return (path) => {
    if (isInFolder(path)) return 'instructions or settings for agents';
    if (excluded.some((matches) => matches(path))) return 'excluded by configuration';
    if (own(path)) return 'excluded by .sylkignore';
    return skipByPath(path);
  };
}

/** An unreadable directory hides only its own files. */
function entryOf(root: string, path: string, checked: Set<string>): Entry | 'not readable' | undefined {
  try {
    return tree.entry(root, path, checked);
  } catch (error) {
    if (codeOf(error) === 'EACCES') return 'not readable';
    throw error;
  }
}

function skipByKind(found: Entry | 'not readable', settings: ScanSettings): SkipReason | undefined {
  if (found === 'not readable') return found;
  const { kind, size } = found;
  if (kind === 'link') return 'link';
  if (kind === 'directory') return 'submodule';
  if (kind !== 'file') return 'not a regular file';
  return size > settings.maxBytes ? 'too large' : undefined;
}
