import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openApp } from '../src/app.ts';
import { runOperation } from '../src/operations/run.ts';
import type { Bench } from './run-named.ts';

const root = join(import.meta.dirname, '..');

/** P10: an MCP round trip beside the operation itself. P11: a cold start beside an empty Node of the same binary. */
const surfaces: Bench = async ({ from }) => {
  const repository = from[0] ?? root;
  const scratch = mkdtempSync(join(tmpdir(), 'sylk-bench-'));
  try {
    execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root });
    const env = { ...process.env, SYLK_HOME: join(scratch, 'home') };
    // As with anybody who installed it into a client: the directory of the person is there.
    mkdirSync(env.SYLK_HOME);
    coldStart(repository, env);
    await roundTrip(repository, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

function coldStart(repository: string, env: NodeJS.ProcessEnv): void {
  const main = join(root, 'dist/main.js');
  const flags = ['--disable-warning=ExperimentalWarning'];
  spawnSync(process.execPath, [...flags, main, 'index', '--quiet'], { cwd: repository, env });
  const commands: Record<string, string[]> = {
    'node -e 0': ['-e', '0'],
    'sylk --version': [...flags, main, '--version'],
    'sylk search': [...flags, main, 'search', 'how is a damaged database handled'],
    'sylk status': [...flags, main, 'status'],
  };
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round < 15; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const started = performance.now();
      const result = spawnSync(process.execPath, args, { cwd: repository, env });
      if (result.status !== 0) throw new Error(`${name}: ${result.stderr}`);
      times.get(name)!.push(performance.now() - started);
    }
  }
  const floor = median(times.get('node -e 0')!);
  for (const [name, list] of times)
    console.log(
      `P11 ${name.padEnd(16)} median ${median(list).toFixed(1)} ms  ratio ${(median(list) / floor).toFixed(2)}`,
    );
}

async function roundTrip(repository: string, env: NodeJS.ProcessEnv): Promise<void> {
  const app = openApp({ directory: repository, env });
  const caller = { kind: 'agent' as const, name: 'bench' };
  const client = new Client({ name: 'bench', version: '1' });
  const clean = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        '--disable-warning=ExperimentalWarning',
        join(root, 'dist/main.js'),
        'mcp',
        '--no-index',
        '--toolsets',
        'all',
      ],
      cwd: repository,
      env: clean,
      stderr: 'ignore',
    }),
  );
  const name = 'get_status';
  const direct: number[] = [];
  const over: number[] = [];
  for (let round = 0; round < 300; round++) {
    let started = performance.now();
    await runOperation(app, { name, input: {}, caller });
    direct.push(performance.now() - started);
    started = performance.now();
    await client.callTool({ name, arguments: {} });
    over.push(performance.now() - started);
  }
  await client.close();
  await app.close();
  console.log(
    `P10 ${name}: in process p50 ${median(direct).toFixed(3)} ms, over stdio p50 ${median(over).toFixed(3)} ms, difference ${(median(over) - median(direct)).toFixed(3)} ms`,
  );
}

const median = (list: number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

export default surfaces;
