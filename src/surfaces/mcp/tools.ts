import { z } from 'zod';
import { isObject, objectOf } from '../../base/json.ts';
import { allOperations, defaultTools } from '../../operations/list.ts';
import { type AnyOperation, isForPersons } from '../../operations/operation.ts';
import { resolveName } from '../../operations/resolve.ts';

type JsonObject = Record<string, unknown>;

export interface ToolDescription {
  name: string;
  description: string;
  inputSchema: JsonObject & { type: 'object' };
  outputSchema?: JsonObject & { type: 'object' };
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
}

/** Operations that this server offers, always in the same order. */
export async function selectTools(
  selection: ToolSelection,
  enabled: ReadonlySet<string> = new Set(),
): Promise<AnyOperation[]> {
  const wanted = new Set([...selection.toolsets, ...enabled]);
  const allow = selection.allow.map((name) => resolveName(name, 'first').operation);
  const rank = new Map(defaultTools.map((name, at) => [name, at]));
  return (await allOperations())
    .filter((operation) => !isForPersons(operation))
    .filter((operation) => !selection.readOnly || operation.effect === 'read')
    .filter((operation) => !selection.deny.includes(operation.name))
    .filter(
      (operation) =>
        allow.includes(operation.name) ||
        wanted.has('all') ||
        wanted.has(operation.toolset) ||
        (allow.length === 0 && rank.has(operation.name)),
    )
    .sort((a, b) => (rank.get(a.name) ?? 99) - (rank.get(b.name) ?? 99) || (a.name < b.name ? -1 : 1));
}

export async function toolsetNames(): Promise<string[]> {
  const names = (await allOperations())
    .filter((operation) => !isForPersons(operation))
    .map((operation) => operation.toolset);
  return [...new Set(names)].sort();
}

/** `repositories` adds an input to choose one, when a server has several. */
export function describeTool(operation: AnyOperation, repositories: string[] = []): ToolDescription {
  const inputSchema = plain(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }));
  if (repositories.length > 1) {
    objectOf(inputSchema.properties)['repository'] = {
      type: 'string',
      enum: repositories,
      description: 'which repository; the first when omitted',
    };
  }
  const outputSchema = plain(z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' }));
  return {
    name: operation.name,
    description: operation.summary,
    inputSchema: { ...inputSchema, type: 'object' },
    outputSchema: outputSchema.type === 'object' ? { ...outputSchema, type: 'object' } : undefined,
    annotations: {
      readOnlyHint: operation.effect === 'read',
      destructiveHint: operation.destructive ?? false,
      idempotentHint: operation.idempotent ?? operation.effect === 'read',
      openWorldHint: operation.effect === 'fetch',
    },
  };
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
