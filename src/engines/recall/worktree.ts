import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';

const largestFile = 2_000_000;

/** Undefined for what is gone, too large or no text. */
export function readWorktreeFile(root: string, path: string): string | undefined {
  try {
    const bytes = tree.read(root, path, { limit: largestFile });
    return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

/** Lines that contain a text letter by letter, the first of each file. */
export async function grepWorktree(
  git: Git,
  text: string,
  limit: number,
): Promise<Array<{ path: string; line: number }>> {
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-F', '--untracked', '--max-count=1', '-e', text, '--', '.'],
    { accept: [1], timeoutMs: 5000, maxOutputBytes: 4_000_000, mayCut: true },
  );
  const found: Array<{ path: string; line: number }> = [];
  for (const row of stdout.toString('utf8').split('\n')) {
    const [path, line] = row.split('\0');
    if (path && line) found.push({ path, line: Number(line) });
    if (found.length >= limit) break;
  }
  return found;
}
