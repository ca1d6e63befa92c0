import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import type { WorkTool } from '../../engines/agents/index.ts';
import { type AnyOperation, type Caller, isForPersons, type Registry } from '../operation.ts';
import table from './tools.json' with { type: 'json' };

const rowSchema = z.strictObject({
  name: z.string(),
  operation: z.string(),
  description: z.string().optional(),
  inputs: z.array(z.string()).optional(),
  fixed: z.record(z.string(), z.unknown()).optional(),
});
type Row = z.output<typeof rowSchema>;

const effects = { read: 'read', derive: 'read', write: 'library', fetch: 'fetch' } as const;
const mostShown = 12_000;

/**
 * The operations as tools of an agent; those of the table under another name or with fewer inputs. Who sees which of them, and
 * when, is for the file of the role. What looks at the person's own working tree, starts agents or decides for a person is not among them.
 */
export async function registryTools(registry: Registry, caller: Caller): Promise<WorkTool[]> {
  const operations = (await registry.all()).filter(
    (operation) => !isForPersons(operation) && !withheld.has(operation.name),
  );
  const rows = z.array(rowSchema).parse(table);
  const named = rows.flatMap((row) => {
    const operation = operations.find(({ name }) => name === row.operation);
    return operation ? [toolOf(registry, caller, operation, row)] : [];
  });
  const others = operations
    .filter(({ name }) => !rows.some((row) => row.name === name))
    .map((operation) => toolOf(registry, caller, operation, {}));
  return [...named, ...others];
}

/** They judge or index the person's own checkout, not the agent's. */
const withheld = new Set(['check_changes', 'index_repository', 'cancel_call', 'list_calls']);

function toolOf(registry: Registry, caller: Caller, operation: AnyOperation, row: Partial<Row>): WorkTool {
  const { inputs, fixed = {} } = row;
  const input: z.ZodObject = inputs
    ? operation.input.pick(Object.fromEntries(inputs.map((name) => [name, true])))
    : operation.input;
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return {
    name: row.name ?? operation.name,
    description: row.description ?? operation.summary,
    inputSchema,
    tier: 'specialised',
    effect: operation.effect in effects ? effects[operation.effect as keyof typeof effects] : 'fetch',
    run: async (given, { signal }) => {
      const outcome = await registry.run({
        name: operation.name,
        input: { ...given, ...fixed },
        caller,
        signal,
      });
      if (!outcome.ok)
        throw new SylkError(outcome.error.code, outcome.error.message, { hint: outcome.error.hint });
      return { text: textOf(operation, outcome.output), untrusted: true };
    },
  };
}

function textOf(operation: AnyOperation, output: unknown): string {
  const text = operation.render?.(output, { verbose: false }) ?? JSON.stringify(output);
  return text.length <= mostShown
    ? text
    : `${text.slice(0, mostShown)}\n(${text.length - mostShown} characters left out)`;
}

/** What the Librarian, the Archivalist or the Academic has to say, from what is stored. */
export async function consultText(
  registry: Registry,
  caller: Caller,
  { role, task, signal }: { role: string; task: string; signal: AbortSignal },
): Promise<string> {
  const question = task.slice(0, 2000);
  const calls: Record<string, { name: string; input: object }> = {
    archivalist: { name: 'search_history', input: { query: question, cross_session: true } },
    academic: { name: 'reference_search', input: { question } },
  };
  const { name, input } = calls[role] ?? { name: 'ask', input: { question } };
  const outcome = await registry.run({ name, input, caller, signal });
  if (outcome.ok) return textOf(outcome.operation, outcome.output);
  throw new SylkError(outcome.error.code, outcome.error.message, { hint: outcome.error.hint });
}

const mostRecalled = 6000;

/** What the memory has about a task, with where each piece comes from; '' where it has nothing or can't be asked. */
export async function recallText(registry: Registry, caller: Caller, task: string): Promise<string> {
  const query = task.slice(0, 500);
  const outcome = await registry.run({
    name: 'search_all',
    input: { query, limit_per_domain: 3 },
    caller,
  });
  return outcome.ok ? textOf(outcome.operation, outcome.output).slice(0, mostRecalled) : '';
}
