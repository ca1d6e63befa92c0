/** A `[table]` of a TOML text: from its header to the end of its last key, without comments that follow. */
export interface TomlTable {
  keys: string[];
  start: number;
  end: number;
}

/** Finds tables by parsing statements, so that a header inside a string or a list does not count. */
export function tomlTables(text: string): TomlTable[] {
  const tables: TomlTable[] = [];
  let at = 0;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, lineEnd);
    const header = /^[ \t]*\[(?!\[)([^\n]*?)\][ \t]*(?:#.*)?\r?\n?$/.exec(line);
    const listHeader = /^[ \t]*\[\[/.test(line);
    if (header || listHeader) {
      tables.push({ keys: header ? keysOf(header[1] ?? '') : [], start: at, end: lineEnd });
      at = lineEnd;
    } else if (/^[ \t]*(?:#.*)?\r?\n?$/.test(line)) {
      at = lineEnd;
    } else {
      at = endOfStatement(text, at);
      const table = tables.at(-1);
      if (table) table.end = at;
    }
  }
  return tables;
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found + 1;
}

/** A value may span lines: inside a list, or inside a text of three quotes. */
function endOfStatement(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '#') at = Math.max(at, endOfLine(text, at) - 2);
    else if (character === '"' || character === "'") at = endOfText(text, at) - 1;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === '\n' && depth <= 0) return at + 1;
  }
  return text.length;
}

function endOfText(text: string, from: number): number {
  const quote = text.charAt(from);
  const mark = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + mark.length; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text.startsWith(mark, at)) {
      at += mark.length;
      while (mark.length === 3 && text[at] === quote) at++;
      return at;
    }
  }
  return text.length;
}

const keysOf = (header: string): string[] =>
  [...header.matchAll(/\s*(?:("(?:[^"\\]|\\.)*")|'([^']*)'|([\w-]+))\s*(?:\.|$)/g)].map(
    ([, basic, literal, bare = '']) => (basic === undefined ? (literal ?? bare) : String(JSON.parse(basic))),
  );
