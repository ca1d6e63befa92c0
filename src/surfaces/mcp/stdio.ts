import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { parseJsonObject } from '../../base/json.ts';
import { createMcpServer, type McpOptions } from './server.ts';
import { maxLineBytes, messagesOnly } from './stdio-messages.ts';

/** Serves until the client closes standard input. Only protocol messages are written to standard output. */
export async function serveMcpOverStdio(options: McpOptions): Promise<void> {
  const quiet = (...words: unknown[]) => process.stderr.write(`${words.map(String).join(' ')}\n`);
  console.log = quiet;
  console.info = quiet;
  console.debug = quiet;
  const open = new Set<unknown>();
  let settled = () => {};
  const messages = messagesOnly({
    answer: (error) => process.stdout.write(`${JSON.stringify(error)}\n`),
    request: (id) => open.add(id),
  });
  const output = new Writable({
    write(line: Buffer, _encoding, done) {
      if (open.size > 0) open.delete(answeredId(line));
      if (open.size === 0) settled();
      process.stdout.write(line, done);
    },
  });
  const handle = serveStdio((context) => createMcpServer(options, context), {
    transport: new StdioServerTransport(process.stdin.pipe(messages, { end: false }), output, {
      maxBufferSize: maxLineBytes + 1,
    }),
    onerror: (error) => options.workspace.opened()[0]?.log.warn('mcp', { error: error.message }),
  });
  await new Promise<void>((resolve) => {
    // A script pipes its requests in and reads until the last answer; a client that has exited sends nothing more.
    const finish = () => {
      settled = resolve;
      if (open.size === 0) resolve();
      else setTimeout(resolve, patienceMs).unref();
    };
    process.stdin.once('end', finish);
    process.stdin.once('close', finish);
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.stdout.once('error', () => resolve());
  });
  await handle.close();
}

/** How long to wait for pending answers after the client closed its side. */
const patienceMs = 20_000;

function answeredId(line: Buffer): unknown {
  const { id, method } = parseJsonObject(line.toString('utf8'));
  return method === undefined ? id : undefined;
}
