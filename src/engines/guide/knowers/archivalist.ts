import { searchWords } from '../../../base/text/index.ts';
import { compose, type Found, type Knower, type KnowerQuestion } from './knower.ts';
import type { AskRepository } from './librarian.ts';

export interface PastEntry extends Found {
  /** Milliseconds since the epoch. */
  at: number;
}

export interface CommitRange {
  since?: number;
  until?: number;
  path?: string | undefined;
  limit: number;
}

export interface ArchivalistParts {
  /** Entries that the session may see, best first. */
  entries(
    session: string,
    wanted: { text?: string; since?: number; until?: number; failures?: boolean; limit: number },
  ): Promise<PastEntry[]>;
  /** Commits of a stretch of time, or of one path, the latest first. */
  commits(range: CommitRange): Promise<PastEntry[]>;
  /** A file or folder of this repository that a question names. */
  namedPath(query: string): string | undefined;
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
const mostThere = 5;
const readInRange = 400;

/** What was done, decided and tried here, over the time that was asked about. */
export function createArchivalist(parts: ArchivalistParts): Knower {
  return async (question) => {
    if (question.intent === 'RESUME' && question.verb === 'recall') return resume(parts, question);
    if (question.verb === 'check') return check(parts, question);
    if (question.time_scope) return overTime(parts, question);
    const path =
      question.intent === 'ACTIVITY' ? (question.path ?? parts.namedPath(question.query)) : undefined;
    return (path && (await latest(parts, question, path))) || everything(parts, question);
  };
}

async function resume({ briefing }: ArchivalistParts, { session }: KnowerQuestion) {
  const text = await briefing(session);
  return { ...compose([]), status: 'ok' as const, answer: text };
}

async function check(parts: ArchivalistParts, question: KnowerQuestion) {
  const { session, query, path, token_budget, signal } = question;
  const [mistakes, failures] = await Promise.all([
    parts.mistakes(session, query),
    parts.entries(session, { text: query, failures: true, limit: most }),
  ]);
  const known = [
    { heading: 'known mistakes', found: mistakes, none: 'No known mistake is like that.' },
    { heading: 'failed or decided before', found: failures.slice(0, most) },
  ];
  if (mistakes.length + failures.length > 0) return compose(known);
  // Who checks before acting wants to know what is there, too.
  const { citations, notes } = await parts.ask(query, {
    domains: ['code', 'commits', 'chronicle'],
    path,
    tokenBudget: token_budget,
    signal,
  });
  return compose([...known, { heading: 'what is there about it', found: citations.slice(0, mostThere) }], {
    notes,
  });
}

async function everything(
  parts: ArchivalistParts,
  { session, query, path, token_budget, signal, intent, subject, confidence }: KnowerQuestion,
) {
  const [own, shared, written] = await Promise.all([
    parts.entries(session, { text: query, failures: intent === 'SIMILAR', limit: most }),
    parts.ask(query, {
      domains: ['chronicle', 'commits'],
      path,
      tokenBudget: token_budget,
      signal,
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
      conflicts: shared.conflicts,
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

/** What of the stretch of time is about the subject; where nothing is, that is said, and what came before is told. */
async function overTime(parts: ArchivalistParts, question: KnowerQuestion) {
  const { session, query, time_scope, intent } = question;
  const { from, to, phrase } = time_scope!;
  const range = { since: from, until: to };
  const path = question.path ?? parts.namedPath(query);
  const about = subjectOf(question);
  const [entries, commits] = await Promise.all([
    parts.entries(session, { text: about || undefined, ...range, limit: most }),
    parts.commits({ ...range, path, limit: readInRange }),
  ]);
  const fitting = about && !path ? commits.filter((commit) => mentions(commit, about)) : commits;
  // "what did the team do last week": the subject is whoever did it, so everything of that week answers.
  const shown = fitting.length > 0 || intent === 'HISTORICAL' || intent === 'OUTCOME' ? fitting : commits;
  if (entries.length + shown.length > 0)
    return compose([
      { heading: `remembered, ${phrase}`, found: entries.slice(0, most) },
      { heading: `committed${path ? ` in ${path}` : ''}, ${phrase}`, found: shown.slice(0, most) },
    ]);
  const nothing = `nothing${path || about ? ` about ${path ?? about}` : ''} was recorded ${phrase}`;
  const before = intent === 'ACTIVITY' ? await latest(parts, question, path) : undefined;
  if (before) return { ...before, notes: [`${nothing}; this is the latest`, ...before.notes] };
  const wider = await everything(parts, question);
  return { ...wider, notes: [`${nothing}; this is from other times`, ...wider.notes] };
}

/** What happened last, whenever that was: to the path, or about the subject. */
async function latest(parts: ArchivalistParts, question: KnowerQuestion, path: string | undefined) {
  const about = path ? '' : subjectOf(question);
  const commits = await parts.commits({ path, limit: about ? readInRange : most });
  const fitting = about ? commits.filter((commit) => mentions(commit, about)) : commits;
  if (fitting.length === 0) return undefined;
  return compose([{ heading: `committed last${path ? ` in ${path}` : ''}`, found: fitting.slice(0, most) }]);
}

const subjectOf = ({ subject }: KnowerQuestion): string =>
  subject === 'session' ? '' : subject.replaceAll('_', ' ');

function mentions({ place, snippet = '' }: PastEntry, subject: string): boolean {
  const words = new Set(searchWords(`${place} ${snippet}`));
  return searchWords(subject).some((word) => words.has(word));
}
