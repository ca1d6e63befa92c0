import { join } from 'node:path';
import { closest } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { StdioServer } from '../../base/mcp-handshake.ts';
import type { Client, Target } from './client.ts';
import { applicationData, type Places, xdgConfig } from './places.ts';

const json = (path: string, ...table: string[]): Target => ({ path, format: 'json', table });
const plain = ({ command, args }: StdioServer) => ({ command, args });
const typed = ({ command, args }: StdioServer) => ({ type: 'stdio', command, args });
const editorStorage = (places: Places, ...rest: string[]) =>
  applicationData(places, 'Code', 'User', 'globalStorage', ...rest);
const firstThere = (...paths: [string, ...string[]]): string =>
  paths.find((path) => person.exists(path)) ?? paths[0];

/** File locations and shapes as the clients' public documentation gives them. */
export const clients: Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    programs: ['claude'],
    traces: ({ home, env }) => [env.CLAUDE_CONFIG_DIR || join(home, '.claude'), join(home, '.claude.json')],
    user: ({ home, env }) => json(join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'), 'mcpServers'),
    project: (root) => json(join(root, '.mcp.json'), 'mcpServers'),
    startsIn: 'repository',
    entry: typed,
    afterwards: 'Start a new session; /mcp lists it.',
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    programs: [],
    traces: (places) => [applicationData(places, 'Claude')],
    user: (places) => json(applicationData(places, 'Claude', 'claude_desktop_config.json'), 'mcpServers'),
    startsIn: 'elsewhere',
    entry: plain,
    afterwards: 'Quit and reopen Claude Desktop.',
  },
  {
    id: 'codex',
    title: 'Codex',
    programs: ['codex'],
    traces: ({ home, env }) => [env.CODEX_HOME || join(home, '.codex')],
    user: ({ home, env }) => ({
      path: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
      format: 'toml',
      table: ['mcp_servers'],
    }),
    project: (root) => ({
      path: join(root, '.codex', 'config.toml'),
      format: 'toml',
      table: ['mcp_servers'],
    }),
    startsIn: 'repository',
    entry: plain,
    afterwards: 'Start a new session; /mcp lists it. A project file counts once Codex trusts the project.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    programs: ['cursor', 'cursor-agent'],
    traces: ({ home }) => [join(home, '.cursor')],
    user: ({ home }) => json(join(home, '.cursor', 'mcp.json'), 'mcpServers'),
    project: (root) => json(join(root, '.cursor', 'mcp.json'), 'mcpServers'),
    startsIn: 'elsewhere',
    folderVariable: '${workspaceFolder}',
    entry: typed,
    afterwards: 'Switch it on under Settings › MCP.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    programs: ['code', 'code-insiders'],
    traces: (places) => [applicationData(places, 'Code', 'User')],
    user: (places) => json(applicationData(places, 'Code', 'User', 'mcp.json'), 'servers'),
    project: (root) => json(join(root, '.vscode', 'mcp.json'), 'servers'),
    startsIn: 'elsewhere',
    folderVariable: '${workspaceFolder}',
    entry: typed,
    afterwards: 'Run "MCP: List Servers" and start it.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    programs: ['gemini'],
    traces: ({ home }) => [join(home, '.gemini')],
    user: ({ home }) => json(join(home, '.gemini', 'settings.json'), 'mcpServers'),
    project: (root) => json(join(root, '.gemini', 'settings.json'), 'mcpServers'),
    startsIn: 'repository',
    entry: plain,
    afterwards: 'Start a new session; /mcp lists it.',
  },
  {
    id: 'opencode',
    title: 'opencode',
    programs: ['opencode'],
    traces: (places) => [xdgConfig(places, 'opencode')],
    user: (places) =>
      json(
        firstThere(
          xdgConfig(places, 'opencode', 'opencode.json'),
          xdgConfig(places, 'opencode', 'opencode.jsonc'),
        ),
        'mcp',
      ),
    project: (root) => json(firstThere(join(root, 'opencode.json'), join(root, 'opencode.jsonc')), 'mcp'),
    startsIn: 'repository',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    afterwards: 'Start a new session; `opencode mcp list` shows it.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    programs: ['windsurf'],
    traces: ({ home }) => [join(home, '.codeium', 'windsurf')],
    user: ({ home }) => json(join(home, '.codeium', 'windsurf', 'mcp_config.json'), 'mcpServers'),
    startsIn: 'elsewhere',
    entry: plain,
    afterwards: 'Press refresh in the MCP panel of Cascade.',
  },
  {
    id: 'zed',
    title: 'Zed',
    programs: ['zed', 'zeditor'],
    traces: (places) => [zedDirectory(places)],
    user: (places) => json(join(zedDirectory(places), 'settings.json'), 'context_servers'),
    startsIn: 'elsewhere',
    entry: plain,
    afterwards: 'Zed picks it up at once; see the Agent panel settings.',
  },
  {
    id: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    programs: ['copilot'],
    traces: ({ home, env }) => [env.COPILOT_HOME || join(home, '.copilot')],
    user: ({ home, env }) =>
      json(join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'), 'mcpServers'),
    project: (root) => json(join(root, '.github', 'mcp.json'), 'mcpServers'),
    startsIn: 'repository',
    entry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
    afterwards: 'Start a new session; /mcp show lists it.',
  },
  {
    id: 'cline',
    title: 'Cline',
    programs: ['cline'],
    traces: (places) => [join(places.home, '.cline'), editorStorage(places, 'saoudrizwan.claude-dev')],
    user: (places) => json(clineFile(places), 'mcpServers'),
    startsIn: 'elsewhere',
    entry: plain,
    afterwards: 'Cline reloads its servers by itself.',
  },
  {
    id: 'roo',
    title: 'Roo Code',
    programs: [],
    traces: (places) => [editorStorage(places, 'rooveterinaryinc.roo-cline')],
    user: (places) =>
      json(
        editorStorage(places, 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json'),
        'mcpServers',
      ),
    project: (root) => json(join(root, '.roo', 'mcp.json'), 'mcpServers'),
    startsIn: 'elsewhere',
    entry: plain,
    afterwards: 'Roo Code reloads its servers by itself.',
  },
  {
    id: 'kiro',
    title: 'Kiro',
    programs: ['kiro', 'kiro-cli'],
    traces: ({ home }) => [join(home, '.kiro')],
    user: ({ home }) => json(join(home, '.kiro', 'settings', 'mcp.json'), 'mcpServers'),
    project: (root) => json(join(root, '.kiro', 'settings', 'mcp.json'), 'mcpServers'),
    startsIn: 'elsewhere',
    entry: plain,
    afterwards: 'Kiro reconnects when the file is saved.',
  },
  {
    id: 'amp',
    title: 'Amp',
    programs: ['amp'],
    traces: (places) => [xdgConfig(places, 'amp')],
    user: (places) => json(xdgConfig(places, 'amp', 'settings.json'), 'amp.mcpServers'),
    project: (root) => json(join(root, '.amp', 'settings.json'), 'amp.mcpServers'),
    startsIn: 'repository',
    entry: plain,
    afterwards: 'Start a new thread; `amp mcp doctor` shows it.',
  },
];

export function findClient(id: string): Client {
  const found = clients.find((client) => client.id === id);
  if (found) return found;
  const ids = clients.map((client) => client.id);
  const near = closest(id, ids);
  throw new SylkError('NOT_FOUND', `There is no client ${JSON.stringify(id.slice(0, 60))}.`, {
    hint: near ? `Did you mean ${near}?` : `Known clients: ${ids.join(', ')}.`,
  });
}

const zedDirectory = (places: Places): string =>
  places.platform === 'win32' ? applicationData(places, 'Zed') : xdgConfig(places, 'zed');

function clineFile(places: Places): string {
  if (places.env.CLINE_MCP_SETTINGS_PATH) return places.env.CLINE_MCP_SETTINGS_PATH;
  const name = 'cline_mcp_settings.json';
  const extension = editorStorage(places, 'saoudrizwan.claude-dev');
  return person.exists(extension)
    ? join(extension, 'settings', name)
    : join(places.home, '.cline', 'data', 'settings', name);
}
