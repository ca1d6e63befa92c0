import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { fileRef } from '../../base/ref.ts';
import { languageOf } from '../../base/syntax/index.ts';
import type { CodeStore, EdgeKind, SymbolRecord } from '../../stores/code/index.ts';
import { linkedSymbolSchema, symbolSchema } from '../../stores/code/index.ts';
import { openCode } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, staleLine, symbolAnswer, symbolInput, symbolTypeInput } from './shared.ts';
import { readSource } from './source.ts';

const calls = new Set<EdgeKind>(['calls']);
const sameName =
  'These have the same name; the one shown is the likeliest by its kind and its uses. Ask by path or ref for another.';

const getSymbol = operation({
  name: 'get_symbol',
  summary:
    'One symbol: location, signature, comment, callers and callees; optionally its source, or everything needed to understand it. Use it instead of reading the file.',
  effect: 'read',
  input: z.object({
    symbol_id: symbolInput,
    include_source: looseBoolean.default(false).describe('include the source code'),
    context: looseBoolean
      .default(false)
      .describe('include its source, its surroundings and both directions; words also find the symbol'),
    max_tokens: pagingInput.max_tokens,
  }),
  output: z.object({
    symbol: symbolSchema,
    container: z.string().optional(),
    members: z.array(z.string()),
    callers: z.array(linkedSymbolSchema),
    calls: z.array(linkedSymbolSchema),
    unresolved: z.array(z.string()),
    source: z.string().optional(),
    truncated: z.boolean().optional(),
    others: z.array(z.string()).describe('other symbols with this name'),
    siblings: z.array(z.string()).optional().describe('with context, like the next three'),
    imports: z.array(linkedSymbolSchema).optional(),
    dependents: z.array(linkedSymbolSchema).optional(),
    dependencies: z.array(linkedSymbolSchema).optional(),
    ...freshnessOutput,
  }),
  examples: [{ symbol_id: 'README.md' }, { symbol_id: 'README.md', context: true }],
  command: { positionals: ['symbol_id'] },
  render: ({ symbol, callers, calls: called, members, source, others, freshness, ...context }) =>
    [
      `${symbol.kind} ${symbol.qualified}  ${symbol.path}:${symbol.line}-${symbol.end_line}`,
      ...(symbol.signature ? [symbol.signature] : []),
      ...(symbol.doc ? [symbol.doc] : []),
      ...(members.length > 0 ? [`has      ${members.join(', ')}`] : []),
      ...callers.map((one) => `called by ${one.path}:${one.at_line || one.line}  ${one.name}`),
      ...called.map((one) => `calls     ${one.path}:${one.line}  ${one.name}`),
      ...(context.dependents ?? []).map(
        (one) => `used by  ${one.path}:${one.at_line || one.line}  ${one.name} (${one.edge})`,
      ),
      ...(context.dependencies ?? []).map(
        (one) => `uses     ${one.path}:${one.line}  ${one.name} (${one.edge})`,
      ),
      ...(context.siblings?.length ? [`beside   ${context.siblings.join(', ')}`] : []),
      ...(others.length > 0 ? [`also      ${others.join(', ')}`, sameName] : []),
      ...(source === undefined ? [] : ['', source]),
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const [symbol, ...others] = input.context
      ? symbolsFor(code, input.symbol_id)
      : code.symbols(input.symbol_id);
    const inside = code
      .fileSymbols(symbol!.path)
      .filter((one) => one.qualified.startsWith(`${symbol!.qualified}.`));
    const tokens = input.max_tokens ?? (input.context ? 1500 : undefined);
    const source =
      input.include_source || input.context
        ? await readSource(context.app.repository.root, symbol!, tokens)
        : undefined;
    return {
      symbol: symbolAnswer(symbol!),
      container:
        symbol!.qualified.includes('.') && symbol!.kind !== 'file'
          ? symbol!.qualified.slice(0, symbol!.qualified.lastIndexOf('.'))
          : undefined,
      members: (symbol!.kind === 'file' ? code.fileSymbols(symbol!.path) : inside)
        .slice(0, 40)
        .map((one) => one.qualified),
      callers: input.context
        ? []
        : code.linked(symbol!, { direction: 'in', kinds: calls, depth: 1, limit: 20 }),
      calls: input.context
        ? []
        : code.linked(symbol!, { direction: 'out', kinds: calls, depth: 1, limit: 20 }),
      unresolved: code
        .unresolved(symbol!)
        .slice(0, 20)
        .map((one) => one.name),
      ...source,
      ...(input.context ? around(code, symbol!) : undefined),
      others: others.slice(0, 10).map((one) => one.ref),
      freshness,
    };
  },
});

/** By name or ref, otherwise the best match by words. */
function symbolsFor(code: CodeStore, query: string): SymbolRecord[] {
  const named = code.find(query);
  if (named.length === 0 && isPath(query)) throw notIndexed(code, query);
  const matches = named.length > 0 ? named : code.search({ query, limit: 1 });
  return (matches.length > 0 ? matches : code.symbols(query)).slice(0, 1);
}

/** A single word that names a file must not match another file. */
const isPath = (query: string): boolean =>
  !/\s|#|^symbol:/.test(query) && (query.includes('/') || languageOf(query) !== undefined);

function notIndexed(code: CodeStore, path: string): SylkError {
  const reason = code.skipped().find((one) => one.path === path)?.reason;
  return new SylkError('NOT_FOUND', `${path} is not indexed${reason ? `: ${reason}` : ''}.`, {
    hint: 'Run `sylk files` to list indexed files, or `sylk index` to read new ones.',
  });
}

function around(code: CodeStore, symbol: SymbolRecord) {
  const [file] = code.find(fileRef(symbol.path));
  const siblings = code
    .fileSymbols(symbol.path)
    .filter((one) => one.ref !== symbol.ref && !one.qualified.startsWith(`${symbol.qualified}.`));
  return {
    siblings: siblings.slice(0, 30).map((one) => one.qualified),
    imports: file
      ? code.linked(file, { direction: 'out', kinds: new Set(['imports']), depth: 1, limit: 20 })
      : [],
    dependents: code.linked(symbol, { direction: 'in', depth: 1, limit: 15 }),
    dependencies: code.linked(symbol, { direction: 'out', depth: 1, limit: 15 }),
  };
}

const getFileSymbols = operation({
  name: 'get_file_symbols',
  summary: 'Outline of a file: every symbol with its lines and signature, in order.',
  effect: 'read',
  input: z.object({
    path: z.string().min(1).max(4096).describe('relative to the repository root'),
    symbol_type: symbolTypeInput,
    ...pagingInput,
  }),
  output: z.object({
    file_path: z.string(),
    symbols: z.array(symbolSchema),
    ...pagingOutput,
    ...freshnessOutput,
  }),
  examples: [{ path: 'README.md' }],
  command: { positionals: ['path'] },
  render: ({ symbols, freshness }) =>
    [
      ...symbols.map(
        (one) =>
          `${String(one.line).padStart(5)}  ${'  '.repeat(one.qualified.split('.').length - 1)}${one.signature || one.name}`,
      ),
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const path = input.path.replace(/^file:|^\.\//, '');
    const [file] = code.find(fileRef(path));
    if (!file) throw notIndexed(code, path);
    const symbols = code.fileSymbols(path, input.symbol_type).map(symbolAnswer);
    const { items, ...rest } = await pageOf(symbols, input);
    return { file_path: path, symbols: items, ...rest, freshness };
  },
});

export const operations = [getSymbol, getFileSymbols];
