import type { StdioServer } from '../../base/mcp-handshake.ts';
import type { Client, Scope } from './client.ts';

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
