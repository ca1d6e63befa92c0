/**
 * Just enough of a shell to see which programs a line starts. Nothing is run and nothing is expanded: the text comes
 * from a repository.
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

/** The programs of one statement, one list of words each: pipes and sub-shells are taken apart. */
export function commandsOf(statement: string): string[][] {
  return cut(statement, /^(\||&&|;)/)
    .map((part) => words(part))
    .map((parts) => dropKeywords(parts))
    .filter((parts) => parts.length > 0);
}

/** `\` at a line end joins; expressions of workflow files lose their blanks so that they stay one word. */
function joinLines(script: string): string {
  return script
    .replace(/\\\r?\n\s*/g, ' ')
    .replace(/\$\{\{([^}]*)\}\}/g, (_all, inner: string) => `\${{${inner.replace(/\s+/g, '')}}}`);
}

function cut(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote) {
      if (character === '\\' && quote === '"') at++;
      else if (character === quote) quote = '';
      continue;
    }
    if (character === '\\') at++;
    else if (character === '"' || character === "'" || character === '`') quote = character;
    else if (character === '#' && (at === 0 || /\s/.test(text[at - 1]!))) {
      const end = text.indexOf('\n', at);
      text = text.slice(0, at) + (end < 0 ? '' : text.slice(end));
      at--;
    } else if (character === '(' && text[at - 1] === '$') depth++;
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

export function words(text: string): string[] {
  return (
    text
      .match(/(?:\$\{\{[^}]*\}\}|\$\([^)]*\)|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g)
      ?.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'))
      .filter((word) => !/^\d*[<>]/.test(word)) ?? []
  );
}

const keywords = new Set([
  'if',
  'then',
  'else',
  'elif',
  'do',
  'while',
  'until',
  'for',
  '!',
  '{',
  '(',
  'time',
  'exec',
  'command',
]);

function dropKeywords(parts: string[]): string[] {
  let at = 0;
  while (at < parts.length && (keywords.has(parts[at]!) || /^[({]+$/.test(parts[at]!))) at++;
  const rest = parts.slice(at).filter((word) => !/^[)}]+$/.test(word));
  if (rest[0]?.startsWith('(')) rest[0] = rest[0].replace(/^\(+/, '');
  return rest;
}

/** How many words a wrapper and its options take before the program that really runs; 0 when it is no wrapper. */
const wrappers: Record<string, (parts: string[]) => number> = {
  env: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-') || /^\w+=/.test(word)),
  sudo: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  nice: () => 1,
  xargs: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  'xvfb-run': (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  'cross-env': (parts) => 1 + countWhile(parts, 1, (word) => /^\w+=/.test(word)),
  'cross-env-shell': (parts) => 1 + countWhile(parts, 1, (word) => /^\w+=/.test(word)),
  npx: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  bunx: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  pnpx: () => 1,
  uvx: () => 1,
  c8: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  nyc: (parts) => 1 + optionsWithValues(parts, 1, ['--exclude', '--include', '--reporter', '--extension']),
  pnpm: (parts) => (/^(exec|dlx)$/.test(parts[1] ?? '') ? 2 : 0),
  npm: (parts) => (parts[1] === 'exec' ? 2 + countWhile(parts, 2, (word) => word.startsWith('-')) : 0),
  yarn: (parts) => (/^(exec|dlx)$/.test(parts[1] ?? '') ? 2 : 0),
  bun: (parts) => (parts[1] === 'x' ? 2 : 0),
  uv: (parts) =>
    parts[1] === 'run'
      ? 2 +
        optionsWithValues(parts, 2, [
          '--group',
          '--extra',
          '--with',
          '--python',
          '-p',
          '--project',
          '--package',
          '--only-group',
          '--no-group',
          '--directory',
        ])
      : 0,
  poetry: (parts) => (parts[1] === 'run' ? 2 : 0),
  pdm: (parts) => (parts[1] === 'run' ? 2 : 0),
  pipenv: (parts) => (parts[1] === 'run' ? 2 : 0),
  pipx: (parts) => (parts[1] === 'run' ? 2 : 0),
  rye: (parts) => (parts[1] === 'run' ? 2 : 0),
  bundle: (parts) => (parts[1] === 'exec' ? 2 : 0),
  opam: (parts) => (parts[1] === 'exec' ? 2 + countWhile(parts, 2, (word) => word.startsWith('-')) : 0),
  nix: (parts) => (/^(develop|shell)$/.test(parts[1] ?? '') ? indexAfter(parts, ['-c', '--command']) : 0),
  mise: (parts) => (/^(exec|x)$/.test(parts[1] ?? '') ? indexAfter(parts, ['--']) : 0),
  coverage: (parts) => (parts[1] === 'run' ? indexAfter(parts, ['-m']) : 0),
  python: (parts) => (parts[1] === '-m' ? 2 : 0),
  python3: (parts) => (parts[1] === '-m' ? 2 : 0),
  php: (parts) => 1 + countWhile(parts, 1, (word) => word.startsWith('-')),
  ruby: (parts) => (parts[1] === '-S' ? 2 : 0),
};

const countWhile = (parts: string[], from: number, holds: (word: string) => boolean): number => {
  let count = 0;
  while (from + count < parts.length && holds(parts[from + count]!)) count++;
  return count;
};

function optionsWithValues(parts: string[], from: number, valued: string[]): number {
  let at = from;
  while (at < parts.length && parts[at]!.startsWith('-')) at += valued.includes(parts[at]!) ? 2 : 1;
  return at - from;
}

const indexAfter = (parts: string[], marks: string[]): number =>
  parts.findIndex((word) => marks.includes(word)) + 1;

/** The program and its arguments without assignments, wrappers and directories: `X=1 npx eslint .` → eslint, `.`. */
export function unwrap(parts: string[]): string[] {
  let rest = parts;
  for (let round = 0; round < 8; round++) {
    const assignments = countWhile(rest, 0, (word) => /^[A-Za-z_]\w*=/.test(word));
    rest = rest.slice(assignments);
    const program = rest[0] === undefined ? '' : programName(rest[0]);
    const skip = wrappers[program]?.(rest) ?? 0;
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
