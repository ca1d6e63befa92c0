import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import { isRunning } from '../../base/process/index.ts';
import { removePrint } from '../../base/sqlite/index.ts';

/**
 * A first index is built in a separate file without a journal: nobody sees it before it is complete. Returns
 * undefined when another process was first; its index is then used.
 */
export async function buildAside<T>(
  path: string,
  build: (beside: string) => Promise<T>,
): Promise<T | undefined> {
  state.makeDirectory(dirname(path));
  removeLeftovers(path);
  const beside = `${path}.new-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  try {
    const result = await build(beside);
    return place(beside, path) ? result : undefined;
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) state.remove(beside + suffix);
  }
}

function place(from: string, to: string): boolean {
  // Of a file that was here before.
  if (!state.exists(to)) removePrint(to);
  try {
    state.addName(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without hard links.
    state.move(from, to);
    return true;
  }
}

/** Leftovers of a killed process. */
function removeLeftovers(path: string): void {
  const lead = `${basename(path)}.new-`;
  for (const { name } of state.list(dirname(path))) {
    if (!name.startsWith(lead)) continue;
    const owner = Number(name.slice(lead.length).split('-')[0]);
    if (!isRunning(owner)) state.remove(join(dirname(path), name));
  }
}
