import { isAlias, LineCounter, parseDocument, visit } from 'yaml';
import { objectOf } from '../../base/json.ts';
import { isNestedTooDeep } from '../../base/text/index.ts';
import type { ProblemKey } from './problems.ts';

/** Keys and values of a front matter, each with its line, and what had to be tolerated to read them. */
export interface FrontMatter {
  values: Record<string, unknown>;
  lineOf(key: string): number;
  forgiven: Array<{ key: ProblemKey; line: number }>;
}

const key = /^( {2})?([A-Za-z_][\w-]*):(?: +(.*\S))? *$/;
const plainText = /^[A-Za-z0-9(][^#:]*$/;
const quotedText = /^"([^"\\]*)"$/;
const words = /^\[([\w./ -]+(?:,[\w./ -]+)*)\]$/;
const notText = /^(?:~|null|true|false|yes|no|on|off|[-+.]?[\d.].*)$/i;

/** The value of a line that YAML could only read one way; undefined for everything else. */
function simpleValue(text: string): string | string[] | undefined {
  const quoted = quotedText.exec(text);
  if (quoted) return quoted[1];
  const list = words
    .exec(text)?.[1]
    ?.split(',')
    .map((word) => word.trim());
  if (list)
    return list.every((word) => word !== '' && !word.startsWith('-') && !notText.test(word))
      ? list
      : undefined;
  return plainText.test(text) && !notText.test(text) ? text : undefined;
}

const isEmpty = (map: object | undefined): boolean => map !== undefined && Object.keys(map).length === 0;

/** Most front matters are a few lines of `key: text`, which need no YAML parser. Anything else returns undefined. */
function readSimple(lines: string[], firstLine: number): FrontMatter | undefined {
  const values: Record<string, unknown> = {};
  const at: Record<string, number> = {};
  let nested: Record<string, unknown> | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const match = key.exec(line);
    if (!match) return undefined;
    const [, indent, name = '', text] = match;
    const target = indent === undefined ? values : nested;
    if (!target || name in target) return undefined;
    if (indent === undefined) {
      if (isEmpty(nested)) return undefined;
      nested = text === undefined ? {} : undefined;
      at[name] = firstLine + index;
    }
    const table = indent === undefined ? nested : undefined;
    const value = text === undefined ? table : simpleValue(text);
    if (value === undefined) return undefined;
    target[name] = value;
  }
  if (isEmpty(nested)) return undefined;
  return { values, lineOf: (wanted) => at[wanted] ?? firstLine, forgiven: [] };
}

/** Reads the text between the two `---` lines. `firstLine` is the line after the opening one. */
export function readFrontMatter(text: string, firstLine: number): FrontMatter | undefined {
  const lines = text.split('\n');
  return readSimple(lines, firstLine) ?? readYaml(text, firstLine) ?? readLenient(lines, firstLine);
}

function readYaml(text: string, firstLine: number): FrontMatter | undefined {
  if (isNestedTooDeep(text)) return undefined;
  const counter = new LineCounter();
  const forgiven: FrontMatter['forgiven'] = [];
  const lineAt = (offset: number) => counter.linePos(offset).line + firstLine - 1;
  const document = parseDocument(text, { lineCounter: counter, logLevel: 'silent' });
  for (const error of document.errors) {
    // Duplicate keys are tolerated: three of four clients load such skills and use the last value.
    if (error.code !== 'DUPLICATE_KEY') return undefined;
    forgiven.push({ key: 'duplicate-key', line: lineAt(error.pos[0]) });
  }
  if (hasAlias(document)) return undefined;
  const contents = document.contents as { items?: Array<{ key?: { value?: unknown; range?: [number] } }> };
  if (!Array.isArray(contents?.items)) return undefined;
  const lineOfKey = new Map<string, number>();
  for (const { key: name } of contents.items) {
    if (!name || typeof name.value === 'object') return undefined;
    lineOfKey.set(String(name.value), lineAt(name.range?.[0] ?? 0));
  }
  return {
    values: objectOf(document.toJS()),
    lineOf: (wanted) => lineOfKey.get(wanted) ?? firstLine,
    forgiven,
  };
}

/** Aliases can turn a small file into a huge one; no skill needs them. */
function hasAlias(document: Parameters<typeof visit>[0]): boolean {
  let found = false;
  visit(document, (_key, node) => {
    if (!isAlias(node)) return undefined;
    found = true;
    return visit.BREAK;
  });
  return found;
}

/** Invalid YAML, such as `description: Use when: …` or tabs: each `key: rest of the line` at the margin is read as text. */
function readLenient(lines: string[], firstLine: number): FrontMatter | undefined {
  const values: Record<string, string> = {};
  const at: Record<string, number> = {};
  let current: string | undefined;
  for (const [index, line] of lines.entries()) {
    const match = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*)|)$/.exec(line);
    if (match) {
      current = match[1] ?? '';
      values[current] = unquote((match[2] ?? '').trim());
      at[current] = firstLine + index;
    } else if (current && /^[ \t]+\S/.test(line)) {
      const before = values[current] ?? '';
      const text = line.trim();
      values[current] = before === '' || /^[|>][+-]?\d?$/.test(before) ? text : `${before} ${text}`;
    }
  }
  if (Object.keys(values).length === 0) return undefined;
  return {
    values,
    lineOf: (wanted) => at[wanted] ?? firstLine,
    forgiven: [{ key: 'yaml/plain', line: firstLine + firstBadLine(lines) }],
  };
}

function firstBadLine(lines: string[]): number {
  if (isNestedTooDeep(lines.join('\n'))) return 0;
  const counter = new LineCounter();
  const document = parseDocument(lines.join('\n'), { lineCounter: counter, logLevel: 'silent' });
  const first = document.errors[0];
  return first ? Math.min(lines.length, counter.linePos(first.pos[0]).line) - 1 : 0;
}

const unquote = (text: string): string =>
  /^"[^"]*"$/.test(text) || /^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
