import { homedir } from 'node:os';
import { SylkError } from '../errors.ts';
import { person } from '../files/index.ts';
import type { Repository } from './repository.ts';
import { personSettings } from './settings.ts';

/** git reads repositories of other users only where the person said so; we keep to that although we name the directory. */
export function refuseForeignOwner(
  { root, gitDirectory }: Pick<Repository, 'root' | 'gitDirectory'>,
  uid = process.geteuid?.(),
): void {
  if (uid === undefined) return;
  const own = new Set([uid, ...(uid === 0 ? [Number(process.env.SUDO_UID ?? 0)] : [])]);
  if ([root, gitDirectory].every((path) => own.has(person.entry(path)?.uid ?? uid))) return;
  let safe = false;
  for (const [key, value] of personSettings().settings) {
    if (key !== 'safe.directory') continue;
    const path = value.replace(/^~(?=\/)/, homedir()).replace(/(?<=.)\/$/, '');
    if (value === '') safe = false;
    else if (path === '*' || path === root || path === gitDirectory) safe = true;
    else if (path.endsWith('/*') && root.startsWith(path.slice(0, -1))) safe = true;
  }
  if (safe) return;
  throw new SylkError('DENIED', `${root} belongs to another user, so git refuses to read it.`, {
    hint: `If you trust it, run: git config --global --add safe.directory ${quoted(root)}`,
  });
}

const quoted = (path: string): string =>
  /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
