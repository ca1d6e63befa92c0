import { SylkError } from '../../../base/errors.ts';
import { tree } from '../../../base/files/index.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import type { CompiledFile, CompiledLink } from '../compiler/protocol.ts';
import { writeCompiled } from '../compiler/write.ts';
import { contentHash } from '../parse-file.ts';
import { type Occurrence, type ScipDocument, scipDocuments } from './read.ts';

export interface ScipReport {
  /** Files whose links come from the index now. */
  files: number;
  links: number;
  /** Files of the index that are not here, not indexed, or have another text. */
  refused: Array<{ path: string; reason: string }>;
}

/** Below this share of mentions that fit the text, the index was made from another text. */
const leastFitting = 0.9;
/** The others are renamed by imports. */
const leastLiteral = 0.6;
const definition = 1;
const brings = 2;
const largest = 2_000_000;

interface Mention extends Occurrence {
  at: number;
  line: number;
  name: string;
  /** As the text has it; an import may rename it. */
  written: string;
  isCall: boolean;
}

interface FittingDocument {
  path: string;
  hash: string;
  mentions: Mention[];
}

/**
 * Puts links of a SCIP index in the place of those that scopes and imports gave. Every range is held against the file's
 * text: a mention that is no whole name there, or a definition under another name, is dropped, a document with many of them refused.
 */
export function importScip(
  { sqlite, mainRoot }: { sqlite: Sqlite; mainRoot: string },
  bytes: Uint8Array,
): ScipReport {
  const report: ScipReport = { files: 0, links: 0, refused: [] };
  const documents: FittingDocument[] = [];
  for (const document of documentsIn(bytes)) {
    const fitting = fit(sqlite, mainRoot, document);
    if (typeof fitting === 'string') report.refused.push({ path: document.path, reason: fitting });
    else documents.push(fitting);
  }
  const places = new Map<string, { path: string; mention: Mention }>();
  for (const { path, mentions } of documents)
    for (const mention of mentions)
      if (mention.roles & definition && !places.has(mention.symbol))
        places.set(mention.symbol, { path, mention });
  for (const { path, hash, mentions } of documents) {
    const links = mentions.flatMap((mention): CompiledLink[] => {
      const target = places.get(mention.symbol);
      if (!target || mention.roles & (definition | brings)) return [];
      const kind = mention.isCall ? 'calls' : 'references';
      return [[mention.at, mention.line, kind, target.path, target.mention.name, target.mention.at]];
    });
    const file: CompiledFile = { path, hash, links, unknown: [] };
    if (!writeCompiled(sqlite, file, 'scip')) continue;
    report.files++;
    report.links += links.length;
  }
  return report;
}

function* documentsIn(bytes: Uint8Array): Generator<ScipDocument> {
  try {
    yield* scipDocuments(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SylkError('VALIDATION_ERROR', 'This file is not a SCIP index.', {
      hint: 'Give the file that a SCIP indexer wrote, usually index.scip.',
    });
  }
}

/** The mentions of a document that are in its file, or why the document is refused. */
function fit(
  sqlite: Sqlite,
  root: string,
  { path, occurrences, encoding }: ScipDocument,
): FittingDocument | string {
  const hash = sqlite.value<string>(
    "SELECT hash FROM code_files WHERE path = ? AND view = 0 AND hash <> ''",
    path,
  );
  if (hash === undefined) return 'not indexed here';
  const text = readAsIndexed(root, path, hash);
  if (text === undefined) return 'changed since it was indexed';
  const lines = linesOf(text);
  const named = occurrences
    .map((occurrence) => ({ ...occurrence, name: nameOf(occurrence.symbol) }))
    .filter(({ name }) => name !== '');
  const importing = importLines(text);
  const mentions = named.flatMap((occurrence): Mention[] => {
    const [line = -1, from = -1, ...rest] = occurrence.range;
    const found = lines[line];
    const to = rest.at(-1) ?? -1;
    // A name stands in one line.
    if (!found || (rest.length > 1 && rest[0] !== line)) return [];
    const [start, end] = [unitsOf(found.text, from, encoding), unitsOf(found.text, to, encoding)];
    if (!isWholeName(found.text, start, end)) return [];
    const name = found.text.slice(start, end);
    // Only a use may have another name: an import can give it one.
    if (occurrence.roles & definition && name !== occurrence.name) return [];
    const isCall = /^\s*(?:(?:::)?<[^>()]*>)?\s*\(/.test(found.text.slice(end));
    const roles = occurrence.roles | (importing.has(line) ? brings : 0);
    return [{ ...occurrence, roles, written: name, at: found.at + start, line: line + 1, isCall }];
  });
  const literal = mentions.filter(({ written, name }) => written === name).length;
  if (
    named.length > 0 &&
    (mentions.length < named.length * leastFitting || literal < named.length * leastLiteral)
  )
    return 'its text is another one';
  return { path, hash, mentions };
}

const nameUnit = /[\p{L}\p{N}_$]/u;

/** A name from its first to its last letter, not a part of one. */
const isWholeName = (line: string, start: number, end: number): boolean =>
  end > start &&
  [...line.slice(start, end)].every((unit) => nameUnit.test(unit)) &&
  !nameUnit.test(line[start - 1] ?? ' ') &&
  !nameUnit.test(line[end] ?? ' ');

const imports =
  /^[ \t]*(?:(?:import|export)\b[^;'"`()=]*?\bfrom\b.*|from\b[^\n]*\bimport[ \t]*\([^)]*\)|(?:pub(?:\([a-z]+\))?[ \t]+)?use\b[^;]*;|(?:import|from|using|require|#include)\b.*)$/gm;

/** Lines, from 0, that only bring names in. */
function importLines(text: string): Set<number> {
  const found = new Set<number>();
  for (const match of text.matchAll(imports)) {
    const first = text.slice(0, match.index).split('\n').length - 1;
    for (let line = first; line < first + match[0].split('\n').length; line++) found.add(line);
  }
  return found;
}

/** The text of a file if it is still the one that was indexed; never through a link. */
export function readAsIndexed(root: string, path: string, hash: string): string | undefined {
  if (path.startsWith('/') || path.split('/').includes('..')) return undefined;
  try {
    const bytes = tree.read(root, path, { limit: largest });
    return contentHash(bytes) === hash ? bytes.toString('utf8').replace(/^\ufeff/, '') : undefined;
  } catch {
    // Gone, a link, or too large.
    return undefined;
  }
}

export function linesOf(text: string): Array<{ text: string; at: number }> {
  let at = 0;
  return text.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    return { text: line, at: start };
  });
}

/** A column in UTF-16 units. */
function unitsOf(line: string, column: number, encoding: number): number {
  if (encoding === 1) return Buffer.from(line).subarray(0, column).toString('utf8').length;
  if (encoding === 3) return [...line].slice(0, column).join('').length;
  return column;
}

/** The name at the end of a symbol: `… models.py/Session#close().` → close. Locals, packages and parameters have none. */
function nameOf(symbol: string): string {
  if (symbol.startsWith('local ') || /[/:)\]]$/.test(symbol)) return '';
  const [, quoted, plain] = /(?:`([^`]+)`|([\p{L}\p{N}_$+-]+))(?:\([^()]*\)\.|[.#!])$/u.exec(symbol) ?? [];
  const name = quoted ?? plain ?? '';
  // Accessors and constructors have a mark before their name.
  return name.replace(/^<(?:get|set)>/, '').replace(/^<constructor>$/, 'constructor');
}
