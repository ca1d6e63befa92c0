import type { Git } from './git.ts';

/** Contents of files by their object, read by one process; what is no file of this repository is missing. */
export async function readObjects(git: Git, objects: string[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (objects.length === 0) return contents;
  const { stdout } = await git.run(['cat-file', '--batch'], {
    input: `${[...new Set(objects)].join('\n')}\n`,
    maxOutputBytes: 1024 * 1024 * 1024,
    timeoutMs: 300_000,
  });
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at);
    const [object = '', kind, size] = stdout.subarray(at, end).toString('latin1').split(' ');
    at = end + 1;
    if (kind === 'missing' || size === undefined) continue;
    if (kind === 'blob') contents.set(object, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
