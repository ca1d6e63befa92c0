import { join } from 'node:path';
import { SylkError } from '../errors.ts';
import { person, state } from '../files/index.ts';
import type { Repository } from './repository.ts';

type Place = Pick<Repository, 'root' | 'gitDirectory' | 'commonDirectory'>;

const mostEntries = 200_000;

/**
 * Refuses a git directory that has a pipe or a device where git reads a file: git would wait for it, or read it, for
 * ever. Only what every command reads is looked at.
 */
export function refuseSpecialFiles({ gitDirectory, commonDirectory }: Place): void {
  let entries = 0;
  const visit = (directory: string, deep: boolean) => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (++entries > mostEntries) return;
      if (entry.isDirectory()) {
        if (deep) visit(path, true);
      } else if (!entry.isFile() && isSpecial(path)) throw refusal(path);
    }
  };
  for (const directory of new Set([gitDirectory, commonDirectory])) {
    for (const part of ['', 'info', 'objects/info']) visit(join(directory, part), false);
    visit(join(directory, 'refs'), true);
  }
}

/**
 * Refuses a git directory with links where a command of git writes: what they lead to, anywhere, would be changed. Only what the command writes is
 * looked at: a repository may have thousands of references and worktrees.
 */
export function refuseLinks({ gitDirectory, commonDirectory }: Place, args: string[]): void {
  let entries = 0;
  const refuse = (path: string): never => {
    throw new SylkError('DENIED', `${path} is a link: git would write to its target.`, {
      hint: 'Nothing was changed. Replace it by a file or a folder, or clone the repository again.',
    });
  };
  const visit = (directory: string, depth: number, concerns = (_name: string) => true) => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (++entries > mostEntries) return;
      if (entry.isSymbolicLink() && concerns(entry.name)) refuse(path);
      if (entry.isDirectory() && depth > 0) visit(path, depth - 1);
    }
  };
  const written = writtenBy(args);
  for (const directory of new Set([gitDirectory, commonDirectory])) {
    visit(directory, 0, (name) => /^(?:[A-Z_]+|index|logs|objects|packed-refs|refs|worktrees)$/.test(name));
    visit(join(directory, 'objects'), 1);
    if (written === 'all')
      for (const part of ['logs', 'refs', 'worktrees']) visit(join(directory, part), 100);
    else
      for (const path of written)
        if (state.linkTarget(join(directory, path)) !== undefined) refuse(join(directory, path));
  }
}

/** What a command writes beside objects and an index: anything, or these paths. A branch that is checked out is in the log of HEAD too. */
function writtenBy([verb = '', ...rest]: string[]): 'all' | string[] {
  if (verb === 'hash-object' || verb === 'read-tree' || verb === 'update-index') return [];
  const name = rest.find((word) => !word.startsWith('-'));
  if (verb !== 'update-ref' || !name?.startsWith('refs/')) return 'all';
  const parts = name.split('/');
  const places = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return ['logs/HEAD', ...places.flatMap((place) => [place, `logs/${place}`])];
}

/** Why git may wait for ever: a pipe among its objects, or in place of a file of the working tree that it reads. */
export async function findSpecialFile({ root, commonDirectory }: Place): Promise<SylkError | undefined> {
  let entries = 0;
  const visit = async (
    directory: string,
    concerns: (name: string) => boolean,
  ): Promise<string | undefined> => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (++entries > mostEntries) return undefined;
      if (entry.isDirectory()) {
        if (entry.name === '.git') continue;
        const inside = await visit(path, concerns);
        if (inside) return inside;
      } else if (!entry.isFile() && concerns(entry.name) && isSpecial(path)) return path;
    }
    return undefined;
  };
  const path =
    (await visit(commonDirectory, () => true)) ??
    (await visit(root, (name) => /^\.(?:gitignore|gitattributes|gitmodules|mailmap)$/.test(name)));
  return path === undefined ? undefined : refusal(path);
}

function entriesOf(directory: string) {
  try {
    return person.list(directory);
  } catch {
    // Unreadable for us is unreadable for git.
    return [];
  }
}

/** A link counts as what it leads to; one that leads nowhere is read as a file that is missing. */
function isSpecial(path: string): boolean {
  try {
    return person.entry(path)?.kind === 'special';
  } catch {
    // Unreadable: git reports it.
    return false;
  }
}

const refusal = (path: string): SylkError =>
  new SylkError('DENIED', `${path} is a pipe or a device where git expects a file.`, {
    hint: 'Nothing was read. Delete it, or clone the repository again.',
  });
