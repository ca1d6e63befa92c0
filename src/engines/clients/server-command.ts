import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StdioServer } from '../../base/mcp-handshake.ts';
import type { Client, Scope } from './client.ts';

/** The launcher of this very installation, found by walking up from here; `sylk` where there is none. */
export function findLauncher(from: string = import.meta.dirname): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const launcher = join(directory, 'bin', process.platform === 'win32' ? 'sylk.cmd' : 'sylk');
    if (existsSync(launcher)) return launcher;
    if (dirname(directory) === directory) return 'sylk';
  }
}

/**
 * What the entry runs. A person's own entry names this installation by its full path, because desktop programs start
 * with a short PATH; a shared file must work on every machine, so it names `sylk` alone.
 */
export function serverFor(client: Client, scope: Scope, repository: string, launcher: string): StdioServer {
  const shared = scope === 'project';
  const fleeting = /[\\/]_npx[\\/]/.test(launcher);
  const lead = !shared && !fleeting ? [launcher] : fleeting && !shared ? ['npx', '-y', 'sylk'] : ['sylk'];
  const folder = shared ? client.folderVariable : client.startsIn === 'elsewhere' ? repository : undefined;
  const [command, ...rest] = lead as [string, ...string[]];
  return { command, args: [...rest, 'mcp', ...(folder ? ['--repo', folder] : [])] };
}
