import { basename, join } from 'node:path';
import { readSmallFile, state } from '../files/index.ts';
import { parseJsonObject } from '../json.ts';
import { fileIdentity } from './home-place.ts';
import { formerPaths, pathsIn } from './register.ts';

/**
 * Where a linked worktree was before `git worktree move`, latest first. Its directory among git's own is the same file
 * wherever the files are, so the state remembers the path by it.
 */
export function followWorktree(
  directory: string,
  { root, gitDirectory }: { root: string; gitDirectory: string },
): string[] {
  const file = fileIdentity(gitDirectory);
  if (file === '') return [];
  const record = join(directory, 'run', 'worktrees', `${basename(gitDirectory)}.json`);
  const found = parseJsonObject(readSmallFile(record, 100_000));
  const { path } = found;
  const before =
    found['file'] === file && typeof path === 'string'
      ? { path, former: pathsIn(found['former']) }
      : undefined;
  const former = formerPaths(root, before);
  if (before?.path !== root) rememberPath(record, { path: root, former, file });
  return former;
}

function rememberPath(record: string, about: { path: string; former: string[]; file: string }): void {
  try {
    state.write(record, `${JSON.stringify(about)}\n`);
  } catch {
    // Where state can't be written nothing was bound to a path either.
  }
}
