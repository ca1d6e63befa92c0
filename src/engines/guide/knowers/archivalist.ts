import { searchWords } from '../../../base/text/index.ts';
import { compose, type Found, type Knower, type KnowerQuestion } from './knower.ts';
import type { AskRepository } from './librarian.ts';

export interface PastEntry extends Found {
  /** Milliseconds since the epoch. */
  at: number;
}

export interface ArchivalistParts {
  /** Entries that the session may see, best first. */
  entries(
    session: string,
    wanted: { text?: string; since?: number; until?: number; failures?: boolean; limit: number },
  ): Promise<PastEntry[]>;
  /** Commits of a stretch of time, the latest first. */
  commits(range: { since: number; until: number; limit: number }): Promise<PastEntry[]>;
  /** Known mistakes that an approach would repeat. */
  mistakes(session: string, approach: string): Promise<Found[]>;
  /** Folders of this repository in which decisions are written down. */
  decisionFolders(): string[];
  /** Where the work of a session stands. */
  briefing(session: string): Promise<string>;
  ask: AskRepository;
}

const most = 8;
const mostWritten = 3;
const readInRange = 400;

/** What was done, decided and tried here, over the time that was asked about. */
export function createArchivalist(parts: ArchivalistParts): Knower {
  return async (question) => {
    if (question.intent === 'RESUME' && question.verb === 'recall') return resume(parts, question);
    if (question.verb === 'check') return check(parts, question);
    return question.time_scope ? overTime(parts, question) : everything(parts, question);
  };
}

async function resume({ briefing }: ArchivalistParts, { session }: KnowerQuestion) {
  const text = await briefing(session);
  return { ...compose([]), status: 'ok' as const, answer: text };
}

async function check(parts: ArchivalistParts, { session, query }: KnowerQuestion) {
  const [mistakes, failures] = await Promise.all([
    parts.mistakes(session, query),
    parts.entries(session, { text: query, failures: true, limit: most }),
  ]);
  return compose([
    { heading: 'known mistakes', found: mistakes, none: 'No known mistake is like that.' },
    { heading: 'failed or decided before', found: failures.slice(0, most) },
  ]);
}

async function everything(
  parts: ArchivalistParts,
  { session, query, path, token_budget, signal, intent, subject, confidence }: KnowerQuestion,
) {
  const [own, shared, written] = await Promise.all([
    parts.entries(session, { text: query, failures: intent === 'SIMILAR', limit: most }),
    parts.ask(query, {
      ...{ domains: ['chronicle', 'commits'], path, tokenBudget: token_budget, signal },
      classified: { agent: 'archivalist', intent, subject, confidence },
    }),
    intent === 'HISTORICAL' && !path ? writtenDecisions(parts, query, signal) : [],
  ]);
  const known = new Set(own.map(({ ref }) => ref));
  return compose(
    [
      { heading: 'remembered', found: own },
      { heading: 'written down', found: written },
      {
        heading: 'committed and shared',
        found: shared.citations.filter(({ ref }) => !known.has(ref)).slice(0, most),
      },
      ...(own.length + written.length + shared.citations.length === 0
        ? [{ found: [], none: 'Nothing is recorded about that.' }]
        : []),
    ],
    {
      notes: shared.notes,
      ...(shared.conflicts ? { conflicts: shared.conflicts } : {}),
      level: shared.level === 1 && own.length + written.length === 0 ? 1 : 2,
    },
  );
}

/** Why something was decided often stands in a record beside the code. */
async function writtenDecisions(
  { ask, decisionFolders }: ArchivalistParts,
  query: string,
  signal?: AbortSignal,
) {
  const answers = await Promise.all(
    decisionFolders().map((path) => ask(query, { domains: ['code'], path, thoroughness: 'quick', signal })),
  );
  return answers.flatMap(({ citations }) => citations.slice(0, mostWritten));
}

/** What of the stretch of time is about the subject; where nothing is, that is said, and then all of time is asked. */
async function overTime(parts: ArchivalistParts, question: KnowerQuestion) {
  const { session, subject, time_scope, intent } = question;
  const { from, to, phrase } = time_scope!;
  const range = { since: from, until: to };
  const about = subject === 'session' ? '' : subject.replaceAll('_', ' ');
  const [entries, commits] = await Promise.all([
    parts.entries(session, { ...(about ? { text: about } : {}), ...range, limit: most }),
    parts.commits({ ...range, limit: readInRange }),
  ]);
  const fitting = about
    ? commits.filter(({ place, snippet }) => mentions(`${place} ${snippet ?? ''}`, about))
    : commits;
  // "what did the team do last week": the subject is whoever did it, so everything of that week answers.
  const shown = fitting.length > 0 || intent === 'HISTORICAL' || intent === 'OUTCOME' ? fitting : commits;
  if (entries.length + shown.length > 0)
    return compose([
      { heading: `remembered, ${phrase}`, found: entries.slice(0, most) },
      { heading: `committed, ${phrase}`, found: shown.slice(0, most) },
    ]);
  const wider = await everything(parts, question);
  const note = `nothing about ${about || 'it'} is recorded for ${phrase}; this is from other times`;
  return { ...wider, notes: [note, ...wider.notes] };
}

function mentions(text: string, subject: string): boolean {
  const words = new Set(searchWords(text));
  return searchWords(subject).some((word) => words.has(word));
}
