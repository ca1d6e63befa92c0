import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { relative } from 'node:path';

interface Entry {
  /** Type, mode and, for files, the size and the digest; for links, the target. */
  state: string;
  /** Set by the system at every change of content or mode; nobody can set it back. */
  changed: bigint;
}

export type Snapshot = Map<string, Entry>;

const largestHashed = 4 * 1024 * 1024;

/** Every name under `root` that `skip` does not leave out; files that did not change since `before` are not read again. */
export function takeSnapshot(root: string, skip: (path: string) => boolean, before?: Snapshot): Snapshot {
  const entries: Snapshot = new Map();
  // Names are bytes: not every name is text.
  const visit = (directory: Buffer) => {
    for (const name of readdirSync(directory, 'buffer')) {
      const file = Buffer.concat([directory, Buffer.from('/'), name]);
      const path = relative(root, file.toString());
      if (skip(path)) continue;
      const stat = lstatSync(file, { bigint: true });
      const known = before?.get(path);
      if (stat.isDirectory()) {
        // A directory's own time changes with its entries, which are compared one by one.
        entries.set(path, { state: `directory ${stat.mode.toString(8)}`, changed: 0n });
        visit(file);
      } else if (known && known.changed === stat.ctimeNs) entries.set(path, known);
      else entries.set(path, { state: stateOf(file, stat), changed: stat.ctimeNs });
    }
  };
  visit(Buffer.from(root));
  return entries;
}

function stateOf(file: Buffer, stat: ReturnType<typeof lstatSync> & { mode: bigint; size: bigint }): string {
  const mode = stat.mode.toString(8);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  if (!stat.isFile()) return `special ${mode}`;
  const content =
    stat.size > largestHashed
      ? String((stat as { mtimeNs?: bigint }).mtimeNs)
      : createHash('sha256').update(readFileSync(file)).digest('hex');
  return `file ${mode} ${stat.size} ${content}`;
}

/** `+path`, `-path` or `~path` for all that is new, gone or different. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const changes: string[] = [];
  for (const [path, entry] of after) {
    const known = before.get(path);
    if (!known) changes.push(`+${path}`);
    else if (known.state !== entry.state) changes.push(`~${path}`);
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push(`-${path}`);
  return changes.sort();
}
