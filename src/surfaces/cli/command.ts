import type { GlobalFlags } from './global-flags.ts';
import type { Io } from './io.ts';

export type CommandRun = (args: string[], flags: GlobalFlags, io: Io) => Promise<number>;

/** Commands that are not a single operation: they serve, call any operation, or concern the command line itself. */
export const commandNames = {
  up: {
    about: 'index this repository and serve the dashboard, API and MCP on localhost',
    words: ['--port', '--read-only', '--no-watch', '--first-question', '--link'],
  },
  serve: {
    about: "serve a team's library in PostgreSQL: dashboard, API, MCP, and the hub of its workers",
    words: ['--database', '--hub', '--port', '--listen', '--public-url', '--read-only', '--no-watch'],
  },
  demo: {
    about: 'show the whole product in two minutes, on a repository made on the spot and without a key',
    words: ['--keep', '--no-dashboard'],
  },
  mcp: {
    about: 'serve MCP over standard input and output, for a coding agent',
    words: ['--toolsets', '--read-only', '--allow', '--deny', '--no-index', '--structured'],
  },
  acp: {
    about: 'serve the Agent Client Protocol over standard input and output, for an editor',
    words: ['--agent', '--model'],
  },
  'areas edit': {
    about: 'edit an area in $EDITOR: areas edit <id or name> [--file saved text]',
    words: ['--file'],
  },
  call: { about: "run any operation: sylk call <operation> '<json>'", words: [] },
  config: {
    about: 'settings and their origin: config show [--origin] | schema | path',
    words: ['show', 'schema', 'path', '--origin'],
  },
  hook: {
    about: 'run by a coding client: hook <client> <start|turn|end>, with its message on standard input',
    words: [],
  },
  completions: {
    about: 'shell completions: bash | zsh | fish | pwsh',
    words: ['bash', 'zsh', 'fish', 'pwsh'],
  },
  help: { about: 'help, help <command>, help <topic>, help all', words: [] },
} as const satisfies Record<string, { about: string; words: readonly string[] }>;

export type CommandName = keyof typeof commandNames;

/** The command that the words start with, and the remaining words. */
export function matchCommand(words: string[]): { name: CommandName; rest: string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (words.length >= length && Object.hasOwn(commandNames, name))
      return { name: name as CommandName, rest: words.slice(length) };
  }
  return undefined;
}
