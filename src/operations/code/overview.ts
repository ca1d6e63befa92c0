import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { type Directory, type FileRecord, importCycles } from '../../stores/code/index.ts';
import { openCode } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, patternInput, staleLine } from './shared.ts';

const listFiles = operation({
  name: 'list_files',
  summary:
    'Files of the code index by glob and language; or, with skipped, files that are not indexed and why.',
  effect: 'read',
  input: z.object({
    pattern: patternInput,
    language: z.string().max(40).optional(),
    skipped: looseBoolean.default(false).describe('list files that are not indexed, with the reason'),
    ...pagingInput,
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        language: z.string().optional(),
        lines: z.number().optional(),
        size: z.number().optional(),
        reason: z.string().optional(),
      }),
    ),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{}, { pattern: '*.md' }, { skipped: true }],
  command: { positionals: ['pattern'] },
  render: ({ files, total, freshness }) =>
    [
      ...files.map((one) => (one.reason ? `${one.path}  (${one.reason})` : one.path)),
      `${files.length} of ${total}`,
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const { pattern } = input;
    const found: Array<Partial<FileRecord> & { path: string; reason?: string }> = input.skipped
      ? code.skipped(pattern)
      : code.files({ pattern, language: input.language });
    const { items, ...rest } = await pageOf(found, input);
    return { files: items, ...rest, freshness };
  },
});

const directory: z.ZodType<Directory> = z.lazy(() =>
  z.object({
    path: z.string(),
    files: z.number(),
    lines: z.number(),
    symbols: z.number(),
    languages: z.record(z.string(), z.number()),
    entries: z.array(z.string()),
    directories: z.array(directory),
  }),
);

const getStructure = operation({
  name: 'get_structure',
  summary: 'Layout of the code base: directories with their files, lines, symbols and languages.',
  effect: 'read',
  input: z.object({
    path: z.string().max(4096).default('').describe('directory to start from'),
    depth: z.coerce.number().int().min(1).max(10).default(2),
  }),
  output: z.object({ structure: directory, ...freshnessOutput }),
  examples: [{}, { depth: 1 }],
  command: { positionals: ['path'] },
  render: ({ structure, freshness }) => [...treeLines(structure, 0), ...staleLine(freshness)].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const path = input.path.replace(/^\.(?:\/|$)|\/+$/g, '');
    const structure = code.structure(path, input.depth);
    if (!structure && path !== '')
      throw new SylkError('NOT_FOUND', `No indexed files under ${input.path}.`, {
        hint: 'Run `sylk structure` without a path to show the root.',
      });
    const empty = { path: '.', files: 0, lines: 0, symbols: 0, languages: {}, entries: [], directories: [] };
    return { structure: trimmed(structure ?? empty), freshness };
  },
});

/** A directory with hundreds of files shows only the first ones. */
const trimmed = (one: Directory): Directory => ({
  ...one,
  entries:
    one.entries.length > 30
      ? [...one.entries.slice(0, 30), `… ${one.entries.length - 30} more`]
      : one.entries,
  directories: one.directories.map(trimmed),
});

function treeLines(one: Directory, level: number): string[] {
  const main = Object.entries(one.languages)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([language]) => language);
  return [
    `${'  '.repeat(level)}${one.path}/  ${one.files} files, ${one.lines} lines, ${one.symbols} symbols  ${main.join(' ')}`,
    ...one.directories.flatMap((inner) => treeLines(inner, level + 1)),
  ];
}

const analyzeDependencies = operation({
  name: 'analyze_dependencies',
  summary:
    'How files and packages depend on each other: most imported files, import cycles, external packages and who uses them.',
  effect: 'read',
  input: z.object({
    path: z.string().max(4096).default('').describe('only files under this directory'),
    limit: limitInput(20, 200),
  }),
  output: z.object({
    files: z.number(),
    links: z.number(),
    most_imported: z.array(z.object({ path: z.string(), importers: z.number() })),
    most_importing: z.array(z.object({ path: z.string(), imports: z.number() })),
    cycles: z.array(z.array(z.string())),
    packages: z.array(z.object({ name: z.string(), files: z.number(), example: z.string() })),
    ...freshnessOutput,
  }),
  examples: [{}],
  command: { positionals: ['path'] },
  render: ({ files, links, most_imported, most_importing, cycles, packages }) =>
    [
      `${files} files, ${links} imports between them`,
      ...listed('Most imported:', most_imported, (each) => `${each.path}  by ${each.importers} files`),
      ...listed('Import most:', most_importing, (each) => `${each.path}  ${each.imports} files`),
      ...listed('Import cycles:', cycles, (cycle) => cycle.join(' → ')),
      ...listed(
        'Packages:',
        packages,
        (each) => `${each.name}  in ${each.files} files, e.g. ${each.example}`,
      ),
    ].join('\n'),
  run: async ({ path, limit }, context) => {
    const { code, freshness } = await openCode(context);
    const { links, outside } = code.imports(path === '' ? '' : `${path.replace(/\/+$/, '')}/`);
    const count = (side: 'from' | 'to') => {
      const totals = new Map<string, number>();
      for (const link of links) totals.set(link[side], (totals.get(link[side]) ?? 0) + 1);
      return [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, limit);
    };
    return {
      files: new Set(links.flatMap((link) => [link.from, link.to])).size,
      links: links.length,
      most_imported: count('to').map(([file, importers]) => ({ path: file, importers })),
      most_importing: count('from').map(([file, imports]) => ({ path: file, imports })),
      cycles: importCycles(links)
        .slice(0, limit)
        .map((one) => one.slice(0, 30)),
      packages: [...outside]
        .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
        .slice(0, limit)
        .map(([name, users]) => ({ name, files: users.length, example: users[0]! })),
      freshness,
    };
  },
});

const listed = <Item>(title: string, items: Item[], line: (item: Item) => string): string[] =>
  items.length === 0 ? [] : [title, ...items.map((item) => `  ${line(item)}`)];

const detectPatterns = operation({
  name: 'detect_patterns',
  summary:
    'Countable conventions of this code base: how types and functions are named, what they extend, how files are organized.',
  effect: 'read',
  input: z.object({
    path: z.string().max(4096).default('').describe('only under this directory'),
    limit: limitInput(20, 200),
    ...pagingInput,
  }),
  output: z.object({
    patterns: z.array(
      z.object({
        kind: z.enum(['suffix', 'prefix', 'base', 'layout']),
        name: z.string(),
        description: z.string(),
        count: z.number(),
        examples: z.array(z.object({ ref: z.string(), path: z.string(), line: z.number() })),
      }),
    ),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{}],
  command: { positionals: ['path'] },
  render: ({ patterns, freshness }) =>
    [
      ...patterns.map((one) => `${one.description}: ${one.examples[0]?.path ?? ''}`),
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const found = code
      .patterns(input.path === '' ? '' : `${input.path.replace(/\/+$/, '')}/`)
      .slice(0, input.limit);
    const { items, ...rest } = await pageOf(found, input);
    return { patterns: items, ...rest, freshness };
  },
});

export const operations = [listFiles, getStructure, analyzeDependencies, detectPatterns];
