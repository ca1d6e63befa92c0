import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { messageOf, SylkError } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import { type TomlTable, tomlTables } from './toml-tables.ts';

type Value = Record<string, unknown>;

/** Edits TOML as text: a new table goes to the end, ours is replaced in place, every other byte stays. */
export function setTomlEntry(text: string, keys: string[], value: Value): string {
  const there = readTomlEntry(text, keys);
  if (isDeepStrictEqual(there, value)) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = write(keys, value, eol);
  const ours = tablesAt(text, keys);
  if (there !== undefined && ours.length === 0) throw inlineEntry(text, keys);
  const [first] = ours;
  if (first) {
    const rest = ours.slice(1).reduceRight((left, table) => cutTable(left, table), text);
    return checked(rest.slice(0, first.start) + block + rest.slice(first.end), text, keys, value);
  }
  const closed = text === '' || text.endsWith('\n') ? text : text + eol;
  return checked(closed === '' ? block : closed + eol + block, text, keys, value);
}

export function removeTomlEntry(text: string, keys: string[]): string {
  if (readTomlEntry(text, keys) === undefined) return text;
  const ours = tablesAt(text, keys);
  if (ours.length === 0) throw inlineEntry(text, keys);
  return checked(
    ours.reduceRight((left, table) => cutTable(left, table), text),
    text,
    keys,
    undefined,
  );
}

export function readTomlEntry(text: string, keys: string[]): unknown {
  let value: unknown = parsed(text);
  for (const key of keys) value = objectOf(value)[key];
  return value === undefined ? undefined : plainOf(value);
}

function parsed(text: string): Value {
  try {
    return parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const { line = 1 } = objectOf(error);
    const why = messageOf(error).split('\n')[0];
    throw new SylkError('VALIDATION_ERROR', `line ${line}: not valid TOML (${why})`);
  }
}

const plainOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const write = (keys: string[], value: Value, eol: string): string =>
  `[${keys.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')}]\n${stringify(value).trimEnd()}\n`.replaceAll(
    '\n',
    eol,
  );

const tablesAt = (text: string, keys: string[]): TomlTable[] =>
  tomlTables(text).filter((table) => keys.every((key, at) => table.keys[at] === key));

/** Our table with the blank line that stands before it. */
function cutTable(text: string, table: TomlTable): string {
  const before = text.slice(0, table.start);
  const blank = /(?:^|\n)(\r?\n)$/.exec(before);
  return before.slice(0, before.length - (blank?.[1]?.length ?? 0)) + text.slice(table.end);
}

function inlineEntry(text: string, keys: string[]): SylkError {
  const line =
    text
      .slice(0, Math.max(0, text.search(new RegExp(`\\b${keys.at(-1)?.replace(/\W/g, '.')}\\b`))))
      .split('\n').length || 1;
  return new SylkError(
    'VALIDATION_ERROR',
    `line ${line}: ${keys.join('.')} is written inline, not as a table`,
  );
}

/** Only our entry may change its meaning; any other edit is refused. */
function checked(edited: string, original: string, keys: string[], value: Value | undefined): string {
  let after: Value;
  try {
    after = parsed(edited);
  } catch {
    throw inlineEntry(original, keys);
  }
  if (!isDeepStrictEqual(readTomlEntry(edited, keys), value)) throw inlineEntry(original, keys);
  const rest = (all: Value) => {
    const copy = plainOf(all) as Value;
    const table = keys.slice(0, -1).reduce<Value | undefined>((at, key) => at?.[key] as Value, copy);
    if (table) delete table[keys.at(-1) ?? ''];
    if (table && Object.keys(table).length === 0 && keys.length === 2) delete copy[keys[0] ?? ''];
    return copy;
  };
  if (!isDeepStrictEqual(rest(after), rest(parsed(original)))) throw inlineEntry(original, keys);
  return edited;
}
