import { join } from 'node:path';
import { closest } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import type { Scope } from './client.ts';
import { type Places, xdgConfig } from './places.ts';

/** What a client tells us of: a conversation begins, a turn is over, a conversation ends. */
export type HookEvent = 'start' | 'turn' | 'end';

/** A coding client that runs commands at moments of a conversation. */
export interface HookClient {
  id: string;
  title: string;
  path(scope: Scope, places: Places, root: string): string;
  /** The name under which the client greets MCP servers: its sessions are the same ones. */
  callers: string[];
  /** The client's names of the moments; absent where a file of our own listens. */
  events?: Partial<Record<HookEvent, string>>;
  /** How the client writes a time limit of five seconds. */
  timeout?: number;
  afterwards: string;
}

/** Places, event names and units as the clients' public documentation gives them. */
export const hookClients: HookClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    callers: ['claude-code'],
    path: (scope, { home, env }, root) =>
      scope === 'project'
        ? join(root, '.claude', 'settings.json')
        : join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
    events: { start: 'SessionStart', end: 'SessionEnd' },
    timeout: 5,
    afterwards: 'Start a new session; /hooks lists them.',
  },
  {
    id: 'codex',
    title: 'Codex',
    callers: ['codex-mcp-client', 'codex'],
    path: (scope, { home, env }, root) =>
      join(scope === 'project' ? join(root, '.codex') : env.CODEX_HOME || join(home, '.codex'), 'hooks.json'),
    events: { start: 'SessionStart', turn: 'Stop' },
    timeout: 5,
    afterwards: 'Codex asks you to review new hooks before it runs them: /hooks.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    callers: ['gemini-cli-mcp-client', 'gemini'],
    path: (scope, { home }, root) => join(scope === 'project' ? root : home, '.gemini', 'settings.json'),
    events: { start: 'SessionStart', end: 'SessionEnd' },
    timeout: 5000,
    afterwards: 'Start a new session; /hooks panel lists them.',
  },
  {
    id: 'opencode',
    title: 'opencode',
    callers: ['opencode'],
    path: (scope, places, root) =>
      scope === 'project'
        ? join(root, '.opencode', 'plugins', 'sylk.js')
        : xdgConfig(places, 'opencode', 'plugins', 'sylk.js'),
    afterwards: 'Start opencode again; it loads the plugin by itself.',
  },
];

export function findHookClient(id: string): HookClient {
  const found = hookClients.find((client) => client.id === id);
  if (found) return found;
  const ids = hookClients.map((client) => client.id);
  const near = closest(id, ids);
  throw new SylkError('NOT_FOUND', `No hooks are known for ${JSON.stringify(id.slice(0, 60))}.`, {
    hint: near ? `Did you mean ${near}?` : `Clients with hooks: ${ids.join(', ')}.`,
  });
}

/** A briefing as the client takes it from a hook; nothing where there is nothing to say. */
export function hookReply(client: HookClient, event: HookEvent, text: string): string {
  if (event !== 'start' || text.trim() === '') return '';
  if (!client.events) return text;
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: client.events.start, additionalContext: text },
  });
}
