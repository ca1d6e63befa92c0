import type { CommandName, CommandRun } from './command.ts';

/** Each command is loaded when it runs. */
export const loaders: Record<CommandName, () => Promise<{ run: CommandRun }>> = {
  up: () => import('./up.ts'),
  serve: () => import('./serve.ts'),
  login: () => import('./login.ts'),
  logout: async () => ({ run: (await import('./login.ts')).logout }),
  whoami: async () => ({ run: (await import('./login.ts')).whoami }),
  demo: () => import('./demo.ts'),
  mcp: () => import('./mcp.ts'),
  acp: () => import('./acp.ts'),
  'areas edit': () => import('./areas-edit.ts'),
  call: () => import('./call.ts'),
  config: () => import('./config.ts'),
  hook: () => import('./hook.ts'),
  completions: () => import('./completions.ts'),
  help: () => import('./help-command.ts'),
};
