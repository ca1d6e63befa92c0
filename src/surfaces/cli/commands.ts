import type { GlobalFlags } from './global-flags.ts';
import type { Io } from './io.ts';

export type CommandRun = (args: string[], flags: GlobalFlags, io: Io) => Promise<number>;

interface Command {
  about: string;
  /** Words and flags, for completion. */
  words?: string[];
  load: () => Promise<{ run: CommandRun }>;
}

/** Commands that are not one operation: they serve, call any operation, or speak about the command line itself. */
export const commands: Record<string, Command> = {
  up: {
    about: 'index this repository and serve dashboard, API and MCP on localhost',
    words: ['--port', '--read-only', '--no-watch', '--first-question'],
    load: () => import('./up.ts'),
  },
  mcp: {
    about: 'serve MCP over standard input and output, for a coding agent',
    words: ['--toolsets', '--read-only', '--allow', '--deny', '--no-index'],
    load: () => import('./mcp.ts'),
  },
  call: { about: "run any operation: sylk call <operation> '<json>'", load: () => import('./call.ts') },
  config: {
    about: 'what is set and where: config show [--origin] | schema | path',
    words: ['show', 'schema', 'path', '--origin'],
    load: () => import('./config.ts'),
  },
  completions: {
    about: 'shell completions: bash | zsh | fish | pwsh',
    words: ['bash', 'zsh', 'fish', 'pwsh'],
    load: () => import('./completions.ts'),
  },
  help: { about: 'this page, or help <command>', load: () => import('./help-command.ts') },
};
