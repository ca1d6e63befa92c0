import { SylkError } from '../../base/errors.ts';
import { allOperations } from '../../operations/list.ts';
import { isForPersons } from '../../operations/operation.ts';
import { describeTool, type ToolDescription, toolsetNames } from './tools.ts';

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Two tools of the MCP surface itself: they open the rest of the registry to a client that pays for every description. */
export async function enableToolsetTool(): Promise<ToolDescription> {
  return {
    name: 'enable_toolset',
    description: `Enable another group of tools and return their inputs. Groups: ${(await toolsetNames()).join(', ')}.`,
    inputSchema: {
      type: 'object',
      properties: { toolset: { type: 'string', description: 'name of the group, or all' } },
      required: ['toolset'],
    },
    annotations: readOnly,
  };
}

export const callOperationTool: ToolDescription = {
  name: 'call_operation',
  description: 'Run a tool described by enable_toolset, by its name and input.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      input: { type: 'object', description: 'as described by its inputSchema' },
    },
    required: ['name'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** The tools of one group, with what a model needs to call them. */
export async function describeToolset(
  toolset: string,
): Promise<Array<Pick<ToolDescription, 'name' | 'description' | 'inputSchema'>>> {
  const names = await toolsetNames();
  if (toolset !== 'all' && !names.includes(toolset)) {
    throw new SylkError('NOT_FOUND', `Unknown toolset ${JSON.stringify(toolset)}.`, {
      hint: `Toolsets: ${names.join(', ')}`,
    });
  }
  return (await allOperations())
    .filter((operation) => !isForPersons(operation) && (toolset === 'all' || operation.toolset === toolset))
    .map((operation) => {
      const { name, description, inputSchema } = describeTool(operation);
      return { name, description, inputSchema };
    });
}
