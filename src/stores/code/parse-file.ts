import { hash } from 'node:crypto';
import { mask, redact } from '../../base/redact.ts';
import {
  type Definition,
  type Facts,
  isParsed,
  type Language,
  languageOfText,
  readFacts,
  type Use,
} from '../../base/syntax/index.ts';
import { type SkipReason, skipByContent } from './skip-rules.ts';
import { gatherWords } from './words.ts';

/** The parse result of a file. Arrays and strings only: it crosses threads. */
export interface ParsedFile {
  path: string;
  size: number;
  modified: number;
  skip?: SkipReason;
  hash: string;
  /** Changes when other files may need relinking: everything except the inside of functions. */
  interface: string;
  language: Language;
  package: string;
  lines: number;
  broken: boolean;
  symbols: SymbolRow[];
  /** Words for the file, then for each symbol. */
  words: string[];
  facts: string;
  uses: string;
}

/** A file of which nothing was read. */
export const unparsed: ParsedFile = {
  path: '',
  size: 0,
  modified: 0,
  hash: '',
  interface: '',
  language: 'markdown',
  package: '',
  lines: 0,
  broken: false,
  symbols: [],
  words: [],
  facts: '',
  uses: '',
};

export type SymbolRow = [
  kind: string,
  name: string,
  key: string,
  parent: number,
  line: number,
  endLine: number,
  start: number,
  end: number,
  exported: 0 | 1,
  declaration: 0 | 1,
  signature: string,
  doc: string,
];

/** What linking needs from a file; stored as JSON, read on demand. */
export interface LinkFacts {
  /** kind, name, parent, container, key; declarations are marked by a trailing 1. */
  definitions: Array<
    [kind: string, name: string, parent: number, container: string, key: string, declaration: 0 | 1]
  >;
  bindings: Array<[how: string, scope: number, name: string, path: string]>;
  imports: Array<[from: string, name: string, as: string, reexport: 0 | 1]>;
  exports: Array<[name: string, as: string]>;
  /** What a type extends, implements or embeds. */
  heritage: Array<[scope: number, path: string]>;
}

export type LinkUse = [kind: string, path: string, scope: number, line: number];

export const contentHash = (bytes: Uint8Array): string => hash('sha1', bytes, 'base64').slice(0, 22);

const functionKinds = new Set(['function', 'method', 'constructor', 'macro']);

export async function parseFile(
  path: string,
  bytes: Buffer,
  modified: number,
  timeoutMs: number,
): Promise<ParsedFile> {
  const empty: ParsedFile = { ...unparsed, path, size: bytes.length, modified, hash: contentHash(bytes) };
  const text = mask(bytes.toString('utf8').replace(/^\ufeff/, ''));
  // A text of no known language is searched as a document.
  const language = languageOfText(path, text) ?? 'text';
  const skip = skipByContent(path, bytes, text);
  if (skip) return { ...empty, skip };
  const facts = await readFacts(text, language, timeoutMs);
  const known = new Set([
    ...facts.imports.map((one) => one.as),
    ...facts.definitions.filter((one) => isReachedByName(one, facts)).map((one) => one.name),
  ]);
  known.delete('');
  const { texts, references } = gatherWords(
    path,
    text,
    language,
    facts.definitions,
    known,
    isParsed(language),
    facts.quiet,
  );
  const linkFacts = factsFor(facts);
  return {
    ...empty,
    language,
    package: facts.package,
    lines: countLines(text),
    broken: facts.broken,
    symbols: facts.definitions.map((one, index) => symbolRow(one, linkFacts.definitions[index]?.[4] ?? '')),
    words: texts,
    facts: JSON.stringify(linkFacts),
    uses: JSON.stringify(usesFor(facts, references, text)),
    interface: interfaceOf(linkFacts, facts.package),
  };
}

/** A member is reached through what it belongs to; everything else by its bare name. */
const isReachedByName = ({ kind, parent }: Definition, { definitions }: Facts): boolean =>
  parent < 0 || (kind !== 'method' && functionKinds.has(definitions[parent]?.kind ?? ''));

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function symbolRow(one: Definition, key: string): SymbolRow {
  return [
    one.kind,
    one.name,
    key,
    one.parent,
    one.line,
    one.endLine,
    one.start,
    one.end,
    one.exported ? 1 : 0,
    one.declaration ? 1 : 0,
    clean(one.signature),
    clean(one.doc),
  ];
}

const suspicious = /["'][^"']{8,}|[A-Za-z0-9+/]{20,}|:\/\//;
const clean = (text: string): string => (suspicious.test(text) ? redact(text) : text);

/** Equal names in one file are distinguished by `~2`, `~3` in order of appearance. */
function factsFor(facts: Facts): LinkFacts {
  const seen = new Map<string, number>();
  return {
    definitions: facts.definitions.map((one) => {
      const count = (seen.get(one.qualified) ?? 0) + 1;
      seen.set(one.qualified, count);
      const key = count === 1 ? one.qualified : `${one.qualified}~${count}`;
      return [one.kind, one.name, one.parent, one.container, key, one.declaration ? 1 : 0];
    }),
    bindings: facts.bindings.map((one) => [one.how, one.scope, one.name, one.path]),
    imports: facts.imports.map((one) => [one.from, one.name, one.as, one.reexport ? 1 : 0]),
    exports: facts.exports.map((one) => [one.name, one.as]),
    heritage: facts.uses
      .filter((one) => one.kind === 'extends' || one.kind === 'implements' || one.kind === 'embeds')
      .map((one) => [one.scope, one.path]),
  };
}

/** `a.b()` → a */
function headOf(path: string): string {
  for (let at = 0; at < path.length; at++) {
    const character = path[at];
    if (character === '.' || character === '(' || character === '[') return path.slice(0, at);
  }
  return path;
}

function usesFor(facts: Facts, references: Use[], text: string): LinkUse[] {
  const uses: LinkUse[] = facts.uses.map((one) => [one.kind, one.path, one.scope, one.line]);
  const seen = new Set(facts.uses.map((one) => `${one.scope} ${one.path} ${one.line}`));
  let line = 1;
  let from = 0;
  for (const one of references) {
    const at = -one.line;
    for (let next = text.indexOf('\n', from); next >= 0 && next < at; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    const site = `${one.scope} ${one.path} ${line}`;
    if (seen.has(site)) continue;
    seen.add(site);
    uses.push([one.kind, one.path, one.scope, line]);
  }
  return uses;
}

function interfaceOf(facts: LinkFacts, packageName: string): string {
  const reach = namesThatResultsNeed(facts);
  const outside = facts.bindings.filter(
    ([how, scope, name]) =>
      how !== 'value' ||
      scope < 0 ||
      reach.has(name) ||
      !functionKinds.has(facts.definitions[scope]?.[0] ?? ''),
  );
  const whole = JSON.stringify([
    facts.definitions,
    outside,
    facts.imports,
    facts.exports,
    facts.heritage,
    packageName,
  ]);
  return hash('sha1', whole, 'base64').slice(0, 12);
}

/** `x = make(); return x`: the return value depends on local names, so these are part of the interface. */
function namesThatResultsNeed(facts: LinkFacts): Set<string> {
  const names = new Set(
    facts.bindings.filter(([how]) => how === 'result').map(([, , , path]) => headOf(path)),
  );
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const [how, , name, path] of facts.bindings)
      if (how === 'value' && names.has(name)) names.add(headOf(path));
  }
  return names;
}
