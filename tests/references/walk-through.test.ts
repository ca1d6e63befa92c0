import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { publishBare } from '../support/local-forge.ts';
import { launcher } from '../support/program.ts';
import { testRepository } from '../support/repository.ts';
import { testGitServer, testSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const upstream = {
  'README.md': '# dioxus\n\nFullstack interfaces in Rust.\n',
  'docs/lifecycle.md': '# Lifecycle\n\n## Hooks\n\n`use_effect` runs after a component has been rendered.\n',
  'docs/signals.md': '# Signals\n\n`use_signal` keeps state between renders.\n',
  'examples/hello.rs': 'fn app() -> Element {\n    rsx! { "Hello" }\n}\n',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `packages/core/src/m${at}.rs`,
      `pub fn part_${at}() {}\n${'// A part of the core.\n'.repeat(900)}`,
    ]),
  ),
};

/** A machine with a home of its own, a project, and a small internet on loopback. */
async function world() {
  const library = testRepository();
  const commit = library.commit('first', upstream);
  const forge = temporaryDirectory('forge');
  const bare = publishBare(library.path, forge, 'DioxusLabs/dioxus');
  const server = await testGitServer(forge);
  const words = 'Everything a newcomer has to know about components, state and events. '.repeat(5);
  const site = await testSite({
    '/learn/0.6/': `<html><body><nav>Menu</nav><main><h1>Learn Dioxus</h1><p>${words}</p><h2 id="events">Events</h2><p>Handlers are closures: <code>onclick</code>. ${words}</p></main></body></html>`,
  });
  const home = temporaryDirectory('home');
  writeFileSync(join(home, 'config.yaml'), `network:\n  allow_hosts: ["${server.host}", "${site.host}"]\n`);
  const project = testRepository();
  project.commit('x', { 'README.md': 'app\n' });
  const env = { ...process.env, SYLK_HOME: home, PATH: process.env.PATH ?? '' };
  const person = async (name: string, input: object) => {
    const app = openApp({ directory: project.path, env });
    try {
      return await runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
    } finally {
      await app.close();
    }
  };
  return {
    library,
    commit,
    bare,
    server,
    site,
    home,
    project,
    env,
    person,
    url: `${server.url}/DioxusLabs/dioxus.git`,
  };
}

type World = Awaited<ReturnType<typeof world>>;
/** One call by an agent; a failure is answered as its text. */
type Call = (name: string, input: object) => Promise<{ output?: Record<string, never>; failed?: string }>;

/** The real program, without blocking the servers of this process. */
const overCommandLine =
  ({ project, env }: World): Call =>
  (name, input) =>
    new Promise((resolve) => {
      const child = spawn('sh', [launcher(), 'call', name, JSON.stringify(input), '--json'], {
        cwd: project.path,
        env,
      });
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (err += chunk));
      child.on('close', (code) => resolve(code === 0 ? { output: JSON.parse(out) } : { failed: err }));
    });

async function connect({ project, env }: World, capabilities: object = {}): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' }, { capabilities });
  const plain = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  await client.connect(
    new StdioClientTransport({
      command: 'sh',
      args: [launcher(), 'mcp', '--toolsets', 'references', '--structured'],
      cwd: project.path,
      env: plain,
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

const overMcp =
  (client: Client): Call =>
  async (name, input) => {
    const reply = await client.callTool({ name, arguments: input as Record<string, unknown> });
    const text = (reply.content as Array<{ text: string }>).map((part) => part.text).join('\n');
    return reply.isError ? { failed: text } : { output: reply.structuredContent as never };
  };

/** What git itself says of the first commit, on the other side. */
function kilobytes(bare: string, paths: string[] = []): number {
  const listed = spawnSync('git', ['-C', bare, 'ls-tree', '-r', '-l', 'main', '--', ...paths], {
    encoding: 'utf8',
  });
  const bytes = listed.stdout.split('\n').reduce((sum, line) => sum + Number(line.split(/\s+/)[3] ?? 0), 0);
  return Math.max(1, Math.round(bytes / 1000));
}

async function walk(around: World, call: Call): Promise<void> {
  const { url, site, commit, person, library, bare, home } = around;
  expect((await call('reference_topic_search', { query: 'Rust UI framework dioxus' })).output).toMatchObject({
    topics: [],
  });

  const input = {
    title: 'Dioxus - Rust UI Framework',
    body: 'Dioxus is a portable, performant framework for building cross-platform UIs in Rust.',
    sources: [
      { type: 'git', url, ref: 'main' },
      { type: 'web', url: `${site.url}/learn/0.6/` },
    ],
    tags: ['rust', 'ui', 'framework', 'dioxus'],
    max_age_days: 30,
  };
  const asked = (await call('reference_topic_create', input)).failed ?? '';
  expect(asked).toContain(
    `APPROVAL_REQUIRED:REFERENCE_TOPIC_CREATE:DioxusLabs/dioxus: 16 files, ~${kilobytes(bare)} KB, Rust + 1 web page`,
  );
  const first = /apr_[0-9a-z]+/.exec(asked)![0];
  expect(await person('deny', { approval_id: first, note: 'too large' })).toMatchObject({ ok: true });
  const denied = (await call('reference_topic_create', { ...input, approval_id: first })).failed ?? '';
  expect(denied).toContain('too large');
  expect(denied).toContain('paths');

  const paths = ['README.md', 'docs/', 'examples/'];
  const smaller = { ...input, sources: [{ ...input.sources[0], paths }, input.sources[1]] };
  const again = (await call('reference_topic_create', smaller)).failed ?? '';
  expect(again).toContain(
    `4 files, ~${kilobytes(bare, paths)} KB (filtered from DioxusLabs/dioxus) + 1 web page`,
  );
  const second = /apr_[0-9a-z]+/.exec(again)![0];
  const early = (await call('reference_topic_create', { ...smaller, approval_id: second })).failed ?? '';
  expect(early).toContain('still waiting');
  expect(await person('approve_reference_topic', { approval_id: second })).toMatchObject({ ok: true });
  const changed =
    (await call('reference_topic_create', { ...smaller, body: 'changed', approval_id: second })).failed ?? '';
  expect(changed).toContain('a different request');

  const created = await call('reference_topic_create', { ...smaller, approval_id: second });
  expect(created.output).toMatchObject({
    topic_id: 'topic-dioxus-rust-ui-framework',
    file_count: 5,
    problems: [],
  });
  const twice =
    (await call('reference_topic_create', { ...smaller, approval_id: second, allow_duplicate: true }))
      .failed ?? '';
  expect(twice).toContain('works once');

  const search = async (question: string) =>
    (
      (await call('reference_search', { topic: 'dioxus', question })).output as unknown as {
        results: Array<Record<string, unknown>>;
      }
    ).results;
  expect((await search('component lifecycle hooks'))[0]).toMatchObject({ file: 'docs/lifecycle.md', commit });
  expect((await search('click handlers closures'))[0]).toMatchObject({
    url: `${site.url}/learn/0.6/#events`,
  });

  const note = join(home, 'references', 'dioxus-rust-ui-framework', 'topic.md');
  writeFileSync(
    note,
    readFileSync(note, 'utf8').replace(/fetched_at = "[^"]+"/, 'fetched_at = "2025-01-01T00:00:00Z"'),
  );
  expect((await search('component lifecycle hooks'))[0]).toMatchObject({
    stale_since: '2025-02-01T00:00:00.000Z',
  });

  library.commit('second', {
    'docs/signals.md': '# Signals\n\n`use_store` keeps nested state.\n',
    'docs/new.md': '# New\n',
  });
  library.git('push', '-q', bare, 'main');
  expect(await person('reference_topic_refresh', { topic: 'dioxus rust ui' })).toMatchObject({
    ok: true,
    output: { topics: [{ added: 1, changed: 1, removed: 0, file_count: 6 }], failed: [] },
  });
  expect((await search('nested state'))[0]).toMatchObject({ file: 'docs/signals.md' });
  expect((await search('nested state'))[0]).not.toHaveProperty('stale_since');

  await call('reference_topic_update', { topic_id: 'topic-dioxus-rust-ui-framework', status: 'obsolete' });
  expect((await call('reference_search', { question: 'nested state' })).output).toMatchObject({
    results: [],
  });
  expect((await call('reference_topic_list', { include_obsolete: true })).output).toMatchObject({
    topics: [{ status: 'obsolete', file_count: 6, source_count: 2 }],
  });
}

test('the Dioxus walk-through, over the command line', async () => {
  const around = await world();
  await walk(around, overCommandLine(around));
});

test('the Dioxus walk-through, over MCP', async () => {
  const around = await world();
  await walk(around, overMcp(await connect(around)));
});

test('an MCP client that says it can ask its person still cannot answer for them', async () => {
  const around = await world();
  const client = await connect(around, { elicitation: {} });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { approve: true } }));
  const reply = await client.callTool({
    name: 'reference_topic_create',
    arguments: { title: 'Dioxus', body: 'Interfaces.', sources: [{ type: 'git', url: around.url }] },
  });
  expect(reply.isError).toBe(true);
  expect(await around.person('list_approvals', { status: 'pending' })).toMatchObject({
    output: { total: 1 },
  });
});
