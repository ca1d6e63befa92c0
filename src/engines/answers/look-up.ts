import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { Viewer } from './answer.ts';
import { commentsSaying } from './comments.ts';
import { shareOf, tellingWords } from './commit-words.ts';
import { changesIn, peopleWhoChanged, whyOf } from './commits.ts';
import type { AnswersContext } from './context.ts';
import { definitionsOf, valuesOf } from './definitions.ts';
import { existingFor, toolsFor } from './existing.ts';
import { factLines } from './fact-lines.ts';
import { pathThrough } from './how.ts';
import { changedLately, failuresAbout } from './lately.ts';
import { oneTest } from './one-test.ts';
import { originOf } from './origins.ts';
import { settingsNamed, versionOf } from './present-facts.ts';
import type { LookUp, ReadQuestion } from './reader/index.ts';
import { entriesOf, writtenDecisions } from './specialists/archivalist.ts';
import { type Cited, type ComposedAnswer, compose, type Part } from './specialists/compose.ts';
import { testsOf } from './tests-of.ts';
import { changesTogether } from './together.ts';
import { commitsAbout, revertsOf } from './told-commits.ts';
import { impactOf, impactOfDescribed, type Looked, symbolsCalled, usesOf } from './uses.ts';

const most = 12;
const mostPeople = 5;
const mostCommits = 10;
const mostRemembered = 3;

/** An answer of the index, and what the form of the question says it is about. */
export interface LookedUp extends ComposedAnswer {
  target: 'librarian' | 'archivalist';
  intent: 'LOCATE' | 'PATTERN' | 'ACTIVITY' | 'SIMILAR';
  subject: string;
}

/** Undefined where the question is not a look-up, or where the index has nothing: then it is searched for. */
export async function lookUp(
  context: AnswersContext,
  { text, lookUp: wanted }: ReadQuestion,
  viewer: Viewer,
): Promise<LookedUp | undefined> {
  if (!wanted) return undefined;
  const looked = await lookedUp(context, wanted, viewer);
  if (!looked) return undefined;
  const isReason = wanted.kind === 'commit' && wanted.asks === 'why';
  // A symbol that nothing uses is an answer, so is that no failure was recorded; a reason may stand in a comment.
  if (looked.cited.length === 0 && !isReason && !(wanted.kind in nothingFound)) return undefined;
  const remembered =
    wanted.kind === 'failures'
      ? []
      : await entriesOf(
          { context, viewer },
          { text: wanted.kind === 'tools' ? text : subjectOf(wanted) || undefined, limit: mostRemembered },
        );
  if (wanted.kind !== 'commit') return composeLookUp(wanted, looked, remembered);
  const before = await saidAbout(context, wanted, text, remembered);
  if (looked.cited.length === 0 && before.every(({ cited }) => cited.length === 0)) return undefined;
  return composeLookUp(wanted, looked, [], before);
}

/** Half of the words: that is about it. */
const enoughOfIt = 0.5;

/** What was remembered and written down about it says more than a commit does, and stands before it. */
async function saidAbout(
  context: AnswersContext,
  { subject, asks }: Extract<LookUp, { kind: 'commit' }>,
  text: string,
  remembered: Cited[],
): Promise<Part[]> {
  const wanted = tellingWords(subject);
  const isAbout = ({ place, reason, snippet = '' }: Cited) =>
    shareOf(wanted, `${place} ${reason} ${snippet}`) >= enoughOfIt;
  const decided = asks === 'why' ? await writtenDecisions(context, { text, subject }) : [];
  // What was done is told by commits, what is so by the code.
  const isSo = asks === 'why' && isNow.test(text);
  const commented = isSo ? await commentsSaying(context, subject) : [];
  return [
    { heading: 'Remembered', cited: remembered.filter(isAbout) },
    { heading: 'Decision records', cited: decided.filter(isAbout) },
    { heading: 'Comments in the code', cited: commented },
  ];
}

const isNow =
  /^\W*(?:why|how come) (?:is|are|does|do|must|should|can)\b(?!.*\b(?:no longer|any ?more|used to)\b)/i;

/** What is said where an empty answer is one. */
const nothingFound: Partial<Record<LookUp['kind'], string>> = {
  uses: 'No uses found. Calls by another name or from outside are not indexed.',
  failures:
    'No failures or mistakes are recorded here. Record one with `sylk memory add --category failure`.',
};

const intents = {
  uses: 'LOCATE',
  impact: 'LOCATE',
  described: 'LOCATE',
  'one test': 'PATTERN',
  existing: 'LOCATE',
  tools: 'PATTERN',
  people: 'ACTIVITY',
  changes: 'ACTIVITY',
  reverts: 'ACTIVITY',
  recent: 'ACTIVITY',
  failures: 'SIMILAR',
  definition: 'LOCATE',
  value: 'LOCATE',
  why: 'ACTIVITY',
  together: 'ACTIVITY',
  added: 'ACTIVITY',
  removed: 'ACTIVITY',
  commit: 'ACTIVITY',
  tests: 'LOCATE',
  how: 'LOCATE',
  version: 'LOCATE',
  setting: 'LOCATE',
} as const;

export function composeLookUp(
  wanted: LookUp,
  looked: Looked,
  remembered: Cited[],
  before: Part[] = [],
): LookedUp {
  const more = (looked.total || (looked.possible ?? 0)) - looked.cited.length;
  const notes =
    more > 0 && (wanted.kind === 'uses' || wanted.kind === 'impact')
      ? [`${more} more: sylk ${wanted.kind === 'uses' ? 'callers' : 'impact'} ${wanted.name}`]
      : [];
  notes.push(...(looked.notes ?? []));
  const composed = compose(
    [
      ...before,
      {
        heading: headingOf(wanted, looked),
        cited: looked.cited,
        none: nothingFound[wanted.kind],
      },
      { heading: 'Remembered', cited: remembered },
    ],
    notes,
  );
  return {
    ...composed,
    status: 'ok',
    target: /^(?:ACTIVITY|SIMILAR)$/.test(intents[wanted.kind]) ? 'archivalist' : 'librarian',
    intent: intents[wanted.kind],
    subject: subjectOf(wanted),
  };
}

function subjectOf(wanted: LookUp): string {
  if ('subject' in wanted) return wanted.subject;
  if (wanted.kind === 'tools') return [wanted.which, wanted.category].filter(Boolean).join(' ');
  return wanted.kind === 'existing' ? wanted.need : wanted.name;
}

function headingOf(wanted: LookUp, { total, possible = 0, path }: Looked): string {
  const count = (what: string) => `${total} ${what}${total === 1 ? '' : 's'}`;
  if (wanted.kind === 'uses')
    return total === 0 && possible > 0
      ? `Uses of ${wanted.name}: none is certain, ${possible} possible`
      : `Uses of ${wanted.name}: ${count('place')}`;
  if (wanted.kind === 'impact')
    return `A change to ${wanted.name} can affect ${count('file')}, nearest first`;
  if (wanted.kind === 'described')
    return `A change to ${path} can affect ${count('place')}${possible > 0 ? ` for certain, ${possible} possibly` : ''}`;
  if (wanted.kind === 'one test') return `How to run the tests of ${wanted.subject} alone`;
  if (wanted.kind === 'tools') return 'How this project does it';
  if (wanted.kind === 'added' || wanted.kind === 'removed')
    return `Commits that ${wanted.kind} "${wanted.subject}", the likeliest first`;
  if (wanted.kind === 'commit')
    return wanted.asks === 'why'
      ? 'Commits that say why, the likeliest first'
      : 'Commits, the likeliest first';
  if (wanted.kind === 'tests') return `Tests of ${wanted.subject}: ${count('file')}`;
  if (wanted.kind === 'people')
    return `Who changed ${path === '.' ? 'this repository' : path} most, of ${total === 1 ? 'one person' : `${total} people`}`;
  if (wanted.kind === 'changes') return `Latest commits of ${path}`;
  if (wanted.kind === 'recent') return 'Changed last';
  if (wanted.kind === 'failures')
    return `Recorded failures and mistakes${wanted.subject ? `: ${wanted.subject}` : ''}`;
  if (wanted.kind === 'together') return `Files that usually change with ${path}`;
  if (wanted.kind === 'reverts') return `Reverts of "${wanted.subject}"`;
  if (wanted.kind === 'how') return `How ${path} works: where it begins, what it calls, who starts it`;
  if (wanted.kind === 'version') return `Version${wanted.subject ? ` of ${wanted.subject}` : ''}`;
  if (wanted.kind === 'setting') return `"${wanted.subject}" is set in ${count('line')}`;
  if (wanted.kind === 'why') return `Why ${path} is as it is: the commits that shaped it, newest first`;
  if (wanted.kind === 'definition') return `${wanted.name} is defined in ${count('place')}`;
  return wanted.kind === 'value' ? `${wanted.name} is set in ${count('line')}` : 'Existing code';
}

async function lookedUp(
  context: AnswersContext,
  wanted: LookUp,
  viewer: Viewer,
): Promise<Looked | undefined> {
  switch (wanted.kind) {
    case 'recent':
      return changedLately(context.git);
    case 'failures':
      return failuresAbout(context, viewer, wanted.subject);
    case 'uses':
      return usesOf(context, wanted.name);
    case 'impact':
      return impactOf(context, wanted.name);
    case 'described':
      return impactOfDescribed(context, wanted.subject);
    case 'one test':
      return oneTest(context, wanted.subject);
    case 'tools':
      return toolsFor(context, wanted);
    case 'existing':
      return existingFor(context, wanted.need);
    case 'people':
      return peopleWhoChanged(context.git, wanted.subject, mostPeople, (name) => filesOf(context, name));
    case 'changes':
      return changesIn(context.git, wanted.subject, mostCommits, (name) => filesOf(context, name));
    case 'added':
    case 'removed': {
      const origin = await originOf(context.git, wanted.subject, wanted.kind);
      // It is still named somewhere, or was never written so: messages may say it.
      return origin && origin.cited.length > 0
        ? origin
        : commitsAbout(context, { subject: `${wanted.subject} ${wanted.kind}`, asks: 'commit' });
    }
    case 'commit':
      return commitsAbout(context, wanted);
    case 'tests':
      return testsOf(context, wanted.subject, most);
    case 'reverts':
      return revertsOf(context.git, wanted.subject, mostPeople);
    case 'definition':
      return definitionsOf(context, wanted.name);
    case 'value':
      return valuesOf(context, wanted.name);
    case 'how':
      return pathThrough(context, wanted.subject);
    case 'version':
      return versionOf(context, wanted.subject);
    case 'setting':
      return {
        ...(await settingOf(context, wanted.subject, wanted.measure)),
        ...(wanted.second
          ? { notes: [`Ask the rest by itself: ${wanted.second.replace(/^,? and /i, '')}?`] }
          : {}),
      };
    case 'together':
      return changesTogether(context, wanted.subject, most);
    case 'why':
      return whyOf(context.git, wanted.subject, wanted.line);
  }
}

async function settingOf(context: AnswersContext, subject: string, measure?: string) {
  const named = await settingsNamed(context, subject);
  return named.cited.length > 0 ? named : factLines(context, subject, measure);
}

const mostFiles = 5;

/** The file of a symbol of that name, or the files with symbols whose names have all the words, those with most first. */
async function filesOf(context: AnswersContext, subject: string): Promise<string[]> {
  const exact = /[A-Z_]/.test(subject.slice(1)) ? (await symbolsCalled(context, subject))[0] : undefined;
  if (exact) return [exact.path];
  const words = searchWords(subject);
  const counts = new Map<string, number>();
  for (const { path, matched } of (await context.code()).search({ query: subject, limit: 60 }))
    if (!isTestPath(path) && new Set([...matched.name, ...matched.head]).size >= words.length)
      counts.set(path, (counts.get(path) ?? 0) + 1);
  // A path that is not there, or a time, is no part of the code in other words.
  if (counts.size === 0) return /\/|\b\d{4}\b/.test(subject) ? [] : fileAbout(context, subject);
  const busiest = Math.max(0, ...counts.values());
  return [...counts]
    .filter(([, count]) => count >= busiest / 2)
    .sort((left, right) => right[1] - left[1])
    .map(([path]) => path)
    .slice(0, mostFiles);
}

/** The file of the code that recall finds first. */
async function fileAbout(context: AnswersContext, subject: string): Promise<string[]> {
  const recall = await context.recall();
  const asked = await recall.question(`where is ${subject}`);
  const { cards } = await recall.searchDomain({ domain: 'code', ...asked, limit: 1 });
  return cards.flatMap(({ path, relevance }) => (path && relevance >= enoughOfIt ? [path] : []));
}
