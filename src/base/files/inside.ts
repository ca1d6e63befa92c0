import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, SylkError } from '../errors.ts';

/**
 * Resolves a path that came from outside against a root and refuses every way out of it: `..`, absolute paths,
 * links, look-alike siblings, NUL, drive letters. The nearest existing parent is resolved, so that a path that does
 * not exist yet is judged by where it would be made.
 */
export function resolveInside(root: string, untrusted: string): string {
  const refuse = (why: string): never => {
    throw new SylkError(
      'DENIED',
      `Path is outside of its root: ${JSON.stringify(untrusted.slice(0, 200))} (${why})`,
      {
        hint: 'Give a path relative to the root, without `..` and without links that lead out.',
      },
    );
  };
  if (untrusted.includes('\0')) refuse('NUL character');
  if (isAbsolute(untrusted) || /^[A-Za-z]:/.test(untrusted) || untrusted.startsWith('\\')) refuse('absolute');
  if (untrusted.split(/[\\/]/).includes('..')) refuse('parent segment');
  const realRoot = realpathSync(root);
  const wanted = resolve(realRoot, untrusted);
  const real = realOfNearest(wanted);
  if (!isWithin(realRoot, real)) refuse('a link leads out');
  return wanted;
}

/** Compares by segments: `/repo-evil` is not within `/repo`. */
export function isWithin(root: string, path: string): boolean {
  const between = relative(root, path);
  return between === '' || (between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

function realOfNearest(path: string): string {
  const missing: string[] = [];
  let current = path;
  while (!existsSync(current)) {
    // A dangling link exists to lstat but not to existsSync: where it points is out of our hands.
    if (isLink(current)) return '/';
    const parent = dirname(current);
    if (parent === current) break;
    missing.unshift(current.slice(parent.length + (parent.endsWith(sep) ? 0 : 1)));
    current = parent;
  }
  return join(realpathSync(current), ...missing);
}

/** A loop of links is a link that leads nowhere; a path below a file is simply not there. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  }
}
