import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { table } from './data.ts';
import { dependencyTypes, ecosystems } from './dependencies/record.ts';
import { toolCategories } from './tools/record.ts';

const text = z.string().min(1);
const texts = z.array(text).min(1);
const category = z.enum(toolCategories);
const pattern = text.refine((source) => new RegExp(source, 'm'), 'not a regular expression');
const uses = { tool: text, categories: z.array(category).min(1) };
const toolUses = z.strictObject(uses);
const ecosystem = z.enum(ecosystems);
const format = z.enum(['json', 'toml', 'yaml']);

const schemas: Record<string, z.ZodType> = {
  tools: z.record(
    text,
    z.record(
      text,
      z.strictObject({
        ...Object.fromEntries(toolCategories.map((name) => [name, text.optional()])),
        via: z.enum(['npm', 'pypi', 'gem', 'composer']).optional(),
        install: z.string().optional(),
        program: text.optional(),
        one: text.optional(),
      }),
    ),
  ),
  registry: z.strictObject({
    date: z.iso.date(),
    languages: z.record(text, z.record(category, z.array(text))),
    trade_offs: z.record(text, z.strictObject({ pros: texts, cons: texts })),
  }),
  'tool-evidence': z.strictObject({
    config_files: z.array(z.strictObject({ ...uses, file: pattern, section: pattern.optional() })),
    packages: z.array(z.strictObject({ ...uses, ecosystem, package: pattern })),
    toolchains: z.array(
      z.strictObject({
        file: pattern,
        ...Object.fromEntries(toolCategories.map((name) => [name, text.optional()])),
      }),
    ),
    editor_settings: z.array(z.strictObject({ ...uses, setting: pattern })),
    pipeline_actions: z.array(z.strictObject({ action: pattern, command: text })),
    package_json_keys: z.record(text, toolUses),
    editor_extensions: z.record(text, toolUses),
    pre_commit_hooks: z.record(text, z.string()),
  }),
  commands: z.strictObject({
    rules: z.array(z.strictObject({ ...uses, program: text, pattern })),
    same_as: z.record(text, text),
    usual_names: z.record(category, z.array(pattern)),
    node_managers: z.record(text, z.strictObject({ run: text, add: text })),
    python_managers: z.record(text, z.strictObject({ run: text, add: text.optional() })),
    programs: z.record(text, toolUses),
    subcommands: z.record(text, z.record(text, toolUses)),
    gradle_tasks: z.record(text, text),
    maven_goals: z.record(text, text),
    wrappers: z.record(
      text,
      z.strictObject({
        after: texts.optional(),
        flags: z.boolean().optional(),
        valued: texts.optional(),
        assignments: z.boolean().optional(),
        until: texts.optional(),
      }),
    ),
  }),
  languages: z.strictObject({
    extensions: z.record(text, texts),
    families: z.record(text, text),
    standard_modules: z.strictObject({ python: text }),
  }),
  'code-patterns': z.record(text, z.array(z.tuple([text, text, pattern])).min(1)),
  packages: z.strictObject({
    capabilities: z.record(
      text,
      z.strictObject({
        words: text,
        packages: z.partialRecord(ecosystem, texts).optional(),
        builtin: z.partialRecord(ecosystem, text).optional(),
      }),
    ),
    module_names: z.strictObject({ pypi: z.record(text, text), composer: z.record(text, text) }),
  }),
  manifests: z.strictObject({
    manifests: z.array(
      z.strictObject({
        ecosystem,
        file: pattern,
        format: format.optional(),
        groups: z.record(text, z.enum(dependencyTypes)).optional(),
        only: pattern.optional(),
        pattern: pattern.optional(),
        dev: z.boolean().optional(),
      }),
    ),
    locks: z.array(
      z.strictObject({
        ecosystem,
        file: text,
        format: format.optional(),
        lists: texts.optional(),
        maps: texts.optional(),
        pattern: pattern.optional(),
        strip: pattern.optional(),
      }),
    ),
  }),
  components: z.strictObject({ synonyms: z.array(texts), suffixes: texts, prefixes: texts }),
};

test('every data file has a schema, and every schema a data file', () => {
  const files = readdirSync(join(import.meta.dirname, 'data')).map((name) => name.replace(/\.toml$/, ''));
  expect(files.sort()).toEqual(Object.keys(schemas).sort());
});

test.each(Object.entries(schemas))('data/%s.toml fits its schema', (name, schema) => {
  expect(schema.safeParse(table(name)()).error?.issues ?? []).toEqual([]);
});
