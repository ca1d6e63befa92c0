import { z } from 'zod';
import type { Git } from '../../base/git/index.ts';
import { limitInput } from '../../base/paging.ts';
import { redact } from '../../base/redact.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import { showName } from '../../base/terminal-text.ts';
import type { CodeStore, SymbolRecord } from '../../stores/code/index.ts';
import { symbolSchema } from '../../stores/code/index.ts';
import { codeEdges } from '../../stores/graph/index.ts';
import { notesOutput } from '../history/shared.ts';
import { memoryCaller, sessionInput } from '../memory/shared.ts';
import { missingHistory, openCode } from '../open-index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { freshnessOutput, symbolAnswer, symbolInput } from './shared.ts';

const historyItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('commit'),
    ref: z.string(),
    commit: z.string(),
    message: z.string(),
    author: z.string(),
    timestamp: z.number(),
  }),
  z.object({
    kind: z.literal('entry'),
    ref: z.string(),
    category: z.string(),
    message: z.string().describe('title of the entry'),
    content: z.string(),
    resolution: z.string(),
    author: z.string(),
    timestamp: z.number(),
  }),
]);
type HistoryItem = z.output<typeof historyItem>;

const getHistoryForCode = operation({
  name: 'get_history_for_code',
  summary:
    'History of one symbol: the commits that changed its lines, and remembered entries about it, newest first. Finer than get_provenance, which covers the whole file.',
  effect: 'read',
  input: z.object({ symbol_id: symbolInput, limit: limitInput(10, 100), ...sessionInput }),
  output: z.object({
    symbol: symbolSchema,
    history: z.array(historyItem),
    ...freshnessOutput,
    ...notesOutput,
  }),
  examples: [{ symbol_id: 'README.md', limit: 3 }],
  command: { positionals: ['symbol_id'] },
  render: ({ symbol, history, notes = [] }) =>
    [
      `${symbol.qualified}  ${symbol.path}:${symbol.line}-${symbol.end_line}`,
      ...history.map(historyLine),
      ...(history.length === 0 ? ['no commits and no remembered entries yet'] : []),
      ...notes,
    ].join('\n'),
  isFailure: ({ damaged }) => damaged === true,
  run: async (input, context) => {
    const { code, freshness } = await openCode(context);
    const [symbol] = code.symbols(input.symbol_id);
    const { commits, problem } = await commitsOf(context.app.git, symbol!, input.limit);
    const entries = await entriesAbout(context, input, refsOf(code, symbol!));
    // There are many commits and few entries: when both don't fit, entries get half the rows.
    const kept = entries.slice(0, Math.max(input.limit - commits.length, Math.ceil(input.limit / 2)));
    const history = [...commits.slice(0, input.limit - kept.length), ...kept];
    return {
      symbol: symbolAnswer(symbol!),
      history: history.sort((a, b) => b.timestamp - a.timestamp),
      damaged: problem.length > 0 ? true : undefined,
      freshness,
      notes: [...missingHistory(await context.app.history()), ...problem],
    };
  },
});

const historyLine = (one: HistoryItem): string => {
  const day = new Date(one.timestamp * 1000).toISOString().slice(0, 10);
  return one.kind === 'commit'
    ? `${one.commit.slice(0, 10)}  ${day}  ${one.author}  ${showName(one.message)}`
    : `${one.category.padEnd(10)}  ${day}  ${one.author}  ${showName(one.message)}  (${one.ref})`;
};

/** The symbol, its members, and its file. */
const refsOf = (code: CodeStore, symbol: SymbolRecord): string[] => {
  const inside = code
    .fileSymbols(symbol.path)
    .filter((one) => symbol.kind === 'file' || one.qualified.startsWith(`${symbol.qualified}.`));
  return [...new Set([symbol.ref, fileRef(symbol.path), ...inside.slice(0, 400).map((one) => one.ref)])];
};

export async function entriesAbout(
  context: OperationContext,
  input: { session?: string | undefined; limit: number },
  refs: string[],
): Promise<HistoryItem[]> {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  const session = await memory.sessions.forReading(caller, input.session);
  const viewer = memory.sessions.viewerOf(caller, session);
  const knowledge = await context.app.knowledge();
  const named = await memory.chronicle.find(viewer, {
    refs: await knowledge.places.names(refs),
    limit: input.limit,
  });
  const linked = await knowledge.relatedOf(viewer, refs, { types: codeEdges, direction: 'in' });
  const others = linked.map(({ card }) => card.ref.replace(/^entry:/, ''));
  const known = new Set(named.map(({ id }) => id));
  const found = [
    ...named,
    ...(
      await memory.chronicle.standing.several(
        viewer,
        others.filter((id) => !known.has(id)),
      )
    ).values(),
  ];
  return found.map((entry) => ({
    kind: 'entry',
    ref: refOf('entry', entry.id),
    category: entry.category,
    message: entry.title,
    content: entry.content.slice(0, 600),
    resolution: entry.resolution.slice(0, 600),
    author: entry.source,
    timestamp: Math.floor(Date.parse(entry.created_at) / 1000),
  }));
}

/** git follows the lines of a symbol itself; a file is followed by name, across renames. */
async function commitsOf(
  git: Git,
  symbol: SymbolRecord,
  limit: number,
): Promise<{ commits: HistoryItem[]; problem: string[] }> {
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
  const { stdout, stderr } = await git.run(['log', ...format, ...place], {
    accept: [128],
    timeoutMs: 20_000,
  });
  // A file without commits is not an error; a missing git object is.
  const missing = /^(?:error|fatal): .*(?:unable to read|could not read|bad object|[0-9a-f]{40}).*$/m.exec(
    stderr,
  );
  const commits = stdout
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map((entry) => {
      const [commit = '', author = '', time = '0', message = ''] = entry.split('\0');
      return {
        kind: 'commit',
        ref: refOf('commit', commit),
        commit,
        author: redact(author),
        timestamp: Number(time),
        message: redact(message.split('\n', 1).join('')),
      } satisfies HistoryItem;
    });
  return {
    commits,
    problem: missing ? [`git could not follow the history further back: ${missing[0]}`] : [],
  };
}

export const operations = [getHistoryForCode];
