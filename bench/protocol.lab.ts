import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runProcess } from '../src/base/process/index.ts';
import { allOperations } from '../src/operations/list.ts';
import { type AnyOperation, isForPersons } from '../src/operations/operation.ts';
import { fixtureRepository } from '../tests/support/fixture-repository.ts';
import type { Bench } from './run-named.ts';
import { startTokenProxy } from './token-proxy.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'sylk');

/** Scenarios of the conformance suite that call tools, prompts or resources of the suite's own example server. */
const inapplicable: Array<[pattern: RegExp, why: string]> = [
  [
    /^tools-call-|^json-schema-2020-12$|^elicitation-|^input-required|^http-custom-header/,
    "calls tools of the suite's own example server",
  ],
  [/^resources-(read|templates-read)/, "reads resources of the suite's own example server"],
  [/^prompts-get|^completion-complete$/, "gets prompts of the suite's own example server"],
  [/^resources-(un)?subscribe$/, 'subscriptions are optional and not offered'],
  [/^logging-set-level$/, 'logging to clients is optional, deprecated, and not offered'],
  [/^tasks-|^server-sse-polling$/, 'tasks and stream resumption are optional and not offered'],
];

/** `--from DIRECTORY` holds the Inspector and the conformance suite; words choose `inspector` or `conformance`. */
const protocol: Bench = async ({ from, words }) => {
  const home = mkdtempSync(join(tmpdir(), 'sylk-protocol-'));
  const repository = fixtureRepository(join(home, 'shop')).path;
  const env = { HOME: home, SYLK_HOME: join(home, '.sylk') };
  const server = await startServer(repository, env);
  const proxy = await startTokenProxy(`${server.url}/mcp`, server.token);
  const wants = (what: string) => words.length === 0 || words.includes(what);
  try {
    if (wants('inspector')) await inspect(programs(from, 'mcp-inspector')[0], { repository, env, ...server });
    if (wants('conformance'))
      for (const program of programs(from, 'conformance')) await conform(program, proxy.url, env);
  } finally {
    proxy.close();
    server.child.kill('SIGTERM');
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
};

const programs = (from: string[], name: string): string[] =>
  from.map((place) => join(place, 'node_modules', '.bin', name)).filter((path) => existsSync(path));

async function startServer(repository: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(launcher, ['up', '--port', '0', '--json', '--quiet', '--no-watch'], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const said = JSON.parse(line) as { url: string; token_file: string };
    const { token } = JSON.parse(readFileSync(said.token_file, 'utf8')) as { token: string };
    return { child, url: said.url, token };
  }
  throw new Error('the server did not start');
}

interface Served {
  repository: string;
  env: Record<string, string>;
  url: string;
  token: string;
}

/** The official Inspector lists every tool, and calls each with its example, over both transports. */
async function inspect(program: string | undefined, served: Served): Promise<void> {
  if (!program) return console.log('inspector: not installed in any --from');
  const transports: Record<string, string[]> = {
    stdio: [launcher, 'mcp', '--toolsets', 'all', '--repo', served.repository],
    http: [`${served.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${served.token}`],
  };
  const operations = (await allOperations()).filter((operation) => !isForPersons(operation));
  for (const [transport, target] of Object.entries(transports)) {
    const ask = (args: string[]) =>
      runProcess(program, ['--cli', ...target, '--connect-timeout', '120000', ...args], {
        cwd: served.repository,
        env: served.env,
        timeoutMs: 120_000,
      });
    const listed = await ask(['--method', 'tools/list', '--strict']);
    const names = (
      JSON.parse(listed.stdout.toString() || '{"tools":[]}') as { tools: Array<{ name: string }> }
    ).tools.map((tool) => tool.name);
    const missing = operations
      .filter((operation) => !names.includes(operation.name))
      .map((operation) => operation.name);
    console.log(
      `inspector over ${transport}: ${names.length} tools listed, exit ${listed.code}, missing: ${missing.join(', ') || 'none'}; ${listed.stderr.trim().split('\n').slice(0, 4).join(' · ')}`,
    );
    let answered = 0;
    const failed: string[] = [];
    const call = async (operation: AnyOperation) => {
      const args = Object.entries(operation.examples[0] ?? {}).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const called = await ask(['--method', 'tools/call', '--tool-name', operation.name, ...args]);
      // An answer in the product's own words (approval needed, not found) is an answer; a protocol failure is not.
      if (/"content"/.test(called.stdout.toString())) answered++;
      else failed.push(`${operation.name}: ${called.stderr.trim().slice(0, 200)}`);
    };
    const waiting = [...operations];
    const turns = Array.from({ length: 4 }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await call(next);
    });
    await Promise.all(turns);
    console.log(`  ${answered} of ${operations.length} tools called and answered`);
    for (const line of failed) console.log(`  ✗ ${line}`);
  }
}

async function conform(program: string, url: string, env: Record<string, string>): Promise<void> {
  const { version } = JSON.parse(
    readFileSync(join(program, '..', '..', '@modelcontextprotocol', 'conformance', 'package.json'), 'utf8'),
  ) as { version: string };
  const listed = await runProcess(program, ['list', '--server'], { env });
  const scenarios = [...listed.stdout.toString().matchAll(/^\s+- (\S+)/gm)].map((match) => match[1]!);
  const passed: string[] = [];
  const left = new Map<string, number>();
  console.log(`conformance ${version}: ${scenarios.length} server scenarios`);
  for (const scenario of scenarios) {
    const why = inapplicable.find(([pattern]) => pattern.test(scenario))?.[1];
    if (why) {
      left.set(why, (left.get(why) ?? 0) + 1);
      continue;
    }
    const ran = await runProcess(program, ['server', '--url', url, '--scenario', scenario], {
      env,
      timeoutMs: 60_000,
    });
    const said = `${ran.stdout.toString()}\n${ran.stderr}`;
    if (ran.code === 0) passed.push(scenario);
    else
      console.log(
        `  ✗ ${scenario}\n${said
          .split('\n')
          .filter((line) => /FAILURE|✗/.test(line))
          .slice(0, 8)
          .map((line) => `      ${line.trim().slice(0, 300)}`)
          .join('\n')}`,
      );
  }
  console.log(`  passed: ${passed.join(', ')}`);
  for (const [why, count] of left) console.log(`  not applicable: ${count} × ${why}`);
}

export default protocol;
