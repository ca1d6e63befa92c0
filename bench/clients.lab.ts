import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import type { Bench } from './run-named.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'sylk');
const question = 'Brief yourself, then remember why retries are capped.';
const remembered = 'Retries are capped at three because the gateway bans longer storms.';
const script = {
  calls: [
    { tool: 'get_briefing', input: { tier: 'micro' } },
    { tool: 'store_entry', input: { content: remembered, category: 'decision', title: 'retry cap' } },
    { tool: 'get_provenance', input: { path: 'src/retry.ts' } },
  ],
  words: 'SCRIPT-FINISHED',
};

interface Drive {
  client: string;
  program: string;
  /** Environment and files that point the client at the script; its MCP entry comes from `sylk mcp install`. */
  prepare(home: string, model: ScriptedModel): Record<string, string>;
  args: string[];
}

const drives: Drive[] = [
  {
    client: 'claude-code',
    program: 'claude',
    prepare: (_home, model) => ({
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    }),
    args: ['-p', question, '--output-format', 'stream-json', '--verbose', '--allowedTools', 'mcp__sylk'],
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
        models: { script: { name: 'script', tool_call: true } },
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
    args: ['run', '--format', 'json', question],
  },
  {
    client: 'codex',
    program: 'codex',
    prepare: (home, model) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(
        join(home, '.codex', 'config.toml'),
        `# mine\nmodel = "script"\nmodel_provider = "scripted"\napproval_policy = "never"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${model.url}/v1"\nenv_key = "SCRIPT_KEY"\nwire_api = "responses"\n`,
      );
      return { SCRIPT_KEY: 'scripted' };
    },
    args: [
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
    args: ['--yolo', '-p', question],
  },
];

/** Real clients, installed elsewhere (`--from DIRECTORY`), drive the server over stdio against a scripted model. */
const clients: Bench = async ({ from, words }) => {
  for (const drive of drives) {
    if (words.length > 0 && !words.includes(drive.client)) continue;
    const program = from
      .map((place) => join(place, 'node_modules', '.bin', drive.program))
      .find((path) => existsSync(path));
    if (!program) {
      console.log(`${drive.client}: not installed in any --from`);
      continue;
    }
    const home = mkdtempSync(join(tmpdir(), 'sylk-client-home-'));
    const repository = join(home, 'project');
    makeRepository(repository);
    const model = await startScriptedModel(script);
    try {
      const env = { HOME: home, SYLK_HOME: join(home, '.sylk'), ...drive.prepare(home, model) };
      const installed = await runProcess(launcher, ['mcp', 'install', drive.client], {
        cwd: repository,
        env,
      });
      if (installed.code !== 0) throw new Error(`install: ${installed.stderr}`);
      const ran = await runProcess(program, drive.args, { cwd: repository, env, timeoutMs: 240_000 });
      const stored = await runProcess(launcher, ['call', 'get_briefing', '{"tier":"full"}', '--json'], {
        cwd: repository,
        env,
      });
      const kept =
        (await storedText(repository)).includes(remembered) || stored.stdout.toString().includes('retry cap');
      const finished = ran.stdout.toString().includes(script.words);
      console.log(
        `${drive.client}: ${finished ? 'played the script to its end' : `ended with ${ran.code}${ran.timedOut ? ' (time limit)' : ''}`}; ${model.results().length} tool results; write ${kept ? 'is on disk' : 'IS MISSING'}`,
      );
      if (!finished || !kept) {
        console.log(
          `  offered: ${model
            .offered()
            .filter((name) => /sylk|ToolSearch/.test(name))
            .join(', ')
            .slice(0, 800)}`,
        );
        console.log(
          `  results: ${model
            .results()
            .map((result) => result.slice(0, 300))
            .join('\n           ')}`,
        );
        console.log(`  stdout: ${ran.stdout.toString().slice(-1500)}\n  stderr: ${ran.stderr.slice(-1500)}`);
      }
      const removed = await runProcess(launcher, ['mcp', 'uninstall', drive.client], {
        cwd: repository,
        env,
      });
      console.log(`  ${removed.stdout.toString().trim()}`);
    } finally {
      model.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }
};

function makeRepository(path: string): void {
  mkdirSync(join(path, 'src'), { recursive: true });
  writeFileSync(join(path, 'src', 'retry.ts'), 'export const attempts = 3;\n');
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', path, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'feat: cap retries');
}

async function storedText(repository: string): Promise<string> {
  const { DatabaseSync } = await import('node:sqlite');
  const library = join(repository, '.sylk', 'sylk.db');
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

export default clients;
