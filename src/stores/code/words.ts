import { createScopeFinder, type Definition, type Language, type Use } from '../../base/syntax/index.ts';
import { isStopWord, splitWords, stem } from '../../base/text/index.ts';

/**
 * Words are indexed without positions: `1…` for a word of a name, `2…` for a word of the head or comment, the bare word
 * for one of the body. One table of words then serves weighted search at a fraction of the size.
 */
export const fieldMarks = { name: '1', head: '2', body: '' } as const;

// Everything beyond ASCII counts as a letter: Unicode classes would double the time.
const word = String.raw`[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*`;
const string = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const forSlashes = new RegExp(String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|${string}|(${word})`, 'g');
const forHashes = new RegExp(
  String.raw`#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${string}|(${word})`,
  'g',
);
const plain = new RegExp(`(${word})`, 'g');
const inText = new RegExp(word, 'g');
const hashComments = new Set<Language>(['python', 'ruby', 'bash', 'yaml', 'toml', 'build']);

const memo = new Map<string, string[]>();
const memoLimit = 60_000;

/** Split, stemmed, without stop words; cached, because identifiers repeat. */
function wordsOf(identifier: string): string[] {
  let found = memo.get(identifier);
  if (!found) {
    found = identifier.length > 80 ? [] : splitWords(identifier).filter(worthwhile).map(stem);
    if (memo.size >= memoLimit) memo.clear();
    memo.set(identifier, found);
  }
  return found;
}

const worthwhile = (word: string): boolean =>
  word.length > 1 && word.length <= 32 && !isStopWord(word) && !/^\d/.test(word);

export interface FileWords {
  /** One text for the file itself, then one for each definition. */
  texts: string[];
  /** Mentions of what the file defines or imports, beyond calls; `line` is the negative offset. */
  references: Use[];
}

/** Collects the words of every definition and the mentions of resolvable names in one pass. */
export function gatherWords(
  path: string,
  text: string,
  language: Language,
  definitions: Definition[],
  known: ReadonlySet<string>,
  parsed: boolean,
  quiet: Array<[start: number, end: number]>,
): FileWords {
  const quietAt = createScopeFinder(quiet.map(([start, end]) => ({ start, end })));
  const ofFile = new Set<string>();
  const bodies = definitions.map(() => new Set<string>());
  const references: Use[] = [];
  const scopeAt = createScopeFinder(definitions.map(({ start, end }, index) => ({ start, end, index })));
  const pattern = parsed ? (hashComments.has(language) ? forHashes : forSlashes) : plain;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const at = found.index;
    const scope = scopeAt(at)?.index ?? -1;
    const body = bodies[scope] ?? ofFile;
    const identifier = found[1];
    if (identifier !== undefined) {
      body.add(identifier);
      if (parsed && known.has(identifier) && !quietAt(at)) noteReference(identifier, scope, at);
    } else if (found[0].length < 4000) {
      for (const one of found[0].match(inText) ?? []) body.add(one);
    }
  }

  function noteReference(name: string, scope: number, at: number): void {
    // `other.name` and `{ name: … }` are names of other things.
    const before = text[at - 1];
    if ((before === '.' && text[at - 2] !== '.') || isKey(text, at, name.length, language)) return;
    const own = definitions[scope];
    if (own && own.name === name && at - own.start < own.signature.length) return;
    references.push({ kind: 'reference', path: name, scope, line: -at });
  }

  const texts = definitions.map(({ name, signature, doc }, index) =>
    wordText(name, `${signature} ${doc}`, bodies[index] ?? ofFile),
  );
  const own = wordText(path.slice(path.lastIndexOf('/') + 1), path, ofFile);
  return { texts: [own, ...texts], references };
}

/** Languages in which `call(name=1)` gives an argument by the name of its parameter. */
const namedArguments = new Set<Language>(['python', 'kotlin']);

/** `{ name: 1` or `, name: 1`: a key of an object, a parameter with its type, or an argument by its name. */
function isKey(text: string, at: number, length: number, language: Language): boolean {
  const follows = text.slice(at + length, at + length + 4);
  const isNamed = namedArguments.has(language) && /^\s*=(?!=)/.test(follows);
  if (!isNamed && !/^\s*\??:(?!:)/.test(follows)) return false;
  return /[{,(]\s*$/.test(text.slice(Math.max(0, at - 40), at));
}

function wordText(name: string, head: string, body: Set<string>): string {
  const marked = new Set<string>();
  for (const one of wordsOf(name)) marked.add(fieldMarks.name + one);
  for (const identifier of head.match(inText) ?? [])
    for (const one of wordsOf(identifier)) marked.add(fieldMarks.head + one);
  for (const identifier of body) for (const one of wordsOf(identifier)) marked.add(one);
  return [...marked].join(' ');
}

/** Words of a query, in their indexed form. */
export const questionWords = (query: string): string[] => [
  ...new Set((query.match(inText) ?? []).flatMap((identifier) => wordsOf(identifier))),
];
