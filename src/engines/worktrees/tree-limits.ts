import { createHash } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { runProcess } from '../../base/process/index.ts';

const leastFreeBytes = 1_000_000_000;
const portsOfTree = 10;
const [firstPort, treesOfRepository, repositories] = [20_000, 100, 40];

/** What programs in one tree use where programs in another would be in their way: ports, and a name for databases and the like. */
export function treeEnvironment(repository: string, slot: number): Record<string, string> {
  const digest = createHash('sha256').update(repository).digest('hex');
  const block = Number.parseInt(digest.slice(0, 6), 16) % repositories;
  const port = firstPort + (block * treesOfRepository + (slot % treesOfRepository)) * portsOfTree;
  return {
    SYLK_PORT: String(port),
    SYLK_PORTS: `${port}-${port + portsOfTree - 1}`,
    SYLK_NAME: `sylk_${digest.slice(0, 6)}_${slot}`,
  };
}

export function requireFreeDisk(directory: string): void {
  if (system.freeBytes(directory) >= leastFreeBytes) return;
  throw new SylkError('UNAVAILABLE', 'Less than 1 GB is free on this disk: no copy of the files is made.', {
    hint: 'Free some room, then try again.',
  });
}

/** What a tree takes on the disk; undefined where nobody can say. */
export async function bytesOf(directory: string): Promise<number | undefined> {
  try {
    const { code, stdout } = await runProcess('du', ['-skx', directory], { timeoutMs: 30_000 });
    return code === 0 ? Number.parseInt(stdout.toString('utf8'), 10) * 1024 : undefined;
  } catch {
    return undefined; // No du on this machine.
  }
}
