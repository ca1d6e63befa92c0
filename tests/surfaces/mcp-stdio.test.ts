import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { loadTokenCounter } from '../../src/base/tokens.ts';
import { defaultTools } from '../../src/operations/list.ts';
import { describeTool, selectTools } from '../../src/surfaces/mcp/tools.ts';
import { callOperationTool } from '../../src/surfaces/mcp/toolset-tools.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { launcher } from '../support/program.ts';
import { startSylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function connected(cwd: string, args: string[] = [], versions?: string[]) {
  const modern = versions?.[0] === '2026-07-28';
  const older = versions ? { supportedProtocolVersions: versions } : {};
  const options = modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : older;
  const client = new Client({ name: 'test', version: '1' }, options);
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  await client.connect(
    new StdioClientTransport({
      command: 'sh',
      args: [launcher(), 'mcp', ...args],
      cwd,
      env,
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

test('both generations of the protocol are served, with the same answer', async () => {
  const { path } = fixtureRepository();
  const answers: unknown[] = [];
  for (const versions of [['2025-06-18'], ['2025-11-25'], ['2026-07-28']]) {
    const client = await connected(path, ['--structured'], versions);
    expect(client.getNegotiatedProtocolVersion()).toBe(versions[0]);
    const { structuredContent } = await client.callTool({ name: 'get_status', arguments: {} });
    // How far the index is differs from moment to moment; what is served does not.
    const { indexes: _, watching: __, ...lasting } = structuredContent as Record<string, unknown>;
    answers.push(lasting);
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test('a client is known by its own name in both generations, so that its sessions are found again', async () => {
  const { path } = fixtureRepository();
  for (const versions of [['2025-11-25'], ['2026-07-28']]) {
    const client = await connected(path, ['--structured'], versions);
    const { structuredContent } = await client.callTool({
      name: 'store_entry',
      arguments: { content: `said over ${versions[0]}`, category: 'insight' },
    });
    expect((structuredContent as { entry: { source: string } }).entry.source).toBe('test');
  }
});

test('every line on standard output is JSON-RPC, and the process ends when its input does', async () => {
  const { path } = fixtureRepository();
  const child = startSylk(path, ['mcp']);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nothing', arguments: {} } });
  child.stdin.write('this is not JSON\n');
  send({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'get_status', arguments: {} } });
  while (!out.includes('"id":4')) await new Promise((resolve) => setTimeout(resolve, 20));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
  for (const line of out.trim().split('\n'))
    expect((JSON.parse(line) as { jsonrpc: string }).jsonrpc).toBe('2.0');
});

test('a message that is malformed or too long gets the error that JSON-RPC names for it, and the server goes on', async () => {
  const { path } = fixtureRepository();
  const child = startSylk(path, ['mcp']);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const ping = { jsonrpc: '2.0', method: 'ping' };
  const lines: Array<[line: string, answer: object | undefined]> = [
    ['this is not JSON', { id: null, code: -32700 }],
    ['{}', { id: null, code: -32600 }],
    ['42', { id: null, code: -32600 }],
    [JSON.stringify([{ ...ping, id: 5 }]), { id: null, code: -32600 }],
    [JSON.stringify({ ...ping, id: null }), { id: null, code: -32600 }],
    [JSON.stringify({ ...ping, jsonrpc: '1.0', id: 'six' }), { id: 'six', code: -32600 }],
    [JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }), undefined],
    ['', undefined],
    [
      JSON.stringify({ ...ping, id: 7, params: { filler: 'x'.repeat(11 * 1024 * 1024) } }),
      { id: null, code: -32600 },
    ],
  ];
  for (const [line] of lines) child.stdin.write(`${line}\n`);
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'initialize', params })}\n`);
  while (!out.includes('"id":8')) await new Promise((resolve) => setTimeout(resolve, 20));
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  expect(answers.filter(({ error }) => error).map(({ id, error }) => ({ id, code: error?.code }))).toEqual(
    lines.flatMap(([, answer]) => answer ?? []),
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
});

test('requests that a script pipes in are all answered, though its input ends at once', async () => {
  const { path } = fixtureRepository();
  const child = startSylk(path, ['mcp']);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  // An answer that takes long on a busy machine would meet the limit of waiting instead.
  const question = { name: 'get_status', arguments: {} };
  child.stdin.end(
    [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: question },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  );
  await new Promise((resolve) => child.once('close', resolve));
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2]);
});

test('a server outside of any repository shakes hands and says what to do', async () => {
  const client = await connected(temporaryDirectory('nowhere'));
  const reply = await client.callTool({ name: 'get_status', arguments: {} });
  expect(reply.isError).toBe(true);
  expect(JSON.stringify(reply.content)).toContain('--repo');
});

test('several repositories are told apart by name', async () => {
  const [one, two] = [fixtureRepository(), fixtureRepository()];
  const client = await connected(temporaryDirectory('nowhere'), [
    '--repo',
    one.path,
    '--repo',
    two.path,
    '--toolsets',
    'all',
    '--structured',
  ]);
  const { tools } = await client.listTools();
  const choice = (
    tools.find((tool) => tool.name === 'get_status')!.inputSchema.properties as {
      repository: { enum: string[] };
    }
  ).repository.enum;
  expect(choice).toHaveLength(2);
  const reply = await client.callTool({ name: 'get_status', arguments: { repository: choice[1] } });
  expect((reply.structuredContent as { repository: string }).repository).toBe(two.path);
});

test('a sub-directory of a repository serves the repository', async () => {
  const { path } = fixtureRepository();
  const client = await connected(`${path}/src/auth`, ['--structured']);
  expect(
    (
      (await client.callTool({ name: 'get_status', arguments: {} })).structuredContent as {
        repository: string;
      }
    ).repository,
  ).toBe(path);
});

test.each([['2025-06-18'], ['2026-07-28']])(
  'in %s one list of tools stays as it is, and call_operation describes and runs every other operation',
  async (version) => {
    const client = await connected(fixtureRepository().path, [], [version]);
    const textOf = async (given: Record<string, unknown>) => {
      const reply = await client.callTool({ name: 'call_operation', arguments: given });
      return `${reply.isError ? 'failed: ' : ''}${(reply.content as Array<{ text: string }>)[0]?.text}`;
    };
    const before = (await client.listTools()).tools.map((tool) => tool.name);
    expect(before).toEqual([...Object.keys(defaultTools), 'call_operation']);
    expect(await textOf({ describe: 'system' })).toMatch(/^get_status: .*\n {2}input: \{/m);
    expect(await textOf({ describe: 'get_status' })).toMatch(/^get_status: /);
    expect(await textOf({})).toContain('claim_work: ');
    expect(await textOf({ describe: 'sytsem' })).toMatch(/^failed: NOT_FOUND/);
    expect(await textOf({ name: 'get_status', input: {} })).not.toMatch(/^failed/);
    expect(await textOf({ operation: 'get_status' })).toMatch(/^failed: .*Did you mean name\?/);
    expect(await textOf({ name: 'zzzzqqqq' })).toMatch(/Next step: Call call_operation/);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(before);
  },
);

test('a default tool is found by its own name and by the name of its operation', async () => {
  const client = await connected(fixtureRepository().path);
  const text = async (name: string) =>
    JSON.stringify((await client.callTool({ name, arguments: { path: 'README.md' } })).content);
  expect(await text('get_file_story')).toBe(await text('get_provenance'));
});

test('a missing input is named under the name of the tool that was called', async () => {
  const client = await connected(fixtureRepository().path);
  const { content } = await client.callTool({ name: 'remember', arguments: {} });
  expect(JSON.stringify(content)).toContain('remember: Missing content.');
});

test('results are text alone, and structured only where a program asks for it', async () => {
  const { path } = fixtureRepository();
  const [plain, structured] = [await connected(path), await connected(path, ['--structured'])];
  const call = (client: Client) =>
    client.callTool({ name: 'get_file_story', arguments: { path: 'README.md' } });
  expect(await call(plain)).not.toHaveProperty('structuredContent');
  expect((await plain.listTools()).tools.filter((tool) => tool.outputSchema)).toEqual([]);
  expect(await call(structured)).toHaveProperty('structuredContent');
});

test('everything that is sent about the default tools stays within 4,000 tokens', async () => {
  const selected = await selectTools({ toolsets: [], allow: [], deny: [], readOnly: false });
  const count = await loadTokenCounter();
  const described = [...selected.map((tool) => describeTool(tool)), callOperationTool];
  expect(described.map(({ name }) => name)).toEqual([...Object.keys(defaultTools), 'call_operation']);
  expect(count(JSON.stringify(described))).toBeLessThanOrEqual(4000);
});

test('instructions stay under 400 tokens and name the repository', async () => {
  const { path } = fixtureRepository();
  const client = await connected(path);
  const text = client.getInstructions() ?? '';
  expect(text).toContain(path);
  expect((await loadTokenCounter())(text)).toBeLessThan(400);
});

test('resources and prompts answer, and unknown ones are protocol errors', async () => {
  const client = await connected(fixtureRepository().path);
  const { resources } = await client.listResources();
  for (const resource of resources) {
    const { contents } = await client.readResource({ uri: resource.uri });
    expect((contents[0] as { text: string }).text.length, resource.uri).toBeGreaterThan(0);
  }
  const { prompts } = await client.listPrompts();
  for (const prompt of prompts) {
    const given = Object.fromEntries(
      (prompt.arguments ?? []).map((argument) => [argument.name, 'README.md']),
    );
    expect(
      (await client.getPrompt({ name: prompt.name, arguments: given })).messages,
      prompt.name,
    ).toHaveLength(1);
  }
  await expect(client.readResource({ uri: 'sylk://nothing' })).rejects.toThrow(/Unknown resource/);
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/Unknown prompt/);
});
