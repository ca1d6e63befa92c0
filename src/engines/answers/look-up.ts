import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import { type LinkedSymbol, reachedFiles, type SymbolRecord } from '../../stores/code/index.ts';
import type { Conventions } from '../../stores/conventions/index.ts';
import type { Viewer } from './answer.ts';
import { shareOf, tellingWords } from './commit-words.ts';
import { changesIn, peopleWhoChanged, whyOf } from './commits.ts';
import type { AnswersContext } from './context.ts';
import { definitionsOf, valuesOf } from './definitions.ts';
import { existingFor, toolsFor } from './existing.ts';
import { factLines } from './fact-lines.ts';
import { pathThrough } from './how.ts';
import { changedLately, failuresAbout } from './lately.ts';
import { originOf } from './origins.ts';
import { settingsNamed, versionOf } from './present-facts.ts';
import type { LookUp, ReadQuestion } from './reader/index.ts';
import { entriesOf, writtenDecisions } from './specialists/archivalist.ts';
import { type Cited, type ComposedAnswer, compose, type Part } from './specialists/compose.ts';
import { testsOf } from './tests-of.ts';
import { changesTogether } from './together.ts';
import { commitsAbout, revertsOf } from './told-commits.ts';

/** Symbols of one name that are looked up together. */
const namesakes = 4;
const most = 12;
const mostPeople = 5;
const mostCommits = 10;
const mostRemembered = 3;

/** Only what warns is said: the other links are followed through imports, by a compiler or by an index. */
const doubt = (known: LinkedSymbol['known']): string => (known === 'name' ? ' (by name only)' : '');

/** What the index has about a look-up: the first few, and how many there are. */
interface Looked {
  cited: Cited[];
  total: number;
  /** Places that nobody can vouch for; they are cited where there is no other. */
  possible?: number;
  notes?: string[];
  path?: string;
}

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
  // A symbol that nothing uses is an answer, and so is that no failure was recorded.
  if (!looked || (looked.cited.length === 0 && !(wanted.kind in nothingFound))) return undefined;
  const remembered =
    wanted.kind === 'failures'
      ? []
      : await entriesOf(
          { context, viewer },
          { text: wanted.kind === 'tools' ? text : subjectOf(wanted) || undefined, limit: mostRemembered },
        );
  if (wanted.kind !== 'commit') return composeLookUp(wanted, looked, remembered);
  return composeLookUp(wanted, looked, [], await saidAbout(context, wanted, text, remembered));
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
  return [
    { heading: 'Remembered', cited: remembered.filter(isAbout) },
    { heading: 'Decision records', cited: decided.filter(isAbout) },
  ];
}

/** What is said where an empty answer is one. */
const nothingFound: Partial<Record<LookUp['kind'], string>> = {
  uses: 'No uses found. Calls by another name or from outside are not indexed.',
  failures:
    'No failures or mistakes are recorded here. Record one with `sylk memory add --category failure`.',
};

const intents = {
  uses: 'LOCATE',
  impact: 'LOCATE',
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
        ...(await settingOf(context, wanted.subject)),
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

async function settingOf(context: AnswersContext, subject: string) {
  const named = await settingsNamed(context, subject);
  return named.cited.length > 0 ? named : factLines(context, subject);
}

/** Symbols of exactly that name, the likeliest first; overloads are one. */
async function symbolsCalled({ code }: AnswersContext, name: string): Promise<SymbolRecord[]> {
  const last = name.split(/::|[.#]/).at(-1);
  const byPlace = new Map<string, SymbolRecord>();
  // A word in other letters is a word, not this symbol.
  for (const symbol of (await code()).find(name))
    if (symbol.kind !== 'file' && symbol.name === last) {
      const place = `${symbol.path}#${symbol.qualified.replace(/~\d+$/, '')}`;
      if (!byPlace.has(place)) byPlace.set(place, symbol);
    }
  return [...byPlace.values()].slice(0, namesakes);
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

/** Undefined where the name is not a symbol. The places are those that `sylk callers` lists. */
async function usesOf(context: AnswersContext, name: string): Promise<Looked | undefined> {
  const code = await context.code();
  const called = await symbolsCalled(context, name);
  // Of several of one name the most used is meant; tests have stand-ins of the same name.
  const [symbol] = called
    .map((each) => ({ each, uses: isTestPath(each.path) ? 0 : code.uses(each).length }))
    .sort((left, right) => right.uses - left.uses)
    .map(({ each }) => each);
  if (!symbol) return undefined;
  const others = called.filter((each) => each !== symbol);
  const places = new Map<string, LinkedSymbol>();
  for (const link of code.uses(symbol).sort(byWorth)) {
    const place = `${link.path}:${link.at_line || link.line}`;
    if (!places.has(place)) places.set(place, link);
  }
  const possible = code.possibleUses(symbol);
  const notes = [
    ...(possible.length > 0 && places.size > 0
      ? [`${possible.length} possible calls by this name on something of unknown type: sylk callers ${name}`]
      : []),
    ...others.map(
      ({ path, line, qualified }) => `Another ${symbol.name}: ${path}:${line} (sylk callers ${qualified})`,
    ),
  ];
  const shown = [...places].slice(0, most);
  const unsure = places.size > 0 ? [] : possible.slice(0, most);
  const lineAt = await lineReader((await context.conventions()).projectFiles, [
    ...shown.map(([, { path }]) => path),
    ...unsure.map(({ path }) => path),
  ]);
  if (unsure.length > 0)
    return {
      total: 0,
      possible: possible.length,
      notes,
      cited: unsure.map(({ path, line, name: caller }) => ({
        ref: fileRef(path),
        domain: 'code',
        place: `${path}:${line}`,
        reason: `${[caller, lineAt(path, line)].filter(Boolean).join(': ')} (possible: the same name, of unknown type)`,
      })),
    };
  return {
    total: places.size,
    notes,
    cited: shown.map(([place, link]) => ({
      ref: link.ref,
      domain: 'code',
      place,
      reason: `${[link.kind === 'file' ? link.edge : link.qualified, lineAt(link.path, link.at_line)].filter(Boolean).join(': ')}${doubt(link.known)}`,
    })),
  };
}

async function impactOf(context: AnswersContext, name: string): Promise<Looked | undefined> {
  const [first] = await symbolsCalled(context, name);
  if (!first) return undefined;
  const links = (await context.code()).linked(first, { direction: 'in', depth: 3, limit: 5000 });
  const files = reachedFiles(links, first.path);
  return {
    total: files.length,
    cited: files
      .slice(0, most)
      .map(({ path, depth, confidence, measured, symbols: through, more_symbols, lines, test }) => ({
        ref: fileRef(path),
        domain: 'code',
        place: lines[0] ? `${path}:${lines[0]}` : path,
        reason: `${test ? 'a test, ' : ''}${depth === 1 ? 'directly' : `in ${depth} steps`}${through.length > 0 ? ` by ${through.slice(0, 3).join(', ')}` : ''}${through.length > 3 ? ` and ${through.length - 3 + more_symbols} more` : ''}${measured ? `, ${Math.round(confidence * 100)} % sure` : ''}`,
      })),
  };
}

/** Code before tests, a line before a whole file, then the most certain link. */
function byWorth(left: LinkedSymbol, right: LinkedSymbol): number {
  const rank = ({ path, qualified, at_line, kind }: LinkedSymbol) =>
    Number(isTestPath(path) || /^tests?(?:\.|$)/.test(qualified)) * 2 +
    Number(at_line === 0 || kind === 'file');
  return rank(left) - rank(right) || right.confidence - left.confidence;
}

/** Lines of files as they are now, short and without secrets; a file that is gone has none. */
async function lineReader(files: Conventions['projectFiles'], paths: string[]) {
  const linesByPath = new Map<string, string[]>();
  for (const path of new Set(paths)) linesByPath.set(path, ((await files.read(path)) ?? '').split('\n'));
  return (path: string, line: number): string =>
    line > 0 ? redact((linesByPath.get(path)?.[line - 1] ?? '').trim().slice(0, 120)) : '';
}
