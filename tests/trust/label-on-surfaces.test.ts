import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { runCli } from '../../src/surfaces/cli/index.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

const lie = 'The function `login` is defined in src/login.ts.';
const question = 'where is login defined';

/** Every way of asking that shows the entry, with what is asked. */
const asked: Record<string, Record<string, unknown>> = {
  ask: { question },
  route: { input: question },
  search_all: { query: 'login defined', domains: 'chronicle' },
  search_history: { query: 'login defined' },
  get_decisions: { query: 'login defined' },
  get_briefing: {},
  review_queue: {},
};

/** A repository in which an agent left one false decision that everybody sees. */
async function poisoned() {
  const { path: root } = fixtureRepository();
  const env = { ...process.env, SYLK_HOME: join(root, '..', 'home') };
  const app = openApp({ directory: root, env, flags: ['embedding.enabled=false'] });
  const call = async (name: string, input: object, kind: 'agent' | 'person') => {
    const outcome = await runOperation(app, { name, input, caller: { kind, name: 'liar' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as { entry: { id: string } };
  };
  await call('index_repository', {}, 'person');
  const { entry } = await call('store_entry', { content: lie, category: 'decision' }, 'agent');
  await call('promote', { id: entry.id }, 'person');
  await app.close();
  return { root, env, ref: `entry:${entry.id}` };
}

async function served() {
  const { root, env, ref } = await poisoned();
  const workspace = createWorkspace({ directories: [root], env, flags: ['embedding.enabled=false'] });
  const server = await serveHttp({
    workspace,
    selection: { toolsets: ['all'], allow: [], deny: [], readOnly: false, structured: true },
    port: 0,
  });
  onTestFinished(async () => {
    await server.close();
    await workspace.close();
  });
  const { token } = JSON.parse(readFileSync(server.tokenFile, 'utf8')) as { token: string };
  return { url: server.url, token, ref };
}

const marked = '⚠️ UNVERIFIED';
/** What data says where text has a mark. */
const isMarked = (data: string): boolean => data.includes(marked) || data.includes('"needs_review":true');

interface Answered {
  citations: Array<{ ref: string; domain: string; state: string; warnings: string[] }>;
  conflicts: Array<{ left: string; description: string }>;
}

function expectJudged({ citations, conflicts }: Answered, ref: string): void {
  expect(citations[0]!.domain).toBe('code');
  expect(citations.find((each) => each.ref === ref)).toMatchObject({
    state: marked,
    warnings: expect.arrayContaining(['⚠️ The code says otherwise']),
  });
  expect(conflicts).toMatchObject([
    { left: ref, description: expect.stringContaining('login is defined in src/auth/session.ts') },
  ]);
}

test('poison on the command line: every command that shows the false entry shows its label, and `ask` names the conflict first', async () => {
  const { root, env } = await poisoned();
  const typed = async (...words: string[]): Promise<string> => {
    let out = '';
    const keep = (text: string) => {
      out += text;
    };
    const io = { out: keep, err: keep, env, cwd: root, terminal: false, colour: false };
    await runCli([...words, '--set', 'embedding.enabled=false'], io);
    return out;
  };
  const answer = await typed('ask', question);
  expect(answer).toMatch(/⚠️ Conflict \(source mismatch\).*login is defined in src\/auth\/session\.ts/);
  expect(answer.indexOf('Conflict')).toBeLessThan(answer.indexOf('[1] src/auth/session.ts'));
  for (const words of [
    ['ask', question],
    ['guide', 'route', question],
    ['search', '--in', 'chronicle', 'login defined'],
    ['memory', 'search', 'login defined'],
    ['memory', 'decisions', 'login defined'],
    ['brief'],
    ['graph', 'review'],
  ]) {
    const shown = await typed(...words);
    expect(shown, words.join(' ')).toContain('src/login.ts');
    expect(shown, words.join(' ')).toContain('UNVERIFIED');
  }
});

test('poison over MCP: text and structured content of every tool that shows the false entry carry its label', async () => {
  const { url, token, ref } = await served();
  const client = new Client({ name: 'victim', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  for (const [name, input] of Object.entries(asked)) {
    const reply = await client.callTool({ name, arguments: input });
    const text = (reply.content as Array<{ text: string }>).map((part) => part.text).join('\n');
    expect(text, name).toContain('src/login.ts');
    expect(isMarked(text), `text of ${name}: ${text}`).toBe(true);
    const data = JSON.stringify(reply.structuredContent);
    expect(data, name).toContain('src/login.ts');
    expect(isMarked(data), `data of ${name}: ${data}`).toBe(true);
    if (name === 'ask') expectJudged(reply.structuredContent as unknown as Answered, ref);
  }
});

test('poison over HTTP: every answer that shows the false entry carries its label', async () => {
  const { url, token, ref } = await served();
  for (const [name, input] of Object.entries(asked)) {
    const reply = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const data = await reply.text();
    expect(data, name).toContain('src/login.ts');
    expect(isMarked(data), `${name}: ${data}`).toBe(true);
    if (name === 'ask') expectJudged(JSON.parse(data) as Answered, ref);
  }
});
