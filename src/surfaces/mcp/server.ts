import {
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { objectOf } from '../../base/json.ts';
import { operationNames } from '../../operations/list.ts';
import type { Access } from '../../operations/members.ts';
import { runOperation } from '../../operations/run.ts';
import { version } from '../../version.ts';
import { outputText } from '../shared/text.ts';
import type { Workspace } from '../shared/workspace.ts';
import { callTool } from './call.ts';
import { instructions } from './instructions.ts';
import { prompts } from './prompts.ts';
import { resolveResource, resources, resourceTemplates } from './resources.ts';
import { describeTool, selectTools, type ToolSelection } from './tools.ts';
import { callOperationTool } from './toolset-tools.ts';

export interface McpOptions {
  workspace: Workspace;
  selection: ToolSelection;
  /** `agent` over stdio; `network` for the holder of the HTTP token. */
  callerKind: 'agent' | 'network';
  /** In a team: who the token belongs to. */
  access?: Access | undefined;
}

/** One connection (stdio) or one request (HTTP). Both protocol generations are served from the same definitions. */
export function createMcpServer(
  { workspace, selection, callerKind, access }: McpOptions,
  { era }: Pick<McpRequestContext, 'era'>,
): Server {
  const server = new Server(
    { name: 'sylk', title: 'Sylk', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: instructions(workspace),
      cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'public' } },
    },
  );
  const caller = (context: ServerContext) => ({
    kind: callerKind,
    name: nameOf(server.getClientVersion()?.name ?? clientNameOf(context) ?? callerKind, access),
    access,
    readOnly: selection.readOnly,
    conversation: conversationOf(context),
  });

  server.setRequestHandler('tools/list', async () => {
    const tools = await selectTools(selection);
    const options = { repositories: workspace.names(), structured: selection.structured };
    return { tools: [...tools.map((tool) => describeTool(tool, options)), callOperationTool] };
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    await adoptRoots(server, workspace, era);
    const { result, advertised } = await callTool(request.params, {
      workspace,
      selection,
      caller: caller(context),
      context,
    });
    return server.projectCallToolResult(result, advertised);
  });

  server.setRequestHandler('resources/list', async () => ({
    resources: resources().map(({ uri, name, description }) => ({
      uri,
      name,
      description,
      mimeType: 'text/plain',
    })),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: resourceTemplates().map(({ uriTemplate, name, description }) => ({
      uriTemplate,
      name,
      description,
      mimeType: 'text/plain',
    })),
  }));
  server.setRequestHandler('resources/read', async (request, context) => {
    const target = resolveResource(request.params.uri);
    if (!target)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource ${request.params.uri}`);
    const text = await textOf(target.operation, target.input, context);
    return { contents: [{ uri: request.params.uri, mimeType: 'text/plain', text }] };
  });

  server.setRequestHandler('prompts/list', async () => ({
    prompts: prompts().map(({ name, description, arguments: args }) => ({
      name,
      description,
      arguments: args,
    })),
  }));
  server.setRequestHandler('prompts/get', async (request, context) => {
    const prompt = prompts().find((candidate) => candidate.name === request.params.name);
    if (!prompt)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt ${request.params.name}`);
    const given = request.params.arguments ?? {};
    const absent = prompt.arguments.find((argument) => argument.required && !given[argument.name]);
    if (absent)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Prompt ${prompt.name} requires ${absent.name}`,
      );
    const data = await textOf(prompt.operation, prompt.input(given), context);
    return {
      description: prompt.description,
      messages: [
        {
          role: 'user' as const,
          content: {
            type: 'text' as const,
            text: `${prompt.ask(given)}\n\n<sylk-data>\n${data}\n</sylk-data>`,
          },
        },
      ],
    };
  });
  server.setRequestHandler('completion/complete', async (request, context) => {
    const { name, value } = request.params.argument;
    const values = name === 'path' ? await completePath(value, context) : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });

  const run = async (name: string, input: Record<string, unknown>, context: ServerContext) =>
    runOperation(workspace.app(), { name, input, caller: caller(context), signal: context.mcpReq.signal });

  async function textOf(
    name: string,
    input: Record<string, unknown>,
    context: ServerContext,
  ): Promise<string> {
    const outcome = await run(name, input, context);
    if (outcome.ok) return outputText(outcome.operation, outcome.output);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${outcome.error.message} ${outcome.error.hint ?? ''}`.trim(),
    );
  }

  async function completePath(prefix: string, context: ServerContext): Promise<string[]> {
    if (!operationNames().includes('list_artifacts')) return [];
    const outcome = await run('list_artifacts', { path_prefix: prefix, limit: 50 }, context);
    if (!outcome.ok) return [];
    const { items } = outcome.output as { items?: Array<{ path: string }> };
    return (items ?? []).map((item) => item.path).slice(0, 100);
  }

  return server;
}

/** A client names itself; in a team its words come after the name that the server knows. */
const nameOf = (client: string, access: Access | undefined): string =>
  access ? `${access.name}/${client}` : client;

/** A client started outside of a repository may name the directories it works in. */
async function adoptRoots(server: Server, workspace: Workspace, era: 'legacy' | 'modern'): Promise<void> {
  if (workspace.names().length > 0 || era !== 'legacy' || !server.getClientCapabilities()?.roots) return;
  const { roots } = await server.listRoots().catch(() => ({ roots: [] }));
  for (const root of roots) {
    if (root.uri.startsWith('file://') && workspace.adopt(decodeURIComponent(new URL(root.uri).pathname)))
      return;
  }
}

/** Without a handshake every request names the client; sessions are found by that name. */
function clientNameOf(context: ServerContext): string | undefined {
  const { name } = objectOf(objectOf(context.mcpReq.envelope)[CLIENT_INFO_META_KEY]);
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : undefined;
}

/** A client's hook may name the conversation, to tell two conversations of one client apart. */
function conversationOf(context: ServerContext): string | undefined {
  const handle = objectOf(context.mcpReq._meta)['sylk/conversation'];
  return typeof handle === 'string' && handle.length <= 200 ? handle : undefined;
}
