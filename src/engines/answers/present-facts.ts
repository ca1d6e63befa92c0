import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isProseOrSettings, isTestPath, searchWords, stem } from '../../base/text/index.ts';
import { readWorktreeFile } from '../recall/index.ts';
import type { AnswersContext } from './context.ts';
import { valuesOf } from './definitions.ts';
import type { Cited } from './specialists/compose.ts';

interface Found {
  cited: Cited[];
  total: number;
}

/** Lines that state the version of the project itself. */
const ownVersion: Array<[file: RegExp, line: RegExp]> = [
  [/^package\.json$/, /^\s*"version"\s*:\s*"[^"]+"/],
  [/^Cargo\.toml$/, /^version\s*=\s*"[^"]+"/],
  [/^pyproject\.toml$/, /^version\s*=\s*["'][^"']+["']/],
  [/^setup\.(cfg|py)$/, /^\s*version\s*=\s*\S+/],
  [/^(VERSION|version\.txt)$/i, /\d+\.\d+/],
  [/^(composer\.json|manifest\.json|deno\.jsonc?)$/, /^\s*"version"\s*:/],
  [/^pom\.xml$/, /^\s*<version>[^<]+<\/version>/],
  [/^build\.gradle(\.kts)?$/, /^\s*version\s*=\s*/],
  [/(^|\/)version\.(?:h|hpp|hh)$/i, /#\s*define\s+\w*VER(?:SION)?(?:_MAJOR|_STRING|_STR)?\s+["']?\d/],
  [/^CMakeLists\.txt$/, /\bproject\s*\(.*VERSION\s+[\d.]+/i],
  [/^configure\.ac$/, /\bAC_INIT\(/],
  [/\.gemspec$/, /\bversion\s*=\s*/],
  [
    /(^|\/)(__init__|_version|version)\.(py|go|rb|rs|ts|js)$/,
    /(?:__version__|\bversion\b|\bVERSION\b)\s*(?::[^=]+)?=\s*["'`]v?\d/i,
  ],
];

/** Lines that state which version of a language is needed. */
const neededVersion: Array<[asked: RegExp, file: RegExp, line: RegExp]> = [
  [/\bnode(?:\.?js)?\b/i, /^package\.json$/, /"node"\s*:\s*"[^"]+"/],
  [/\bnode(?:\.?js)?\b/i, /^\.(nvmrc|node-version)$/, /\d/],
  [
    /\bpython\b/i,
    /^(pyproject\.toml|setup\.(cfg|py))$/,
    /\b(?:requires-python|python_requires|python)\s*=\s*["']?[<>=~^\d]/,
  ],
  [/\bpython\b/i, /^\.python-version$/, /\d/],
  [/\b(?:rust|msrv)\b/i, /^(.*\/)?Cargo\.toml$/, /^rust-version\s*=/],
  [/\b(?:rust|msrv)\b/i, /^rust-toolchain(\.toml)?$/, /\d/],
  [/\bgo(?:lang)?\b/i, /^go\.mod$/, /^go\s+\d/],
  [/\bruby\b/i, /(\.gemspec|^\.ruby-version|^Gemfile)$/, /required_ruby_version|^ruby\b|^\d/],
  [/\bphp\b/i, /^composer\.json$/, /"php"\s*:\s*"[^"]+"/],
  [
    /\bjava\b/i,
    /^(pom\.xml|build\.gradle(\.kts)?)$/,
    /java\.version|sourceCompatibility|languageVersion|<release>/,
  ],
];

/** The line that states a version: of the project, of a language that it needs, or of a package that it uses. */
export async function versionOf(context: AnswersContext, of: string): Promise<Found> {
  const conventions = await context.conventions();
  const paths = await conventions.projectFiles.list();
  const lines = new Map<string, Cited>();
  const cite = (path: string, pattern: RegExp) => {
    const text = readWorktreeFile(context.repository.root, path)?.split('\n') ?? [];
    const at = text.findIndex((line) => pattern.test(line));
    if (at >= 0) lines.set(`${path}:${at + 1}`, citedLine(path, at + 1, text[at] ?? ''));
  };
  if (!of)
    for (const [file, line] of ownVersion)
      for (const path of paths.filter((each) => file.test(each) && !isTestPath(each)).slice(0, 3))
        cite(path, line);
  for (const [asked, file, line] of of ? neededVersion : [])
    if (asked.test(of))
      for (const path of paths.filter((each) => file.test(each)).slice(0, 3)) cite(path, line);
  if (of && lines.size === 0) {
    const wanted = of.toLowerCase();
    for (const { name, manifest } of await conventions.dependencies.declared())
      if (name.toLowerCase() === wanted || name.toLowerCase().endsWith(`/${wanted}`))
        cite(
          manifest,
          new RegExp(`(?<![\\w:/-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w:-])["'\\]]*\\s*[:=<>~^!( ].*\\d`),
        );
  }
  const cited = [...lines.values()];
  if (of && cited.length === 0) cited.push(...(await versionsSaid(context, of)));
  return { total: cited.length, cited: cited.slice(0, 5) };
}

const needs =
  /\b(?:requires?|required|minimum|at least|supports?|supported|needs?|or (?:newer|later|above|higher)|compatible|unsupported|upgrade)\b|>=|\d\+/i;

/** Lines that say a number behind a name, as `Redis 7.0+`: those that require it first, pages and code before tests. */
async function versionsSaid({ git }: AnswersContext, of: string): Promise<Cited[]> {
  const pattern = `(^|[^a-z])${of.replace(/[^\w]/g, '.')}[^0-9a-z]{0,4}((server|version|versions)[^0-9]{0,6})?v?[0-9]+(\\.[0-9]+)*`;
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-i', '-E', '--untracked', '-e', pattern, '--', '.'],
    { accept: [1, 128], timeoutMs: 3000, maxOutputBytes: 1_000_000, mayCut: true },
  );
  const worth = (path: string, text: string) =>
    Number(needs.test(text)) * 4 +
    Number(/(?:^|\/)readme/i.test(path)) * 2 +
    Number(!isProseOrSettings(path)) -
    Number(isTestPath(path) || isAside.test(path)) * 3 -
    Number(/change|history|news|upgrad|release|migrat/i.test(path)) * 4;
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((row) => {
      const [path = '', line = '', text = ''] = row.split('\0');
      return path && text.length < 400
        ? [{ each: citedLine(path, Number(line), text), rank: worth(path, text) }]
        : [];
    })
    .filter(({ rank }) => rank >= 4)
    .sort((a, b) => b.rank - a.rank)
    .map(({ each }) => each);
}

const citedLine = (path: string, line: number, text: string): Cited => ({
  ref: fileRef(path),
  domain: 'code',
  place: `${path}:${line}`,
  reason: redact(text.trim().slice(0, 200)),
});

const same: Record<string, string> = {
  maximum: 'max',
  minimum: 'min',
  maximal: 'max',
  minimal: 'min',
  limit: 'max',
};
const plain = (word: string): string => (Object.hasOwn(same, word) ? (same[word] ?? word) : word);

/** `buffer size` is also BUFSIZE: names join short forms of two words. */
const joinedForms = (words: string[]): string[] =>
  words
    .slice(1)
    .flatMap((second, at) => [3, 4].map((length) => `${(words[at] ?? '').slice(0, length)}${second}`));

/** `RACK_SIZE = 'rack.size'` is the key of a setting: it repeats its name and says no value. */
function isOwnKey(line: string, name: string): boolean {
  const [, text = ''] = /[=:(\s]\s*(["'`][^"'`]*["'`])[\s;,)]*$/.exec(line) ?? [];
  const own = new Set(searchWords(name));
  const words = searchWords(text);
  return words.length > 1 && words.every((word) => own.has(word));
}

/**
 * Constants and settings whose names have the words: `default port` is DEFAULT_PORT. Words that are missing there may be
 * in its class or its path, but not the noun: `query params limit` is PARAMS_LIMIT of query_parser.rb.
 */
export async function settingsNamed(context: AnswersContext, words: string): Promise<Found> {
  const typed = searchWords(words);
  const wanted = [...new Set(typed.map(plain))];
  const joined = new Map(
    joinedForms(typed).map((form, at) => [stem(form), typed.slice(at >> 1, (at >> 1) + 2)]),
  );
  const partsOf = (name: string) =>
    new Set(
      searchWords(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')).flatMap((part) =>
        (joined.get(part) ?? [part]).map(plain),
      ),
    );
  const code = await context.code();
  const fits = ({ name, path, qualified }: { name: string; path: string; qualified: string }): boolean => {
    const own = partsOf(name);
    const around = partsOf(`${path} ${qualified}`);
    const inName = wanted.filter((word) => own.has(word));
    return (
      !isTestPath(path) &&
      wanted.length >= 2 &&
      own.has(wanted.at(-1) ?? '') &&
      inName.length * 2 >= wanted.filter((word) => word !== 'default').length &&
      wanted.every((word) => own.has(word) || around.has(word) || word === 'default') &&
      own.size <= inName.length + 1
    );
  };
  const query = [...wanted, ...typed, ...joined.keys()].join(' ');
  const hits = (['constant', 'variable'] as const)
    .flatMap((type) => code.search({ query, limit: 40, type }).filter(fits))
    .sort((a, b) => missing(partsOf(a.name)) - missing(partsOf(b.name)));
  const names = [...new Set(hits.map(({ name }) => name))].slice(0, 3);
  const found = await Promise.all(
    names.map(async (name) =>
      (await valuesOf(context, name)).cited.map((each) => ({ each, isKey: isOwnKey(each.reason, name) })),
    ),
  );
  const cited = found
    .flat()
    .sort(
      (a, b) =>
        Number(a.isKey) - Number(b.isKey) ||
        Number(isAside.test(a.each.place)) - Number(isAside.test(b.each.place)),
    )
    .map(({ each }) => each);
  // `maxRetryAfter` is a retry limit only by another word for it: a `limit` below `retry` is one.
  const isCalledSo = names.some((name) => searchWords(name).includes(typed.at(-1) ?? ''));
  const keys = isCalledSo ? [] : (await keysGiven(context, typed)).cited;
  const all = [...keys, ...cited].slice(0, mostSettings);
  return { total: all.length, cited: all };

  function missing(own: Set<string>): number {
    return wanted.filter((word) => !own.has(word)).length;
  }
}

const mostSettings = 6;
const mostKeys = 5;
const isAside = /(?:^|\/)(?:bench\w*|examples?|docs?|documentation|demos?|fuzz|website|scripts?|perf\w*)\//i;
/** `limit: 2,` and `limit = 2`: a value that stands there. */
const keyGiven =
  /^(\s*)["'`]?([\p{L}_$][\p{L}\p{N}_$]*)["'`]?\s*(?:\??:[^=,]*=|[:=])\s*(?:[\d"'`[{.-]|true\b|false\b)/u;

/**
 * Keys of settings that are written as a tree: `retry limit` is `limit` below `retry`. The noun is the key; the other words
 * stand in the lines that hold it, those above that are indented less, or in the path.
 */
async function keysGiven({ git, repository }: AnswersContext, words: string[]): Promise<Found> {
  const noun = words.at(-1) ?? '';
  const others = words.filter((word) => word !== noun && word !== 'default');
  if (noun.length < 3 || others.length === 0) return { total: 0, cited: [] };
  const paths = await git.list(['grep', '-z', '-l', '-I', '-i', '-F', '--untracked', '-e', noun, '--', '.'], {
    accept: [1],
    timeoutMs: 5000,
  });
  const found: Array<{ cited: Cited; rank: number }> = [];
  for (const path of paths.filter((each) => !isTestPath(each) && !isProseOrSettings(each))) {
    const lines = readWorktreeFile(repository.root, path)?.split('\n') ?? [];
    for (const [at, line] of lines.entries()) {
      const [, indent = '', key = ''] = keyGiven.exec(line) ?? [];
      if (!key || searchWords(key).at(-1) !== noun) continue;
      const around = holdersOf(lines, at, indent.length);
      const near = new Set(searchWords(`${key} ${around.join(' ')}`));
      const inPath = new Set(searchWords(path));
      if (others.every((word) => near.has(word) || inPath.has(word)) && others.some((word) => near.has(word)))
        found.push({
          cited: citedLine(path, at + 1, line),
          rank: searchWords(key).length + Number(!near.has('default')) + 2 * Number(isAside.test(path)),
        });
    }
  }
  const cited = found.sort((a, b) => a.rank - b.rank).map((each) => each.cited);
  return { total: cited.length, cited: cited.slice(0, mostKeys) };
}

/** The heads of what a line stands in, the nearest first. */
export function holdersOf(lines: string[], at: number, indent: number): string[] {
  const held: string[] = [];
  for (let here = at - 1, outer = indent; here >= Math.max(0, at - 200) && outer > 0; here--) {
    const line = lines[here] ?? '';
    const own = line.search(/\S/);
    if (own < 0 || own >= outer || /^\s*[}\])]/.test(line)) continue;
    held.push(line);
    outer = own;
  }
  return held;
}
