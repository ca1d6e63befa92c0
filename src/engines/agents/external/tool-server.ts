import type { Socket } from 'node:net';
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { closest } from '../../../base/closest.ts';
import { reportOf } from '../../../base/errors.ts';
import type { ToolAnswer, WorkContext, WorkTool } from '../worker.ts';

/**
 * Serves tools of ours over the Model Context Protocol to an agent in the sandbox. Each call passes the same policy as one of
 * our own loop.
 */
export function serveTools(
  socket: Socket,
  tools: WorkTool[],
  { place, signal, permit }: Pick<WorkContext, 'place' | 'signal' | 'permit'>,
  version: string,
): void {
  const run = async (tool: WorkTool, input: Record<string, unknown>): Promise<ToolAnswer> => {
    await permit({ tool: tool.name, effect: tool.effect, input });
    return tool.run(input, { place, signal, announce: async () => undefined, sentOf: () => [] });
  };
  const call = async (name: string, input: Record<string, unknown>): Promise<CallToolResult> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) return failure(unknownTool(name, tools));
    try {
      const { text, isError } = await run(tool, input);
      return { content: [{ type: 'text', text }], isError };
    } catch (error) {
      const { message, hint } = reportOf(error);
      return failure(hint ? `${message} ${hint}` : message);
    }
  };
  const serve = () => {
    const server = new Server({ name: 'sylk', version }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', async () => ({
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: { ...inputSchema, type: 'object' as const },
      })),
    }));
    server.setRequestHandler('tools/call', async ({ params }) => call(params.name, params.arguments ?? {}));
    return server;
  };
  socket.on('error', () => {
    // The agent has ended.
  });
  serveStdio(serve, { transport: new StdioServerTransport(socket, socket), onerror: () => undefined });
}

const failure = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

function unknownTool(name: string, tools: WorkTool[]): string {
  const near = closest(
    name,
    tools.map((tool) => tool.name),
  );
  return `There is no tool ${JSON.stringify(name.slice(0, 80))}.${near ? ` Did you mean ${near}?` : ''}`;
}
