import { createInterface } from 'node:readline';
import { endGroup, spawnGroup } from './process/index.ts';

/** A program that speaks MCP on its standard streams, as a client's configuration names it. */
export interface StdioServer {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export type Handshake =
  | { ok: true; server: string; version: string; protocol: string; tools: number }
  | { ok: false; problem: string };

const protocolVersion = '2025-06-18';

/**
 * Really starts the program, greets it as a client would, asks for its tools and ends it. A line on standard output
 * that is not JSON-RPC fails the handshake: it would break every client.
 */
export async function probeServer(
  server: StdioServer,
  options: { cwd: string; timeoutMs?: number },
): Promise<Handshake> {
  const child = spawnGroup(server.command, server.args, {
    cwd: options.cwd,
    env: server.env,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-2000);
  });
  child.stdin.on('error', () => {});
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const because = (what: string): Handshake => {
    const last = said.trim().split('\n').slice(-3).join(' · ');
    return { ok: false, problem: last ? `${what}; it said: ${last}` : what };
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Handshake>((resolve) => {
      timer = setTimeout(
        () => resolve(because(`no answer within ${(options.timeoutMs ?? 20_000) / 1000} s`)),
        options.timeoutMs ?? 20_000,
      );
      child.once('error', (error) => resolve(because(`could not start ${server.command}: ${error.message}`)));
      child.once('close', (code, signal) =>
        resolve(because(`ended (${signal ?? `exit code ${code}`}) before it answered`)),
      );
      let greeted: { server: string; version: string; protocol: string } | undefined;
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = parse(line);
        if (!message) return resolve(because(`wrote a line that is not JSON-RPC: ${line.slice(0, 120)}`));
        if (message.error) return resolve(because(`refused: ${message.error.message ?? 'unknown reason'}`));
        if (message.id === 1) {
          const info = message.result?.serverInfo;
          greeted = {
            server: info?.name ?? 'unknown',
            version: info?.version ?? 'unknown',
            protocol: message.result?.protocolVersion ?? 'unknown',
          };
          send({ method: 'notifications/initialized' });
          send({ id: 2, method: 'tools/list', params: {} });
        } else if (message.id === 2 && greeted) {
          resolve({ ok: true, ...greeted, tools: message.result?.tools?.length ?? 0 });
        }
      });
      send({
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion,
          capabilities: {},
          clientInfo: { name: 'sylk-handshake', version: '1' },
        },
      });
    });
  } finally {
    clearTimeout(timer);
    child.stdin.end();
    endGroup(child);
  }
}

interface Reply {
  id?: number;
  error?: { message?: string };
  result?: {
    serverInfo?: { name?: string; version?: string };
    protocolVersion?: string;
    tools?: unknown[];
  };
}

function parse(line: string): Reply | undefined {
  try {
    const message = JSON.parse(line) as Reply & { jsonrpc?: string };
    return message.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}
