import { z } from 'zod';
import type { Git } from '../../base/git/index.ts';
import { sanitizeTerminalText } from '../../base/terminal-text.ts';
import type { SymbolRecord } from '../../stores/code/index.ts';
import { operation } from '../operation.ts';
import {
  codeShape,
  freshnessOutput,
  limitInput,
  openCode,
  symbolAnswer,
  symbolInput,
  symbolOutput,
} from './shared.ts';

const getHistoryForCode = operation({
  name: 'get_history_for_code',
  summary:
    'The story of one symbol: the commits that changed its lines, newest first. Finer than get_provenance, which is about the whole file.',
  effect: 'read',
  ...codeShape,
  tier: 'contextual',
  priority: 70,
  keywords: ['history', 'changes', 'why', 'when', 'modified'],
  input: z.object({ symbol_id: symbolInput, limit: limitInput(10, 100) }),
  output: z.object({
    symbol: symbolOutput,
    history: z.array(
      z.object({
        kind: z.literal('commit'),
        ref: z.string(),
        commit: z.string(),
        message: z.string(),
        author: z.string(),
        timestamp: z.number(),
      }),
    ),
    ...freshnessOutput,
  }),
  examples: [{ symbol_id: 'README.md', limit: 3 }],
  command: { positionals: ['symbol_id'] },
  render: ({ symbol, history }) =>
    sanitizeTerminalText(
      [
        `${symbol.qualified}  ${symbol.path}:${symbol.line}-${symbol.end_line}`,
        ...history.map(
          (one) =>
            `${one.commit.slice(0, 10)}  ${new Date(one.timestamp * 1000).toISOString().slice(0, 10)}  ${one.author}  ${one.message}`,
        ),
        ...(history.length === 0 ? ['no commit has it yet'] : []),
      ].join('\n'),
    ),
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const [symbol] = code.symbols(input.symbol_id);
    return {
      symbol: symbolAnswer(symbol!),
      history: await commitsOf(context.app.git, symbol!, input.limit),
      freshness,
    };
  },
});

/** Lines of a symbol are followed by git itself; a file by its name, across renames. */
async function commitsOf(git: Git, symbol: SymbolRecord, limit: number) {
  const format = [
    '--format=%x1e%H%x00%an%x00%at%x00%s',
    '-n',
    String(limit),
    '--no-ext-diff',
    '--no-textconv',
  ];
  const place =
    symbol.kind === 'file'
      ? ['--follow', '--', symbol.path]
      : ['-s', `-L${symbol.line},${symbol.end_line}:${symbol.path}`];
  const { stdout } = await git.run(['log', ...format, ...place], { accept: [128], timeoutMs: 20_000 });
  return stdout
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map((entry) => {
      const [commit = '', author = '', time = '0', message = ''] = entry.split('\0');
      return {
        kind: 'commit' as const,
        ref: `commit:${commit}`,
        commit,
        author,
        timestamp: Number(time),
        message: message.split('\n')[0]!,
      };
    });
}

export const operations = [getHistoryForCode];
