// Writes the types of every operation for the dashboard, from the same schemas that the server checks with.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { allOperations } from '../src/operations/list.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  $ref?: string;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.map((variant) => `(${typeOf(variant)})`).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return schema.prefixItems
        ? `[${schema.prefixItems.map(typeOf).join(', ')}]`
        : `Array<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) =>
      `${JSON.stringify(name)}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  if (typeof schema.additionalProperties === 'object' && fields.length === 0)
    return `Record<string, ${typeOf(schema.additionalProperties)}>`;
  return `{ ${fields.join('; ')} }`;
}

const lines = ['// Written by scripts/web-types.ts; not kept in git.', 'export interface Operations {'];
for (const operation of await allOperations()) {
  const input = typeOf(
    z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema,
  );
  const output = typeOf(
    z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Schema,
  );
  lines.push(`  ${operation.name}: { input: ${input}; output: ${output} };`);
}
lines.push('}', '');
const directory = join(import.meta.dirname, '../web/src/api');
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, 'operations.gen.ts'), lines.join('\n'));
