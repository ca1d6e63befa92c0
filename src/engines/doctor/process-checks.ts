import { join } from 'node:path';
import { person, state, system } from '../../base/files/index.ts';
import { parseJsonObject } from '../../base/json.ts';
import { isRunning } from '../../base/process/index.ts';
import { finding, type Repairable } from './finding.ts';

export interface RunningServer {
  pid: number;
  parent: number;
  command: string;
}

/** Sylk servers of this person, if the system lets us see them (Linux). Found by their command line, never ended. */
export function runningServers(proc = '/proc'): RunningServer[] {
  if (!person.exists(join(proc, 'self'))) return [];
  const servers: RunningServer[] = [];
  for (const { name } of person.list(proc)) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const words = system.readProcessFile(join(proc, name, 'cmdline')).split('\0');
      const main = words.findIndex((word) => /[\\/](?:src[\\/]main\.ts|dist[\\/]main\.js)$/.test(word));
      if (main < 0 || !['mcp', 'up'].includes(words[main + 1] ?? '')) continue;
      const status = system.readProcessFile(join(proc, name, 'status'));
      if (Number(/^Uid:\s*(\d+)/m.exec(status)?.[1]) !== process.getuid?.()) continue;
      const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
      servers.push({ pid: Number(name), parent, command: words.slice(main).join(' ').trim() });
    } catch {
      // It ended while we looked.
    }
  }
  return servers;
}

export function checkProcesses(stateDirectory: string, servers: RunningServer[]): Repairable[] {
  const orphans = servers.filter((server) => server.parent === 1 && server.command.includes(' mcp'));
  const listed = orphans.map(({ pid, command }) => `${pid} (${command})`).join(', ');
  const pids = orphans.map(({ pid }) => pid).join(' ');
  const first =
    orphans.length > 0
      ? finding('orphans', { listed, pids })
      : finding('processes', { count: servers.length });
  const file = join(stateDirectory, 'run', 'http.json');
  const pid = pidOf(file);
  if (pid === undefined || isRunning(pid)) return [first];
  const repair = () => {
    state.remove(file);
    return 'removed';
  };
  return [first, finding('stale-server', { file, pid }, repair)];
}

function pidOf(file: string): number | undefined {
  try {
    const { pid } = parseJsonObject(state.readText(file));
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    return undefined;
  }
}
