import { tree } from '../../../base/files/index.ts';
import { refOf } from '../../../base/ref.ts';
import { lastMomentOf, searchWords } from '../../../base/text/index.ts';
import type { Category } from '../../../stores/chronicle/index.ts';
import { type Question, sightOf, type Viewer } from '../answer.ts';
import { type CitedCommit, commitsIn } from '../commits.ts';
import type { AnswersContext } from '../context.ts';
import { pathNamedIn } from '../paths.ts';
import type { ReadQuestion } from '../reader/index.ts';
import { everybody, search } from '../search.ts';
import { withMessages } from '../told-commits.ts';
import { type Cited, type ComposedAnswer, compose } from './compose.ts';

const most = 8;
const mostWritten = 3;
const mostThere = 5;
const readInRange = 400;

/** One question to the records that somebody may see. */
interface Records {
  context: AnswersContext;
  read: ReadQuestion;
  question: Question;
  viewer: Viewer;
}

/** What was done, decided and tried here, over the time that was asked about. */
export async function answerFromRecords(
  context: AnswersContext,
  read: ReadQuestion,
  question: Question,
  viewer: Viewer,
): Promise<ComposedAnswer> {
  const records = { context, read, question, viewer };
  if (read.intent === 'RESUME' && read.verb === 'recall') return resume(records);
  if (read.verb === 'check') return checkApproach(records);
  if (read.time_scope) return overTime(records, read.time_scope);
  const path = read.intent === 'ACTIVITY' ? pathNamedIn(context.git, read.text) : undefined;
  return (path && (await latest(records, path))) || anytime(records);
}

async function resume({ context, viewer: { session } }: Records): Promise<ComposedAnswer> {
  const memory = await context.memory();
  const client = (await memory.sessions.find(session))?.metadata['client'] ?? 'person';
  const caller = { kind: 'person', client: `${client}`, worktree: context.git.directory } as const;
  const { text } = await memory.briefing(caller, 'standard', session || undefined);
  return { ...compose([]), status: 'ok', answer: text };
}

async function checkApproach(records: Records): Promise<ComposedAnswer> {
  const { context, read, question } = records;
  const [mistakes, failures] = await Promise.all([
    mistakesLike(records),
    entriesOf(records, { text: read.text, failures: true, limit: most }),
  ]);
  const parts = [
    { heading: 'Known mistakes', cited: mistakes, none: 'No known mistakes match.' },
    { heading: 'Earlier failures and decisions', cited: failures },
  ];
  if (mistakes.length + failures.length > 0) return compose(parts);
  // A check before acting also shows what is there.
  const { answer } = await search(
    context,
    { text: read.text, intent: 'GENERAL', subject: read.subject },
    { ...limitsOf(question), domains: ['code', 'commits', 'chronicle'] },
    everybody,
  );
  const there = { heading: 'Related code and records', cited: answer.citations.slice(0, mostThere) };
  return compose([...parts, there], answer.notes);
}

async function anytime(records: Records): Promise<ComposedAnswer> {
  const { context, read, question } = records;
  const [own, shared, written] = await Promise.all([
    entriesOf(records, { text: read.text, failures: read.intent === 'SIMILAR', limit: most }),
    search(
      context,
      { text: read.text, intent: read.intent, subject: read.subject },
      { ...limitsOf(question), domains: ['chronicle', 'commits'] },
      everybody,
    ),
    read.intent === 'HISTORICAL' ? writtenDecisions(context, read, question.signal) : [],
  ]);
  const { citations, notes, hint } = shared.answer;
  const isAllThereIs = own.length + written.length === 0;
  const ownRefs = new Set(own.map(({ ref }) => ref));
  return compose(
    [
      { heading: 'Remembered', cited: own },
      { heading: 'Decision records', cited: written },
      {
        heading: (isAllThereIs && hint) || 'Commits and what was remembered',
        cited: await withMessages(
          context.git,
          citations.filter(({ ref }) => !ownRefs.has(ref)).slice(0, most),
        ),
      },
      ...(own.length + written.length + citations.length === 0
        ? [{ cited: [], none: 'No matching records.' }]
        : []),
    ],
    notes,
  );
}

/** Where projects keep their decision records. */
const decisionFolders = ['docs/decisions', 'docs/adr', 'doc/adr', 'adr', 'decisions', 'docs/rfcs', 'rfcs'];

/** A record beside the code often says why something was decided. */
export async function writtenDecisions(
  context: AnswersContext,
  { text, subject }: Pick<ReadQuestion, 'text' | 'subject'>,
  signal?: AbortSignal,
): Promise<Cited[]> {
  const folders = decisionFolders.filter((folder) => tree.isDirectory(context.git.directory, folder));
  const found = await Promise.all(
    folders.map((path) =>
      search(
        context,
        { text, intent: 'GENERAL', subject },
        { domains: ['code'], path, thoroughness: 'quick', ...(signal ? { signal } : {}) },
        everybody,
      ),
    ),
  );
  return found.flatMap(({ answer }) => answer.citations.slice(0, mostWritten));
}

/** The records of a stretch of time about the subject; where there are none, that is said and earlier ones are shown. */
async function overTime(
  records: Records,
  { from, to, phrase }: NonNullable<ReadQuestion['time_scope']>,
): Promise<ComposedAnswer> {
  const { context, read } = records;
  const range = { since: from, until: lastMomentOf({ to }, context.clock.now()) };
  const path = pathNamedIn(context.git, read.text);
  const about = subjectOf(read);
  const [entries, commits] = await Promise.all([
    entriesOf(records, { text: about || undefined, ...range, limit: most }),
    commitsIn(context.git, { ...range, paths: path ? [path] : [], limit: readInRange }),
  ]);
  const fitting = about && !path ? commits.filter((commit) => mentions(commit, about)) : commits;
  // "what did the team do last week": the subject is who did it, so everything of that week answers.
  const needsSubject = read.intent === 'HISTORICAL' || read.intent === 'OUTCOME';
  const shown = fitting.length > 0 || needsSubject ? fitting : commits;
  if (entries.length + shown.length > 0)
    return compose([
      { heading: `Remembered, ${phrase}`, cited: entries },
      { heading: `Commits${path ? ` in ${path}` : ''}, ${phrase}`, cited: shown.slice(0, most) },
    ]);
  const nothing = `no records${path || about ? ` about ${path ?? about}` : ''} ${phrase}`;
  // Without a subject the words of the question name nothing to search for.
  const before = read.intent === 'ACTIVITY' || !about ? await latest(records, path) : undefined;
  if (before) return { ...before, notes: [`${nothing}; showing the latest`, ...before.notes] };
  const wider = await anytime(records);
  return { ...wider, notes: [`${nothing}; showing other times`, ...wider.notes] };
}

/** The last commits and entries about the path or the subject, whenever they were, newest first. */
async function latest(records: Records, path: string | undefined): Promise<ComposedAnswer | undefined> {
  const { context, read } = records;
  const about = path ? '' : subjectOf(read);
  const commits = await commitsIn(context.git, {
    paths: path ? [path] : [],
    limit: about ? readInRange : most,
  });
  const fitting = about ? commits.filter((commit) => mentions(commit, about)) : commits;
  const subject = path ?? about;
  const entries = (await entriesOf(records, { text: subject || undefined, limit: most })).filter(
    ({ place, snippet = '' }) => subject === '' || mentions({ place: `${place} ${snippet}` }, subject),
  );
  if (fitting.length + entries.length === 0) return undefined;
  const newest = [...entries, ...fitting].toSorted((left, right) => (right.at ?? 0) - (left.at ?? 0));
  const heading = `Latest ${entries.length > 0 ? 'records' : 'commits'}${path ? ` in ${path}` : ''}`;
  return compose([{ heading, cited: newest.slice(0, most) }]);
}

/** Entries that the asker may see, best first. */
export async function entriesOf(
  { context, viewer }: Pick<Records, 'context' | 'viewer'>,
  {
    failures,
    ...wanted
  }: {
    text?: string | undefined;
    since?: number;
    until?: number;
    failures?: boolean;
    categories?: Category[];
    limit: number;
  },
): Promise<Cited[]> {
  const { chronicle } = await context.memory();
  const entries = await chronicle.find(sightOf(viewer), {
    ...wanted,
    categories: failures ? ['failure', 'decision', 'insight', 'pattern'] : wanted.categories,
  });
  return entries.map((entry) => ({
    ref: refOf('entry', entry.id),
    domain: 'chronicle',
    place: entry.title,
    reason: `${entry.category}, ${entry.created_at.slice(0, 10)}${entry.resolution ? `; solved: ${entry.resolution}` : ''}`,
    snippet: entry.content.slice(0, 400),
    at: Date.parse(entry.created_at),
  }));
}

/** Known mistakes that the approach would repeat. */
async function mistakesLike({ context, viewer, read }: Records): Promise<Cited[]> {
  const { chronicle, person } = await context.memory();
  const mistakes = [
    ...(await chronicle.mistakes.check(sightOf(viewer), read.text)),
    ...(await person.mistakes.check({ session_id: '', sees_all: false }, read.text)),
  ];
  return mistakes.map(({ id, pattern, error, fix }) => ({
    ref: refOf('mistake', id),
    domain: 'chronicle',
    place: pattern,
    reason: `went wrong: ${error}; instead: ${fix}`,
  }));
}

const limitsOf = ({ tokenBudget, signal }: Question) => ({ tokenBudget, signal });

const subjectOf = ({ subject }: ReadQuestion): string =>
  subject === 'session' ? '' : subject.replaceAll('_', ' ');

function mentions({ place }: Pick<CitedCommit, 'place'>, subject: string): boolean {
  const words = new Set(searchWords(place));
  return searchWords(subject).some((word) => words.has(word));
}
