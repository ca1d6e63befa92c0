import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from './server.ts';
import { maxLineBytes, messagesOnly } from './stdio-messages.ts';

/** Serves until the client closes standard input. Nothing but the protocol is ever written to standard output. */
export async function serveMcpOverStdio(options: McpOptions): Promise<void> {
  const quiet = (...words: unknown[]) => process.stderr.write(`${words.map(String).join(' ')}\n`);
  console.log = quiet;
  console.info = quiet;
  console.debug = quiet;
  const messages = messagesOnly((error) => process.stdout.write(`${JSON.stringify(error)}\n`));
  const handle = serveStdio((context) => createMcpServer(options, context), {
    transport: new StdioServerTransport(process.stdin.pipe(messages), process.stdout, {
      maxBufferSize: maxLineBytes + 1,
    }),
    onerror: (error) => options.workspace.opened()[0]?.log.warn('mcp', { error: error.message }),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.stdout.once('error', () => resolve());
  });
  await handle.close();
}
