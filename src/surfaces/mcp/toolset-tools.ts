import { SylkError } from '../../base/errors.ts';
import { allOperations, findOperation, nouns, operationNames, toolsetOf } from '../../operations/list.ts';
import { isForPersons } from '../../operations/operation.ts';
import { describeTool, type ToolDescription } from './tools.ts';

const toolsets = [...new Set(nouns.map(toolsetOf))].sort();

/** One tool reaches every operation, because several clients ignore or reject a list of tools that grows. */
export const callOperationTool: ToolDescription = {
  name: 'call_operation',
  description: `Every other operation of Sylk. Use it when no tool above fits: first describe a group (or one operation) to see names and inputs, then run one by name and input. Groups: ${toolsets.join(', ')}.`,
  inputSchema: {
    type: 'object',
    properties: {
      describe: { type: 'string', description: 'a group or an operation to describe' },
      name: { type: 'string', description: 'operation to run' },
      input: { type: 'object' },
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** The operations of a group, or one operation, with what a model needs to call them. */
export async function describeGroup(name: string): Promise<string[]> {
  if (operationNames().includes(name)) {
    const operation = await findOperation(name);
    if (!isForPersons(operation)) return [descriptionOf(describeTool({ name, operation }))];
  }
  if (name !== 'all' && !toolsets.includes(name)) {
    throw new SylkError('NOT_FOUND', `Unknown group ${JSON.stringify(name.slice(0, 80))}.`, {
      hint: `Groups: ${toolsets.join(', ')}`,
    });
  }
  const operations = await allOperations((noun) => name === 'all' || toolsetOf(noun) === name);
  return operations
    .filter((operation) => !isForPersons(operation))
    .map((operation) => descriptionOf(describeTool({ name: operation.name, operation })));
}

const descriptionOf = ({ name, description, inputSchema }: ToolDescription): string =>
  `${name}: ${description}\n  input: ${JSON.stringify(inputSchema)}`;
