import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isWithin, person, state } from '../../../base/files/index.ts';
import type { Place } from '../../../base/sandbox/index.ts';
import { homeDirectory } from '../../../base/user-directory.ts';
import type { KnownAgent } from './known-agents.ts';

export interface AgentHome {
  writable: Place[];
  readable: Place[];
  environment: Record<string, string>;
  /** Removes everything but what the agent needs to go on with its sessions. */
  clear(): void;
}

/** Variables by which a person moves a folder of the home directory. */
const moves: Array<[variable: string, folder: string]> = [
  ['CLAUDE_CONFIG_DIR', '.claude'],
  ['CODEX_HOME', '.codex'],
  ['XDG_CONFIG_HOME', '.config'],
  ['XDG_DATA_HOME', '.local/share'],
];

/** Where a path below the home directory really is. */
export function placeOf(path: string, env: NodeJS.ProcessEnv): string {
  for (const [variable, folder] of moves) {
    const moved = env[variable];
    if (moved && isAbsolute(moved) && isWithin(folder, path)) return join(moved, relative(folder, path));
  }
  return join(homeDirectory(env), path);
}

/**
 * A home directory that is thrown away, seen where the person's own is. What the agent reads there is mounted and never
 * changed; Sylk itself reads none of it but the files that are listed as copies.
 */
export function prepareHome(
  { home, settings }: KnownAgent,
  directory: string,
  env: NodeJS.ProcessEnv,
): AgentHome {
  const own = homedir();
  state.makeDirectory(directory);
  for (const path of home.copy) {
    const [from, to] = [placeOf(path, env), join(directory, path)];
    if (!person.exists(from) || state.exists(to)) continue;
    state.makeDirectory(dirname(to));
    state.write(to, person.read(from));
  }
  const settingsFile = '.sylk-settings.json';
  if (settings) state.write(join(directory, settingsFile), JSON.stringify(settings.content));
  for (const path of ['.config', '.cache', '.local/share', '.local/state'])
    state.makeDirectory(join(directory, path));
  return {
    writable: [{ from: directory, at: own }],
    readable: home.read
      .map((path) => ({ from: placeOf(path, env), at: join(own, path) }))
      .filter(({ from }) => person.exists(from)),
    environment: {
      HOME: own,
      XDG_CONFIG_HOME: join(own, '.config'),
      XDG_CACHE_HOME: join(own, '.cache'),
      XDG_DATA_HOME: join(own, '.local/share'),
      XDG_STATE_HOME: join(own, '.local/state'),
      TMPDIR: '/tmp',
      ...(settings ? { [settings.variable]: join(own, settingsFile) } : {}),
    },
    clear: () => clearAllBut(directory, '', home.keep),
  };
}

function clearAllBut(root: string, below: string, keep: string[]): void {
  if (keep.includes('*')) return;
  for (const { name } of state.list(join(root, below))) {
    const path = join(below, name);
    if (keep.includes(path)) continue;
    if (keep.some((kept) => kept.startsWith(`${path}/`))) clearAllBut(root, path, keep);
    else state.remove(join(root, path));
  }
}
