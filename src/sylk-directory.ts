import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SylkError } from './base/errors.ts';
import type { Git } from './base/git/index.ts';

/** Databases and caches stay out of git; everything else in `.sylk/` is meant to be shared. */
const ignored = `# Written by Sylk: what can be derived, or is private to this machine.
*.db
*.db-*
*.db.corrupt.*
backups/
cache/
run/
snapshots/
worktrees/
`;

export function prepareSylkDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, '.gitignore');
  if (!existsSync(file)) writeFileSync(file, ignored);
  return directory;
}

/**
 * A library that came with a clone was written by somebody else and would be taken for this person's own memory. It is
 * not opened until the repository is trusted. Looked at once: the answer is remembered beside the library, out of git.
 */
export async function refuseForeignLibrary({
  path,
  git,
  trusted,
}: {
  path: string;
  git: Git;
  trusted: () => boolean;
}): Promise<void> {
  const marker = join(dirname(path), 'run', 'own-library');
  if (!existsSync(path)) {
    mkdirSync(dirname(marker), { recursive: true });
    writeFileSync(marker, '');
    return;
  }
  if (existsSync(marker) || trusted()) return;
  const tracked = await git.run(['ls-files', '--error-unmatch', '--', path], { accept: [1, 128] });
  if (tracked.code === 0) {
    throw new SylkError('DENIED', `${path} is part of the repository: it holds somebody else's memory.`, {
      hint: 'Remove it from git (git rm --cached), or run `sylk trust` if you know who wrote it.',
    });
  }
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, '');
}
