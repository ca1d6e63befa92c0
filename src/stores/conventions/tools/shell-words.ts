import { posix } from 'node:path';

/**
 * Finds the programs that a shell script starts. Nothing is run or expanded: the text comes from a
 * repository. docs/decisions/conventions-libraries.md says why no library does this.
 */

/** Splits a script into statements; a pipe stays inside its statement. */
export function statements(script: string): string[] {
  return cut(joinLines(script), /^(&&|\|\||;|\n|&(?!>))/)
    .map((part) =>
      part
        .trim()
        .replace(/^[@-]+(?=[\w./$"'[(])/, '')
        .trim(),
    )
    .filter((part) => part !== '' && !part.startsWith('#'));
}

/** Statements with the directory that they run in: `cd` moves the ones after it. */
export function placedStatements(
  script: string,
  directory: string,
): Array<{ statement: string; directory: string }> {
  let current = directory;
  return statements(script).flatMap((statement) => {
    const [, target] = /^\(?\s*cd\s+["']?([\w./@-]+)["']?$/.exec(statement) ?? [];
    if (target === undefined) return [{ statement, directory: current }];
    current = target === '-' ? directory : below(current, target);
    return [];
  });
}

const below = (directory: string, path: string): string =>
  posix
    .join(directory, path)
    .replace(/^\.$|^\.\.(\/|$).*/, '')
    .replace(/\/$/, '');

/** The programs of one statement, one list of words each: pipes and subshells are split. */
export function commandsOf(statement: string): string[][] {
  return cut(statement, /^(\||&&|;)/)
    .map((part) => words(part))
    .map((parts) => dropKeywords(parts))
    .filter((parts) => parts.length > 0);
}

/** `\` at a line end joins; expressions of workflow files lose their spaces so that they stay one word. */
function joinLines(script: string): string {
  return script
    .replace(/\\\r?\n\s*/g, ' ')
    .replace(/\$\{\{([^}]*)\}\}/g, (_all, inner: string) => `\${{${inner.replace(/\s+/g, '')}}}`);
}

function cut(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  text = withoutComments(text);
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') at++;
    else if ('"\'`'.includes(character)) at = endOfQuote(text, at);
    else if (character === '(' && text[at - 1] === '$') depth++;
    else if (character === ')' && depth > 0) depth--;
    else if (depth === 0) {
      const found = separator.exec(text.slice(at, at + 2));
      if (found) {
        parts.push(text.slice(start, at));
        at += found[0].length - 1;
        start = at + 1;
      }
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** A `#` starts a comment at the start of a word, outside of quotes. */
const withoutComments = (text: string): string =>
  text.replace(/\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?|`[^`]*`?|(?<![^\s])#.*/g, (part) =>
    part.startsWith('#') ? '' : part,
  );

function words(text: string): string[] {
  return (
    text
      .match(/(?:\$\{\{[^}]*\}\}|\$\([^)]*\)|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g)
      ?.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'))
      .filter((word) => !/^\d*[<>]/.test(word)) ?? []
  );
}

const keywords = new Set('if then else elif do while until for ! { ( time exec command'.split(' '));

function dropKeywords(parts: string[]): string[] {
  let at = 0;
  while (at < parts.length && (keywords.has(parts[at] ?? '') || /^[({]+$/.test(parts[at] ?? ''))) at++;
  const rest = parts.slice(at).filter((word) => !/^[)}]+$/.test(word));
  if (rest[0]?.startsWith('(')) rest[0] = rest[0].replace(/^\(+/, '');
  return rest;
}

/** A program that starts another one; data/commands.toml explains the fields. */
export interface Wrapper {
  after?: string[];
  flags?: boolean;
  valued?: string[];
  assignments?: boolean;
  until?: string[];
}

/** How many words a wrapper and its options take before the program it starts; 0 when it starts none. */
function wrapperLength(words: string[], { after, flags, valued = [], assignments, until }: Wrapper): number {
  if (after && !after.includes(words[1] ?? '')) return 0;
  if (until) return words.findIndex((word) => until.includes(word)) + 1;
  let length = after ? 2 : 1;
  for (let word = words[length]; word !== undefined; word = words[length]) {
    if (flags && word.startsWith('-')) length += valued.includes(word) ? 2 : 1;
    else if (assignments && /^\w+=/.test(word)) length++;
    else break;
  }
  return length;
}

/** The program and its arguments without assignments and wrappers: `X=1 npx eslint .` → eslint, `.`. */
export function unwrap(words: string[], wrappers: Record<string, Wrapper>): string[] {
  let rest = words;
  for (let round = 0; round < 8; round++) {
    const start = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    rest = start < 0 ? [] : rest.slice(start);
    const program = programName(rest[0] ?? '');
    const wrapper = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
    const skip = wrapper ? wrapperLength(rest, wrapper) : 0;
    if (skip <= 0 || skip >= rest.length) break;
    rest = rest.slice(skip);
  }
  return rest;
}

/** `./vendor/bin/phpunit.bat` → phpunit; `${PREFIX}ruff` → ruff; `clang-format-21` → clang-format. */
export function programName(word: string): string {
  const bare = word.replace(/^(?:\$\{\w+\}|\$\(\w+\))(?=\w)/, '');
  const base = bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf('\\')) + 1);
  return base
    .replace(/\.(exe|bat|cmd|phar|js|mjs)$/, '')
    .replace(/^(clang-(?:format|tidy)|python)-?\d[\d.]*$/, '$1')
    .replace(/@[\w.^~-]+$/, '');
}
