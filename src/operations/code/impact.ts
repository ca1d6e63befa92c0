import { z } from 'zod';
import { limitInput } from '../../base/paging.ts';
import { reachedFiles, symbolSchema } from '../../stores/code/index.ts';
import { openCode } from '../open-index.ts';
import { operation } from '../operation.ts';
import { freshnessOutput, staleLine, symbolAnswer, symbolInput } from './shared.ts';

/** `a, b and 3 more` */
function fewOf({ symbols, more_symbols }: { symbols: string[]; more_symbols: number }, most: number): string {
  const more = symbols.length - most + more_symbols;
  return `${symbols.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const getImpact = operation({
  name: 'get_impact',
  summary:
    'What may break when a symbol or a file changes: files that reach it within a few steps, nearest and most certain first, and the tests among them.',
  effect: 'read',
  input: z.object({
    symbol_id: symbolInput,
    depth: z.coerce.number().int().min(1).max(8).default(3),
    limit: limitInput(50, 500),
  }),
  output: z.object({
    symbol: symbolSchema,
    files: z.array(
      z.object({
        path: z.string(),
        depth: z.number(),
        confidence: z.number(),
        measured: z.boolean(),
        symbols: z.array(z.string()),
        more_symbols: z.number().describe('symbols of the file that are not listed'),
        lines: z.array(z.number()).describe('lines that use it directly'),
        test: z.boolean(),
      }),
    ),
    tests: z.array(z.string()),
    depth: z.number().describe('how many steps were followed'),
    total: z.number(),
    ...freshnessOutput,
  }),
  examples: [{ symbol_id: 'README.md' }],
  command: { positionals: ['symbol_id'] },
  render: ({ symbol, files, tests, depth, total, freshness }) =>
    [
      `A change to ${symbol.qualified} can affect ${total} ${total === 1 ? 'file' : 'files'} within ${depth} ${depth === 1 ? 'step' : 'steps'}, ${tests.length} of them tests`,
      ...files.map(
        (one) =>
          `${'  '.repeat(one.depth)}${one.path}${one.lines.length > 0 ? `:${one.lines.join(',')}` : ''}  ${fewOf(one, 8)}${one.measured ? `  ${Math.round(one.confidence * 100)} %` : ''}`,
      ),
      ...(total > files.length ? [`and ${total - files.length} more files: --limit ${total}`] : []),
      ...staleLine(freshness),
    ].join('\n'),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const [symbol] = code.symbols(input.symbol_id);
    const found = reachedFiles(
      code.linked(symbol!, { direction: 'in', depth: input.depth, limit: 5000 }),
      symbol!.path,
    );
    const files = found.slice(0, input.limit);
    return {
      symbol: symbolAnswer(symbol!),
      files,
      tests: found
        .filter((one) => one.test)
        .map((one) => one.path)
        .slice(0, 100),
      depth: input.depth,
      total: found.length,
      freshness,
    };
  },
});

export const operations = [getImpact];
