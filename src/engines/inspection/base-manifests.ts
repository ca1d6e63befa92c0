import { parse, stringify } from 'smol-toml';
import type { ChangedFile } from './change.ts';

type Table = Record<string, unknown>;

const judgesInPackage =
  'ava babel c8 eslintConfig eslintIgnore jest lint-staged mocha nyc prettier standard stylelint tap vitest xo'.split(
    ' ',
  );
const judgesInPython =
  'bandit basedpyright black coverage flake8 isort mypy nox pylint pyrefly pyright pytest ruff tox ty yapf'.split(
    ' ',
  );
const judgesInIni = /^(?:tool:pytest|flake8|mypy\b.*|pylint\b.*|coverage:.*|isort|tox\b.*|pycodestyle|yapf)$/;

/**
 * A manifest of the change in which settings of judges are as they are at the base. Undefined: they are the same, or the file can't be
 * read. What the code needs, such as packages and new names of imports, stays that of the change.
 */
export function withJudgesOf({ path, before, after }: ChangedFile): string | undefined {
  if (after === undefined) return undefined;
  const name = path.split('/').at(-1) ?? '';
  try {
    if (name === 'package.json' && before !== undefined)
      return changedJson(JSON.parse(after) as Table, packageOf(JSON.parse(after), JSON.parse(before)));
    if (name === 'pyproject.toml' || name === 'Cargo.toml') {
      const [now, old] = [parse(after), parse(before ?? '')];
      const next = name === 'Cargo.toml' ? crateOf(now, old) : pythonOf(now, old);
      return isSame(now, next) ? undefined : stringify(next);
    }
    return name === 'setup.cfg' ? iniOf(after, before ?? '') : undefined;
  } catch {
    // Neither can the tool that reads it: it will say so.
    return undefined;
  }
}

const isSame = (a: Table, b: Table): boolean => JSON.stringify(a) === JSON.stringify(b);
const changedJson = (now: Table, next: Table) =>
  isSame(now, next) ? undefined : JSON.stringify(next, null, 2);
const tableAt = (value: Table, key: string): Table => (value[key] ?? {}) as Table;

/** With some keys as they are in another table. */
function replaced(now: Table, old: Table, keys: string[]): Table {
  const next = { ...now };
  for (const key of keys)
    if (key in old) next[key] = old[key];
    else delete next[key];
  return next;
}

/** A table inside another one, where either has it. */
const within = (now: Table, old: Table, key: string, merge: (now: Table, old: Table) => Table): Table =>
  key in now || key in old ? { ...now, [key]: merge(tableAt(now, key), tableAt(old, key)) } : now;

const oldWins = (now: Table, old: Table): Table => ({ ...now, ...old });

const packageOf = (now: Table, old: Table): Table =>
  ['imports', 'scripts'].reduce(
    (next, key) => within(next, old, key, oldWins),
    replaced(now, old, judgesInPackage),
  );

const pythonOf = (now: Table, old: Table): Table =>
  within(now, old, 'tool', (tools, earlier) => replaced(tools, earlier, judgesInPython));

function crateOf(now: Table, old: Table): Table {
  const next = replaced(now, old, ['test', 'bench', 'profile', 'lints']);
  const described = within(next, old, 'package', (crate, earlier) =>
    replaced(crate, earlier, ['autotests', 'autobenches', 'autoexamples', 'autobins']),
  );
  return within(described, old, 'lib', (lib, earlier) =>
    replaced(lib, earlier, ['test', 'doctest', 'harness', 'bench']),
  );
}

function iniOf(now: string, old: string): string | undefined {
  const sections = (text: string) =>
    text.split(/^(?=\[)/m).map((part) => ({ name: /^\[([^\]]+)\]/.exec(part)?.[1]?.trim() ?? '', part }));
  const judging = (text: string) =>
    sections(text)
      .filter(({ name }) => judgesInIni.test(name))
      .map(({ part }) => part)
      .join('');
  if (judging(now) === judging(old)) return undefined;
  const rest = sections(now).filter(({ name }) => !judgesInIni.test(name));
  return `${rest.map(({ part }) => part).join('')}\n${judging(old)}`;
}
