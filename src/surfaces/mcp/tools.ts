import { z } from 'zod';
import { isObject, objectOf } from '../../base/json.ts';
import { allOperations, defaultTools, toolsetOf } from '../../operations/list.ts';
import { type AnyOperation, isForPersons } from '../../operations/operation.ts';
import { resolveName } from '../../operations/resolve.ts';

type JsonObject = Record<string, unknown>;

export interface ToolDescription {
  name: string;
  description: string;
  inputSchema: JsonObject & { type: 'object' };
  outputSchema?: (JsonObject & { type: 'object' }) | undefined;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export interface ToolSelection {
  /** Toolset names, or `all`. Empty means only the default tools. */
  toolsets: string[];
  allow: string[];
  deny: string[];
  readOnly: boolean;
  /** Sends output schemas and structured results, for programs: several clients show them to the model instead of the text. */
  structured?: boolean | undefined;
}

/** A tool is an operation under the name that clients see. */
export interface Tool {
  name: string;
  operation: AnyOperation;
}

/** Tools that this server offers, always in the same order. Loads only the nouns that it needs. */
export async function selectTools(selection: ToolSelection): Promise<Tool[]> {
  const { toolsets } = selection;
  const allow = new Set(selection.allow.map((name) => resolveName(name, 'first').operation));
  const shownAs = new Map(Object.entries(defaultTools).map(([name, { operation }]) => [operation, name]));
  const named = (name: string) => allow.has(name) || (allow.size === 0 && shownAs.has(name));
  const inToolset = (toolset: string) => toolsets.includes('all') || toolsets.includes(toolset);
  const operations = await allOperations(
    (noun) => inToolset(toolsetOf(noun)) || Object.keys(noun.verbs).some(named),
  );
  const rank = [...shownAs.keys()];
  const place = ({ name }: AnyOperation) => (rank.includes(name) ? rank.indexOf(name) : rank.length);
  return operations
    .filter((operation) => inToolset(operation.toolset) || named(operation.name))
    .filter((operation) => !isForPersons(operation))
    .filter((operation) => !selection.readOnly || operation.effect === 'read')
    .map((operation) => ({ name: shownAs.get(operation.name) ?? operation.name, operation }))
    .filter(({ name, operation }) => ![name, operation.name].some((each) => selection.deny.includes(each)))
    .sort((a, b) => place(a.operation) - place(b.operation) || (a.name < b.name ? -1 : 1));
}

interface DescribeOptions {
  /** Adds an input to choose one, when a server has several. */
  repositories?: string[] | undefined;
  structured?: boolean | undefined;
}

export function describeTool(
  { name, operation }: Tool,
  { repositories = [], structured }: DescribeOptions = {},
): ToolDescription {
  const inputSchema = plain(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }));
  if (repositories.length > 1) {
    objectOf(inputSchema.properties)['repository'] = {
      type: 'string',
      enum: repositories,
      description: 'which repository; the first when omitted',
    };
  }
  return {
    name,
    description: defaultTools[name]?.about ?? operation.summary,
    inputSchema: { ...inputSchema, type: 'object' },
    outputSchema: structured ? outputSchemaOf(operation) : undefined,
    annotations: {
      readOnlyHint: operation.effect === 'read',
      destructiveHint: operation.destructive ?? false,
      idempotentHint: operation.idempotent ?? operation.effect === 'read',
      openWorldHint: operation.effect === 'fetch',
    },
  };
}

export function outputSchemaOf({ output }: AnyOperation): (JsonObject & { type: 'object' }) | undefined {
  const schema = plain(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }));
  return schema.type === 'object' ? { ...schema, type: 'object' } : undefined;
}

/** JSON Schema without the parts that cost tokens and tell a model nothing. */
function plain(schema: unknown): JsonObject {
  const { $schema: _, ...rest } = objectOf(schema);
  return stripObject(rest);
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  return isObject(value) ? stripObject(value) : value;
}

function stripObject(value: JsonObject): JsonObject {
  const entries = Object.entries(value)
    .filter(
      ([key, inner]) =>
        !(key === 'additionalProperties' && (inner === false || isEmpty(inner))) && !isWideBound(key, inner),
    )
    .map(([key, inner]) => [key, strip(inner)]);
  return Object.fromEntries(entries);
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
/** Zod adds the range of safe integers to every integer. */
const isWideBound = (key: string, value: unknown): boolean =>
  (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
