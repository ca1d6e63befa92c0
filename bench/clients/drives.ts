import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedModel } from '../scripted-model.ts';

export interface Drive {
  client: string;
  program: string;
  /** Environment and files that point the client at the script; its MCP entry comes from `sylk mcp install`. */
  prepare(home: string, model: ScriptedModel): Record<string, string>;
  /** How the client's tool search names our tools, where it is not the usual way. */
  server?: string;
  /** Flags without which the client runs no hooks in this mode. */
  hookArgs?: string[];
  /** How one question is put without anybody at the keyboard. */
  args(question: string): string[];
}

export const drives: Drive[] = [
  {
    client: 'claude-code',
    program: 'claude',
    prepare: (_home, model) => ({
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      MCP_TIMEOUT: '180000',
      IS_SANDBOX: '1',
    }),
    args: (question) => [
      '-p',
      question,
      '--output-format',
      'stream-json',
      '--verbose',
      '--allowedTools',
      'mcp__sylk',
    ],
  },
  {
    client: 'opencode',
    program: 'opencode',
    prepare: (home, model) => {
      const directory = join(home, '.config', 'opencode');
      mkdirSync(directory, { recursive: true });
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${model.url}/v1`, apiKey: 'scripted' },
        models: { script: { name: 'script', tool_call: true, cost: { input: 1, output: 2 } } },
      };
      writeFileSync(
        join(directory, 'opencode.json'),
        JSON.stringify(
          {
            autoupdate: false,
            share: 'disabled',
            model: 'scripted/script',
            small_model: 'scripted/script',
            provider: { scripted: provider },
          },
          null,
          2,
        ),
      );
      return {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      };
    },
    args: (question) => ['run', '--format', 'json', question],
  },
  {
    client: 'codex',
    program: 'codex',
    prepare: (home, model) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(
        join(home, '.codex', 'config.toml'),
        `# mine\nmodel = "script"\nmodel_provider = "scripted"\napproval_policy = "never"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${model.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`,
      );
      return { OPENAI_API_KEY: 'scripted' };
    },
    // A person reviews hooks once with /hooks; nobody is at the keyboard here.
    hookArgs: ['--dangerously-bypass-hook-trust'],
    args: (question) => [
      'exec',
      '--skip-git-repo-check',
      '--json',
      '-c',
      'mcp_servers.sylk.default_tools_approval_mode="approve"',
      // A script answers faster than any model: without this the first turn starts before the server does.
      '-c',
      'mcp_servers.sylk.required=true',
      question,
    ],
  },
  {
    client: 'gemini',
    program: 'gemini',
    prepare: (home, model) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      writeFileSync(
        join(home, '.gemini', 'settings.json'),
        JSON.stringify(
          { security: { auth: { selectedType: 'gemini-api-key' } }, telemetry: { enabled: false } },
          null,
          2,
        ),
      );
      return {
        GEMINI_API_KEY: 'scripted',
        GOOGLE_GEMINI_BASE_URL: model.url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      };
    },
    args: (question) => ['--yolo', '-p', question],
  },
];

/** Where a client's program lies among directories that npm installed into. */
export const programOf = ({ program }: Drive, from: string[]): string | undefined =>
  from.map((place) => join(place, 'node_modules', '.bin', program)).find((path) => existsSync(path));

export function makeRepository(path: string, more: Record<string, string> = {}): void {
  mkdirSync(join(path, 'src'), { recursive: true });
  writeFileSync(join(path, 'src', 'retry.ts'), 'export const attempts = 3;\n');
  for (const [name, text] of Object.entries(more)) writeFileSync(join(path, name), text);
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', path, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'feat: cap retries');
}

/** Every row of the repository's library, as text. */
export async function storedText(repository: string): Promise<string> {
  const { DatabaseSync } = await import('node:sqlite');
  const library = join(repository, '.git', 'sylk', 'library.db');
  if (!existsSync(library)) return '';
  const database = new DatabaseSync(library, { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const all = tables.map(({ name }) => {
    try {
      return JSON.stringify(database.prepare(`SELECT * FROM "${String(name)}"`).all());
    } catch {
      return '';
    }
  });
  database.close();
  return all.join('\n');
}
