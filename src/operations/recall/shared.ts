import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseList } from '../../base/loose-input.ts';
import { quoted } from '../../base/terminal-text.ts';
import type { phases, ReadQuestion } from '../../engines/answers/reader/index.ts';
import { heldTree, nothingHere, type OpenedRecall } from '../../engines/recall/index.ts';
import { type Domain, domains } from '../../stores/passages/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import { openCode, patienceOf } from '../open-index.ts';
import type { OperationContext } from '../operation.ts';

/** `domains`: those the answer needs; the others may be stale. */
export async function openRecall(context: OperationContext, domains?: Domain[]) {
  const { app, caller, signal } = context;
  await openCode(context);
  const waitMs = patienceOf(caller);
  const history = await app.history();
  await history.ready({ waitMs, signal }).catch(() => signal.throwIfAborted());
  const recall = await app.recall();
  await recall.ready({ waitMs, signal, domains });
  return recall;
}

/** Reads a question in the caller's session, with the person's preferences. Creates no session. */
export async function readQuestion(
  context: OperationContext,
  text: string,
  given: {
    target?: ReadQuestion['target'] | undefined;
    intent?: ReadQuestion['verb'] | undefined;
    phase?: (typeof phases)[number] | undefined;
    session?: string | undefined;
  } = {},
): Promise<{ read: ReadQuestion; session: string }> {
  const [answers, memory] = await Promise.all([context.app.answers(), context.app.memory()]);
  const session = (await memory.sessions.forReading(memoryCaller(context), given.session))?.id ?? '';
  const { target, intent: verb, phase } = given;
  const { kind, readOnly } = context.caller;
  const viewer = { session, kind, readOnly };
  return { read: await answers.read(text, viewer, { target, verb, phase, signal: context.signal }), session };
}

/** `history` is the design documents' name for the chronicle. */
const domainWords: Record<string, Domain> = {
  history: 'chronicle',
  academic: 'references',
  commit: 'commits',
};

export function domainsOf(given: string[] | undefined): Domain[] | undefined {
  if (!given || given.length === 0) return undefined;
  return given.map((word) => {
    const name = domainWords[word.toLowerCase()] ?? word.toLowerCase();
    const found = domains.find((domain) => domain === name);
    if (found) return found;
    throw new SylkError('VALIDATION_ERROR', `Unknown domain ${JSON.stringify(word.slice(0, 40))}.`, {
      hint: `Domains: ${domains.join(', ')}.`,
    });
  });
}

export const queryInput = z
  .string()
  .min(1)
  .max(20_000)
  .describe('a question, words, a name, a path, or "exact text"');
export const pathInput = z.string().max(4096).optional().describe('only under this folder');
export const domainsInput = looseList(z.string())
  .optional()
  .describe(`of ${domains.join('|')} (default all)`);

export const partsOutput = z.array(
  z.object({ signal: z.string(), value: z.number(), weight: z.number(), points: z.number() }),
);

export const cardOutput = z.object({
  ref: z.string(),
  domain: z.string(),
  title: z.string(),
  path: z.string().optional(),
  lines: z.string().optional(),
  heading: z.string().optional(),
  snippet: z.string().optional(),
  score: z.number(),
  relevance: z.number().describe('0–1: how much of the question it covers'),
  reason: z.string(),
  detail: z.string().optional().describe('for a commit: hash, author and date'),
  trust: z.number(),
  warning: z.string().optional(),
  updated: z.string().optional(),
  parts: partsOutput.optional(),
});
export type CardOutput = z.output<typeof cardOutput>;

export const freshnessOutput = z
  .array(
    z.object({ domain: z.string(), source: z.string(), state: z.string(), detail: z.string().optional() }),
  )
  .describe('sources that are not up to date');

export const notesOutput = z.array(z.string()).describe('what was unavailable for this answer');

/** Lists only sources that are not up to date. */
export async function staleSources({ app }: OperationContext, recall: OpenedRecall, domains?: Domain[]) {
  const all = await recall.freshness(domains);
  const stale = all.filter((each) => each.state !== 'fresh' && each.state !== 'empty');
  const failed = (await app.indexing()).failures().map(({ source, message, hint = '' }) => ({
    domain: source,
    source,
    state: 'failed',
    detail: `${message} ${hint}`.trim(),
  }));
  if (app.repository.bare)
    failed.push({
      domain: 'code',
      source: 'code',
      state: 'failed',
      detail: 'a bare repository has no files, only its history is searched. Clone it to search its files.',
    });
  return [...stale.filter(({ source }) => !failed.some((one) => one.source === source)), ...failed];
}

export function showCard(card: CardOutput, verbose: boolean): string {
  const place = card.path
    ? `${card.path}${card.lines ? `:${card.lines}` : ''}`
    : `${card.title}  ${card.detail ?? card.ref}`;
  const heading = card.heading ? `  ${card.heading}` : '';
  const snippet = card.snippet ? `\n${quoted(card.snippet, '    ')}` : '';
  const warning = card.warning ? `  (${card.warning})` : '';
  const why = verbose
    ? `\n    ${card.reason}; relevance ${card.relevance.toFixed(2)}, trust ${card.trust}`
    : '';
  return `${place}${heading}${warning}${why}${snippet}`;
}

export const showNotes = (
  notes: string[],
  freshness: Array<{ source: string; state: string; detail?: string | undefined }>,
): string =>
  [
    ...notes.map((note) => `note: ${note}`),
    ...freshness.map(({ source, state, detail }) =>
      state === 'failed'
        ? `note: ${source} could not be read: ${detail}`
        : `note: ${source} is ${state}${detail ? ` (${detail})` : ''}`,
    ),
  ].join('\n');

/** What a search says where its results are only the nearest. */
export const closestOnly = (
  { app }: Pick<OperationContext, 'app'>,
  query: string,
  cards: Array<{
    ref: string;
    domain: string;
    title: string;
    path?: string | undefined;
    snippet?: string | undefined;
  }>,
): Promise<string | undefined> =>
  nothingHere(
    query,
    cards.map(({ ref, domain, title, path, snippet }) => ({ ref, domain, place: path ?? title, snippet })),
    heldTree(app.repository.root, app.git),
  );
