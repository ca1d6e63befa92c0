import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command, Offered } from './commands.ts';
import { type Cost, limits, type Measured, startMeasured } from './measured.ts';
import { environment, type Place, type Product } from './place.ts';

/** What one command, tool or request answered. */
export interface Answer {
  /** `search login`, `mcp search`, `http search`. */
  name: string;
  /** Exit code, or 0 and 1 for tools and requests; null when it was stopped or gave no answer. */
  code: number | null;
  text: string;
  stopped?: 'time' | 'memory' | undefined;
  /** Known for whole processes. */
  cost?: Cost;
}

/** Put into the text of an answer that failed without saying anything. */
export const noMessage = '\u0000no message\u0000';

export interface Target {
  product: Product;
  place: Place;
  cwd: string;
}

export const started = (
  target: Target,
  args: string[],
  options: { stdin?: 'pipe'; seconds?: number; megabytes?: number } = {},
) =>
  startMeasured('sh', [target.product.launcher, ...args], {
    cwd: target.cwd,
    env: environment(target.place.home, target.product),
    ...options,
  });

export async function runCommand(target: Target, command: Command): Promise<Answer> {
  const texts: string[] = [];
  const cost = { cpu: 0, memory: 0 };
  let code: number | null = 0;
  let stopped: Answer['stopped'];
  let id = 'ses_0';
  for (const step of command.steps) {
    const process = started(
      target,
      step.map((word) => word.replaceAll('{id}', id)),
    );
    const ended = await process.ended;
    texts.push(process.out(), process.err());
    id = /"id":\s?"([^"]+)"/.exec(process.out())?.[1] ?? id;
    cost.cpu += ended.cost.cpu;
    cost.memory = Math.max(cost.memory, ended.cost.memory);
    stopped = process.stopped();
    if (ended.code !== 0) code = ended.code;
    if (stopped) break;
    if (ended.code !== 0 && `${process.out()}${process.err()}`.trim() === '') texts.push(noMessage);
  }
  return { name: command.name, code, text: texts.join('\n'), stopped, cost };
}

/** Every tool, one after the other, of one MCP server over standard input and output. */
export async function* callTools(target: Target, offered: Offered[]): AsyncGenerator<Answer> {
  const server = started(target, ['mcp', '--toolsets', 'all', '--structured'], {
    stdin: 'pipe',
    seconds: 300,
  });
  const request = lineProtocol(server);
  const clientInfo = { name: 'stranger', version: '1' };
  const hello = await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  if (!hello) return yield* ended(server, 'mcp start', 'start');
  server.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const listed = await request('tools/list', {});
  yield { name: 'mcp tools/list', code: listed ? 0 : null, text: JSON.stringify(listed ?? '') };
  const names = new Set(
    ((listed?.result as { tools?: Array<{ name: string }> })?.tools ?? []).map(({ name }) => name),
  );
  for (const { name, example } of offered.filter((operation) => names.has(operation.name))) {
    const reply = await request('tools/call', { name, arguments: example });
    if (!reply) return yield* ended(server, `mcp ${name}`, 'call');
    yield { name: `mcp ${name}`, code: isFailure(reply) ? 1 : 0, text: readable(reply) };
  }
  for (const method of ['resources/list', 'prompts/list']) {
    const reply = await request(method, {});
    if (reply) yield { name: `mcp ${method}`, code: 0, text: readable(reply) };
  }
  server.child.stdin?.end();
  yield* ended(server, 'mcp end', 'end');
}

type Reply = { id?: number; result?: unknown; error?: unknown };

export function lineProtocol(server: Measured) {
  let next = 0;
  let read = 0;
  server.child.stdin?.on('error', () => {});
  return async (method: string, params: object): Promise<Reply | undefined> => {
    const id = ++next;
    server.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const deadline = Date.now() + limits.seconds * 1000;
    for (;;) {
      const text = server.out();
      for (let end = text.indexOf('\n', read); end >= 0; end = text.indexOf('\n', read)) {
        const line = text.slice(read, end);
        read = end + 1;
        const message = parse(line);
        if (message?.id === id && ('result' in message || 'error' in message)) return message;
      }
      if (server.child.exitCode !== null || server.stopped() || Date.now() > deadline) return undefined;
      await wait(5);
    }
  };
}

function parse(line: string): Reply | undefined {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    return undefined;
  }
}

export const isFailure = (reply: Reply): boolean =>
  'error' in reply || (reply.result as { isError?: boolean })?.isError === true;

/** The text that a model reads, decoded; the structured part as JSON after it. */
export function readable(reply: Reply): string {
  const result = (reply.result ?? {}) as {
    content?: Array<{ text?: string }>;
    structuredContent?: unknown;
  };
  const texts = (result.content ?? []).map(({ text }) => text ?? '');
  return [
    ...texts,
    JSON.stringify(result.structuredContent ?? reply.error ?? (texts.length === 0 ? result : '')),
  ].join('\n');
}

/**
 * The end of a server: asked for (`end`), before it was ready (`start`, where refusing with a reason is fine), or in the
 * middle of a call.
 */
export async function* ended(
  server: Measured,
  name: string,
  when: 'start' | 'call' | 'end',
): AsyncGenerator<Answer> {
  const didExit = server.child.exitCode !== null;
  const timer = setTimeout(() => server.kill('SIGKILL'), when === 'end' ? limits.seconds * 1000 : 0);
  const { code, cost } = await server.ended;
  clearTimeout(timer);
  const isLate = when === 'end' ? code === null : !didExit;
  const text = `${server.err()}${when === 'start' && code !== 0 && server.err().trim() === '' ? noMessage : ''}`;
  const stopped = server.stopped() ?? (isLate ? 'time' : undefined);
  yield { name, code: when === 'call' ? null : code, text, stopped, cost };
}

/** Every operation once, over HTTP, with the token that the server wrote for programs. */
export async function* callHttp(target: Target, offered: Offered[]): AsyncGenerator<Answer> {
  const server = started(target, ['up', '--port', '0', '--json', '--quiet'], { seconds: 300 });
  const address = await untilServing(server);
  if (!address) return yield* ended(server, 'http start', 'start');
  const token = readToken(address.token_file);
  const ask = async (method: string, path: string, body?: object): Promise<Answer | undefined> => {
    try {
      const reply = await fetch(`${address.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(limits.seconds * 1000),
      });
      const text = await reply.text();
      return { name: `http ${path.replace('/api/', '')}`, code: reply.ok ? 0 : 1, text };
    } catch {
      return undefined;
    }
  };
  for (const { name, example } of offered) {
    const answer = await ask('POST', `/api/${name}`, example);
    if (!answer) return yield* ended(server, `http ${name}`, 'call');
    yield answer;
  }
  for (const path of ['/api/skills', '/api/skill-collections', '/api/openapi.json', '/']) {
    const answer = await ask('GET', path);
    if (answer) yield answer;
  }
  server.kill('SIGTERM');
  yield* ended(server, 'http end', 'end');
}

export async function untilServing(
  server: Measured,
): Promise<{ url: string; token_file: string } | undefined> {
  const deadline = Date.now() + limits.seconds * 1000;
  while (server.child.exitCode === null && !server.stopped() && Date.now() < deadline) {
    const line = server.out().split('\n')[0];
    if (line?.startsWith('{') && server.out().includes('\n')) return JSON.parse(line);
    await wait(50);
  }
  return undefined;
}

export function readToken(file: string): string {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { token: string }).token;
  } catch {
    return '';
  }
}
