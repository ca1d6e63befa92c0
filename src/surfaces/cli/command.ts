import type { GlobalFlags } from './global-flags.ts';
import type { Io } from './io.ts';

export type CommandRun = (args: string[], flags: GlobalFlags, io: Io) => Promise<number>;

/** Commands that are not a single operation: they serve, call any operation, or concern the command line itself. */
export const commandNames = {
  up: {
    about: 'index this repository and serve the dashboard, API and MCP on localhost',
    words: {
      '--port': 'serve on this port; the next free one by default',
      '--read-only': 'only operations that read',
      '--no-watch': 'index once; do not follow changed files',
      '--first-question': 'ask one question about the repository and show the answer',
      '--link': 'print another link to the dashboard of the server that runs',
    },
    example: 'sylk up ~/code/shop ~/code/site',
  },
  serve: {
    about: "serve a team's library in PostgreSQL: dashboard, API, MCP, and the hub of its workers",
    words: {
      '--database': 'address of the library: postgres://…',
      '--hub': 'git repository that the workers of the team push to',
      '--port': 'serve on this port',
      '--listen': 'address to listen on; only this machine by default',
      '--public-url': 'address under which people reach it',
      '--read-only': 'only operations that read',
      '--no-watch': 'index once; do not follow changed files',
    },
    example: 'sylk serve --database postgres://sylk@db.example/sylk',
  },
  login: {
    about: 'join this clone to the memory of a team: login URL',
    words: {
      '--repository': 'one of several repositories that the server has',
      '--token-file': 'file with the token, or - for standard input; asked for by default',
    },
    example: 'sylk login https://sylk.example.org',
  },
  logout: {
    about: 'leave the team; the token ends, and what was written stays here',
    words: {},
    example: 'sylk logout',
  },
  whoami: {
    about: 'the team that this clone belongs to, and what you may do there',
    words: {},
    example: 'sylk whoami',
  },
  demo: {
    about: 'show the whole product in two minutes, on a repository made on the spot and without a key',
    words: {
      '--keep': 'keep the repository that it makes',
      '--no-dashboard': 'do not serve the dashboard at the end',
    },
    example: 'sylk demo',
  },
  mcp: {
    about: 'serve MCP over standard input and output, for a coding agent',
    words: {
      '--toolsets': 'show more operations as tools: work,areas or all',
      '--read-only': 'only operations that read',
      '--allow': 'only these operations',
      '--deny': 'all but these operations',
      '--no-index': 'do not index at the start',
      '--structured': 'send answers as data too',
    },
    example: 'sylk mcp install claude-code',
  },
  acp: {
    about: 'serve the Agent Client Protocol over standard input and output, for an editor',
    words: { '--agent': 'a coding agent that works', '--model': 'a model that works: provider/model' },
    example: 'sylk acp --agent codex',
  },
  'areas edit': {
    about: 'edit an area in $EDITOR: areas edit <id or name> [--file saved text]',
    words: { '--file': 'a text that was saved before' },
    example: 'sylk areas edit checkout',
  },
  call: {
    about: "run any operation: sylk call <operation> '<json>'",
    words: {},
    example: `sylk call ask '{"question":"where is the log-in"}'`,
  },
  config: {
    about: 'settings and their origin: config show [--origin] | schema | path',
    words: {
      show: 'every setting',
      schema: 'the settings that there are',
      path: 'the files that are read',
      '--origin': 'with the file that each comes from',
    },
    example: 'sylk config show --origin',
  },
  hook: {
    about: 'run by a coding client: hook <client> <start|turn|end>, with its message on standard input',
    words: {},
    example: 'sylk hook claude-code start',
  },
  completions: {
    about: 'shell completions: bash | zsh | fish | pwsh',
    words: { bash: '', zsh: '', fish: '', pwsh: '' },
    example: 'sylk completions bash > ~/.local/share/bash-completion/completions/sylk',
  },
  help: { about: 'help, help <command>, help <topic>, help all', words: {}, example: 'sylk help why' },
} as const satisfies Record<string, { about: string; words: Record<string, string>; example: string }>;

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
