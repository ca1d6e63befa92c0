import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { objectOf } from '../../../base/json.ts';
import { isNestedTooDeep } from '../../../base/text/index.ts';

export type Json = Record<string, unknown>;

/** A file that cannot be parsed counts as empty: one bad file never stops the rest. */
const lenient =
  (parse: (text: string) => unknown) =>
  (text: string | undefined): Json => {
    if (text === undefined) return {};
    try {
      return objectOf(parse(text));
    } catch {
      // A broken manifest yields nothing; the tool that owns it reports it.
      return {};
    }
  };

export const readJson = lenient((text) => parseJsonc(text, [], { allowTrailingComma: true }));
export const readToml = lenient((text) => parseToml(text));
export const readYaml = lenient((text) =>
  isNestedTooDeep(text)
    ? undefined
    : parseYaml(text, { merge: true, logLevel: 'silent', maxAliasCount: 200 }),
);

/** Readers by format. */
export const readStructured = { json: readJson, toml: readToml, yaml: readYaml };
export type StructuredFormat = keyof typeof readStructured;

/** `objectAt(value, 'tool', 'poetry')`: the object under these keys, or an empty one. */
export function objectAt(value: unknown, ...keys: string[]): Json {
  let current = value;
  for (const key of keys) current = objectOf(current)[key];
  return objectOf(current);
}

export const listAt = (value: unknown, ...keys: string[]): unknown[] => {
  const last = objectAt(value, ...keys.slice(0, -1))[keys.at(-1) ?? ''];
  return Array.isArray(last) ? last : [];
};

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
