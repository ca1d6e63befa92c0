import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../../src/base/process/index.ts';
import { isProseOrSettings, isTestPath, splitWords } from '../../src/base/text/index.ts';
import { commentLine } from '../../src/engines/recall/places.ts';
import type { CodeStore, SymbolRecord } from '../../src/stores/code/index.ts';
import { randomNumbers, shuffled } from '../random.ts';

/** A question whose answer somebody else wrote down: a comment, a later commit, a page, a message. */
export interface Practice {
  kind: 'comment' | 'commit' | 'document' | 'message' | 'person';
  text: string;
  path: string;
  /** The name of the definition that answers. */
  name: string;
  /** What persons wrote down instead: `path:first-last`, one or several. */
  lines?: string[];
}

const mostOfKind = 60;
const fewestWords = 4;
const mostWords = 16;

const git = async (directory: string, ...args: string[]): Promise<string> =>
  (await runProcess('git', ['-C', directory, ...args], { timeoutMs: 60_000 })).stdout.toString('utf8');

const openings = [
  'where is it that',
  'how does it',
  'where',
  'where does the code',
  'how is it done that',
  'what',
];

/** As a person would ask: the name taken out, and one of its words dropped every other time. */
function asked(sentence: string, name: string, random: () => number): string | undefined {
  const own = new Set(splitWords(name));
  let words = sentence
    .replace(/`[^`]*`|<[^>]*>|\[|\]\([^)]*\)|\{@\w+ ([^}]*)\}|https?:\S+|@\w+/g, '$1 ')
    .replace(new RegExp(`\\b${name.replace(/[^\w]/g, '')}\\b`, 'g'), ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word && !/[_(){}=]|[a-z][A-Z]|::|\w\.\w/.test(word));
  const shared = words.filter((word) => own.has(word.toLowerCase()));
  if (shared.length > 0 && random() < 0.5) {
    const dropped = shared[Math.floor(random() * shared.length)];
    words = words.filter((word) => word !== dropped);
  }
  words = words.slice(0, mostWords);
  if (words.length < fewestWords) return undefined;
  const opening = openings[Math.floor(random() * openings.length)] ?? 'where';
  return `${opening} ${words.join(' ').toLowerCase()}`;
}

const firstSentence = (text: string): string =>
  (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?])\s|\s@\w+|\s:param/)[0] ?? ''
  ).trim();

const isMeant = ({ kind, name, path }: SymbolRecord): boolean =>
  kind !== 'file' && kind !== 'module' && name.length > 2 && !isTestPath(path) && !isProseOrSettings(path);

/** Comments of definitions, which are taken out of the tree: nothing there says any more what is asked. */
export function practiceOfComments(code: CodeStore, tree: string, seed: number): Practice[] {
  const random = randomNumbers(seed);
  const practice: Practice[] = [];
  const removed = new Map<string, Set<number>>();
  const symbols = code.files().flatMap(({ path }) => code.fileSymbols(path).filter(isMeant));
  const texts = new Map<string, string[]>();
  for (const symbol of shuffled(symbols, random)) {
    if (practice.length >= mostOfKind) break;
    const lines = texts.get(symbol.path) ?? readFileSync(join(tree, symbol.path), 'utf8').split('\n');
    texts.set(symbol.path, lines);
    const above: number[] = [];
    for (let line = symbol.line - 1; line > 0 && commentLine.test(lines[line - 1] ?? ''); line--)
      above.unshift(line);
    const below = above.length === 0 ? docstring(lines, symbol) : [];
    const own = above.length > 0 ? above : below;
    if (own.length === 0 || own.length > 40) continue;
    const said = own
      .map((line) =>
        (lines[line - 1] ?? '').replace(/^\s*(?:\/\/[/!]?|\/\*+!?|\*+\/?|#+|"""|''')|\*\/|"""|'''/g, ' '),
      )
      .join('\n');
    const text = asked(firstSentence(said), symbol.name, random);
    if (!text || /copyright|licen[sc]e|eslint|todo|fixme|deprecated|noqa/i.test(said)) continue;
    practice.push({ kind: 'comment', text, path: symbol.path, name: symbol.qualified });
    const gone = removed.get(symbol.path) ?? new Set();
    for (const line of own) gone.add(line);
    removed.set(symbol.path, gone);
  }
  for (const [path, gone] of removed)
    writeFileSync(join(tree, path), (texts.get(path) ?? []).filter((_, at) => !gone.has(at + 1)).join('\n'));
  return practice;
}

/** The lines of a docstring below a definition of Python, where something follows it. */
function docstring(lines: string[], { path, line, end_line }: SymbolRecord): number[] {
  if (!path.endsWith('.py')) return [];
  const first = lines.findIndex((text, at) => at >= line - 1 && /^\s*[rR]?"""/.test(text));
  if (first === -1 || first > line + 8) return [];
  const closes = (at: number) => (lines[at] ?? '').replace(at === first ? /"""/ : /^$/, '').includes('"""');
  let last = first;
  while (!closes(last) && last < end_line) last++;
  if (last >= end_line - 1) return [];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at + 1);
}

/** Later commits: the title asks for the definitions that its change is in. */
export async function practiceOfCommits(
  code: CodeStore,
  source: string,
  tree: string,
  at: string,
): Promise<Practice[]> {
  const practice: Practice[] = [];
  const random = randomNumbers(5);
  const log = await git(
    source,
    'log',
    '--no-merges',
    '--reverse',
    '-n400',
    '--format=%H%x09%s',
    `${at}..HEAD`,
  );
  for (const row of log.split('\n').filter(Boolean)) {
    if (practice.length >= mostOfKind) break;
    const [sha = '', subject = ''] = row.split('\t');
    const title = subject.replace(/\(?#\d+\)?|^\w+(?:\([^)]*\))?!?: /g, '').trim();
    if (
      /^(?:bump|release|merge|revert|update (?:depend|change|readme|version)|prepare|version|typo|format|lint|chore)|changelog|typo/i.test(
        title,
      )
    )
      continue;
    const patch = await git(source, 'show', '-U0', '--format=', '--no-renames', sha);
    const places = changedPlaces(patch, code, tree);
    if (places.size === 0 || places.size > 3) continue;
    const text = asked(title, '', random);
    if (!text) continue;
    const [place = ''] = places;
    const [path = '', name = ''] = place.split('\0');
    practice.push({ kind: 'commit', text, path, name });
  }
  return practice;
}

/** Definitions of now that have a line which a patch removes, where that line stands only once. */
function changedPlaces(patch: string, code: CodeStore, tree: string): Set<string> {
  const places = new Set<string>();
  let path = '';
  for (const line of patch.split('\n')) {
    const file = /^--- a\/(.*)$/.exec(line);
    if (file) path = file[1] ?? '';
    if (!line.startsWith('-') || line.startsWith('---') || line.trim().length < 12) continue;
    if (!path || isTestPath(path) || isProseOrSettings(path)) continue;
    const lines = linesOf(tree, path);
    const first = lines.indexOf(line.slice(1));
    if (first === -1 || lines.indexOf(line.slice(1), first + 1) !== -1) continue;
    const inside = code
      .fileSymbols(path)
      .filter((each) => isMeant(each) && each.line <= first + 1 && each.end_line >= first + 1)
      .sort((a, b) => a.end_line - a.line - (b.end_line - b.line))[0];
    if (inside) places.add(`${path}\0${inside.qualified}`);
  }
  return places;
}

const read = new Map<string, string[]>();
function linesOf(tree: string, path: string): string[] {
  const place = join(tree, path);
  const known = read.get(place);
  if (known) return known;
  let lines: string[] = [];
  try {
    lines = readFileSync(place, 'utf8').split('\n');
  } catch {
    // It is not there at that commit.
  }
  read.set(place, lines);
  return lines;
}

/** Sentences of pages that name something which is defined once; the name is taken out. */
export function practiceOfDocuments(code: CodeStore, tree: string): Practice[] {
  const random = randomNumbers(9);
  const practice: Practice[] = [];
  const names = Map.groupBy(
    code.files().flatMap(({ path }) => code.fileSymbols(path).filter(isMeant)),
    ({ name }) => name,
  );
  for (const { path } of code.files()) {
    if (!/\.(?:md|rst|adoc)$/i.test(path) || /change|history|news|release/i.test(path)) continue;
    for (const sentence of linesOf(tree, path)
      .join('\n')
      .split(/(?<=[.!?])\s|\n\s*\n|\n\s*[-*] /)) {
      if (practice.length >= mostOfKind) return practice;
      const named = [...sentence.matchAll(/`{1,2}\.?(?:[\w.:]*[.:#])?(\w{4,})(?:\([^`]*\))?`{1,2}/g)].map(
        ([, name = '']) => name,
      );
      const [name] = named;
      const [only, ...others] = (name && names.get(name)) || [];
      if (!name || named.length > 2 || !only || others.length > 0) continue;
      const text = asked(sentence.replace(/\s+/g, ' '), name, random);
      if (text) practice.push({ kind: 'document', text, path: only.path, name: only.qualified });
    }
  }
  return practice;
}

const raises = /\b(?:raise|throw|panic|bail|Errorf|errors\.New|abort|fail|error|warn|die|exception)\w*!?\b/i;

/** Messages of failures, with some words left out: they ask for where it fails. */
export function practiceOfMessages(code: CodeStore, tree: string): Practice[] {
  const random = randomNumbers(11);
  const practice: Practice[] = [];
  for (const { path } of shuffled(code.files(), random)) {
    if (isTestPath(path) || isProseOrSettings(path)) continue;
    for (const symbol of code.fileSymbols(path).filter(isMeant)) {
      if (practice.length >= mostOfKind / 3) return practice;
      if (symbol.kind !== 'function' && symbol.kind !== 'method') continue;
      const line = linesOf(tree, path)
        .slice(symbol.line - 1, symbol.end_line)
        .find((each) => raises.test(each) && /"[^"]{25,}"/.test(each));
      const said = /"([^"]{25,})"/.exec(line ?? '')?.[1]?.replace(/%\w|\{[^}]*\}|#\{[^}]*\}/g, ' ') ?? '';
      const words = said.split(/\s+/).filter(() => random() > 0.35);
      const text = asked(words.join(' '), symbol.name, random);
      if (text) practice.push({ kind: 'message', text, path, name: symbol.qualified });
    }
  }
  return practice;
}

/** Questions that persons wrote with their answers (`questions.tsv`): repository, question, places. */
export const practiceOfPersons = (repository: string): Practice[] =>
  readFileSync(new URL('./questions.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((row) => row.split('\t'))
    .filter(([name]) => name === repository)
    .map(([, text = '', places = '']) => ({
      kind: 'person',
      text,
      path: '',
      name: '',
      lines: places.split('|'),
    }));

/** Does a place hold one of the lines that were written down? */
export function holds(lines: string[], owner: string, from: number, to: number): boolean {
  return lines.some((each) => {
    const [path = '', first, last = first] = each.split(/[:-](?=\d+(?:-\d+)?$|\d+$)/);
    return owner.startsWith(path) && (!first || (from <= Number(last) && to >= Number(first)));
  });
}
