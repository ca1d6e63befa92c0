import { isDeepStrictEqual } from 'node:util';
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { SylkError } from '../../base/errors.ts';

/**
 * Edits JSON with comments without changing any other byte. A new entry goes before its siblings:
 * there it affects no comment and no trailing comma, and removing it restores the same bytes.
 */
export function setJsonEntry(text: string, keys: string[], value: unknown): string {
  const style = styleOf(text);
  if (text.replace(/^\ufeff/, '').trim() === '')
    return `${text}${write(nest(keys, value), '', style)}${style.eol}`;
  const root = parseRoot(text);
  const there = findNodeAtLocation(root, keys);
  if (there) {
    if (isDeepStrictEqual(plainValue(there), value)) return text;
    const written = write(value, indentAt(text, there.parent?.offset ?? 0), style);
    return text.slice(0, there.offset) + written + text.slice(there.offset + there.length);
  }
  let depth = keys.length - 1;
  let holder = findNodeAtLocation(root, keys.slice(0, depth));
  while (!holder) holder = findNodeAtLocation(root, keys.slice(0, --depth));
  requireObject(holder, text, keys.slice(0, depth));
  return insertProperty(text, holder, keys[depth] ?? '', nest(keys.slice(depth + 1), value), style);
}

/** Removes an entry with its comma and its line, which restores the original text. */
export function removeJsonEntry(text: string, keys: string[]): string {
  if (text.trim() === '') return text;
  const root = parseRoot(text);
  const property = findNodeAtLocation(root, keys)?.parent;
  if (property?.type !== 'property') return text;
  const siblings = property.parent?.children ?? [];
  const at = siblings.indexOf(property);
  const end = property.offset + property.length;
  const comma = commaAfter(text, end);
  if (comma !== undefined && text.slice(end, comma).trim() === '')
    return cut(text, property.offset, comma + 1, true);
  if (comma !== undefined)
    return cut(text.slice(0, comma) + text.slice(comma + 1), property.offset, end, true);
  const before = siblings[at - 1];
  if (!before) return cut(text, property.offset, end, false);
  const leading = commaAfter(text, before.offset + before.length) ?? before.offset + before.length;
  if (text.slice(leading + 1, property.offset).trim() === '') return text.slice(0, leading) + text.slice(end);
  return text.slice(0, leading) + cut(text, property.offset, end, false).slice(leading + 1);
}

export function readJsonEntry(text: string, keys: string[]): unknown {
  if (text.replace(/^\ufeff/, '').trim() === '') return undefined;
  const node = findNodeAtLocation(parseRoot(text), keys);
  return node && plainValue(node);
}

/** Parsed objects have no prototype; converted to plain ones for comparison and display. */
const plainValue = (node: Node): unknown => JSON.parse(JSON.stringify(getNodeValue(node)));

interface Style {
  eol: string;
  unit: string;
}

function styleOf(text: string): Style {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /^([ \t]+)["/]/m.exec(text)?.[1] ?? '  ' };
}

const nest = (keys: string[], value: unknown): unknown =>
  keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);

const write = (value: unknown, indent: string, { eol, unit }: Style): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);

function parseRoot(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, {
    allowTrailingComma: true,
    disallowComments: false,
  });
  const broken = errors[0];
  if (broken || !root) {
    const line = text.slice(0, broken?.offset ?? 0).split('\n').length;
    throw new SylkError(
      'VALIDATION_ERROR',
      `line ${line}: not valid JSON (${broken ? printParseErrorCode(broken.error) : 'empty'})`,
    );
  }
  requireObject(root, text, []);
  return root;
}

function requireObject(node: Node, text: string, keys: string[]): void {
  if (node.type === 'object') return;
  const line = text.slice(0, node.offset).split('\n').length;
  throw new SylkError(
    'VALIDATION_ERROR',
    `line ${line}: ${keys.length > 0 ? keys.join('.') : 'the file'} is not an object`,
  );
}

function insertProperty(text: string, holder: Node, key: string, value: unknown, style: Style): string {
  const open = holder.offset + 1;
  const close = holder.offset + holder.length - 1;
  const first = holder.children?.[0];
  const base = indentAt(text, holder.offset);
  const indent = first ? indentAt(text, first.offset) : base + style.unit;
  const block = `${JSON.stringify(key)}: ${write(value, indent, style)}`;
  const put = (at: number, inserted: string, until = at) => text.slice(0, at) + inserted + text.slice(until);
  if (!first) {
    const bare = text.slice(open, close).trim() === '';
    return put(open, `${style.eol}${indent}${block}${bare ? style.eol + base : ''}`, bare ? close : open);
  }
  if (!text.slice(open, close).includes('\n'))
    return put(first.offset, `${JSON.stringify(key)}: ${JSON.stringify(value)}, `);
  const lineEnd = text.indexOf('\n', open) + 1;
  if (lineEnd <= first.offset && !text.slice(open, lineEnd).includes('/*'))
    return put(lineEnd, `${indent}${block},${style.eol}`);
  return put(first.offset, `${block},${style.eol}${indent}`);
}

/** The whitespace at the start of the line of `offset`. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

/** Cuts a span; whole lines are removed if nothing else is on them. */
function cut(text: string, start: number, end: number, eatBlanks: boolean): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const tail = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (text.slice(lineStart, start).trim() === '' && tail && lineStart > 0)
    return text.slice(0, lineStart) + text.slice(end + tail[0].length);
  const blanks = eatBlanks ? (/^[ \t]*(?:\r?\n[ \t]*)?/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  return text.slice(0, start) + text.slice(end + blanks);
}
