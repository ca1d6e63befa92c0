import {
  isProseOrSettings,
  isTestPath,
  quoteForPattern,
  searchWords,
  splitWords,
  stem,
  termsOf,
} from '../../base/text/index.ts';
import type { Passage } from '../../stores/passages/index.ts';
import type { FoundPassage } from './candidates.ts';
import type { RecallQuery } from './query.ts';
import type { Ranked } from './rank.ts';
import shortForms from './short-forms.json' with { type: 'json' };

export interface PinpointRequest {
  query: RecallQuery;
  rarity: (word: string) => number;
  text(owner: string): Promise<string | undefined> | string | undefined;
  passagesOf(owner: string): Passage[];
}

/** As many files are read. */
const mostFiles = 16;
const linesTogether = 4;

/** What each sign is worth, and what stands against a place. */
const worth = { file: 1, names: 0.9, body: 0.55, window: 0.6, similarity: 0.5, path: 0.45 };
const against = { test: 0.8, testPassage: 0.45, data: 0.7, document: 0.6, heads: 0.45, aside: 0.5 };

const alike = new Map<string, Set<string>>();
for (const group of shortForms) {
  const stems = group.split(' ').map(stem);
  for (const each of stems) alike.set(each, new Set([...(alike.get(each) ?? []), ...stems]));
}
/** The word and its short and long forms. */
export const formsOf = (word: string): ReadonlySet<string> => alike.get(word) ?? new Set([word]);

const saidOtherwise = 0.75;
const abbreviated = 0.6;
const shortestAbbreviation = 3;
/** `call` is in `caller`, `format` in `formatter`. */
const shortestRoot = 4;
const longestEnding = 3;

/**
 * The places that answer a question, best first: of the best files, the passage whose names and lines have most of its
 * words, rare ones counting more. Tests, data and heads of files stand behind unless they are asked for.
 */
export async function pinpoint(ranked: Ranked[], request: PinpointRequest): Promise<Ranked[]> {
  const asked = askedFor(request.query.text);
  const words = request.query.words.filter((word) => !asking.has(word));
  if (words.length === 0) return ranked;
  const weigh = weigher(request.query.text, words, request.rarity);
  const best = Math.max(1e-9, ranked[0]?.score ?? 0);
  const pinned: Ranked[] = [];
  for (const file of ranked.slice(0, mostFiles)) {
    const lines = ((await request.text(file.owner)) ?? '').split('\n');
    const found = new Map(file.passages.map((passage) => [passage.id, passage]));
    const passages = request
      .passagesOf(file.owner)
      .map((each): FoundPassage => found.get(each.id) ?? { ...each, words: 0, similarity: 0 });
    const inPath = weigh.names(file.owner.replace(/\.\w+$/, ''));
    const base = (worth.file * file.score) / best - burden(file.owner, asked);
    const valued = passages.map((passage) => {
      const value = worthOfPassage(passage, lines, inPath, weigh, asked);
      return { passage, value: base + value };
    });
    const top = valued.sort((a, b) => b.value - a.value).slice(0, 3);
    const [first] = top;
    if (first) pinned.push({ ...file, score: first.value, passages: top.map(({ passage }) => passage) });
  }
  return pinned.sort((a, b) => b.letter - a.letter || b.score - a.score);
}

/** Words that ask and name nothing. */
const asking = new Set(
  'how what where which when who why is are does do did can could should would work works happen happens decide handled handle used use using find there called name mean support supported allowed returned done implement implemented default'
    .split(' ')
    .map(stem),
);

interface AskedFor {
  /** A number, a name, a setting: the line that gives it. */
  value: boolean;
  tests: boolean;
  documents: boolean;
  settings: boolean;
}

const asksValue =
  /\bby default\b|^how (?:many|long|big|large|wide|often|much|deep|high|far)\b|^(?:what|which)(?:'s| is| are)? (?:the )?(?:default|max\w*|min\w*|name|number|value|size|limit|length|maximum|status|exit|url|port|timeout|prefix|suffix|format)\b|^(?:what|which) \w+ (?:codes?|numbers?|ports?|values?|schemes?|formats?|names?) /i;

function askedFor(text: string): AskedFor {
  return {
    value: asksValue.test(text),
    tests: /(?<!\b(?:for|in|during|by) )\b(?:tests?|testing|specs?|coverage|fixtures?)\b/i.test(text),
    documents:
      /\b(?:docs?|documentation|documented|readme|guide|tutorial|changelog|contribut\w+)\b|^how (?:do|can|should|would) (?:I|we|you)\b|^how to\b/i.test(
        text,
      ),
    settings:
      /\b(?:ci|workflows?|pipelines?|config\w*|settings?|package|dependenc\w+|version|release|publish\w*|deploy\w*|build|built|lint\w*|install\w*)\b/i.test(
        text,
      ),
  };
}

const asideFolders =
  /(?:^|\/)(?:bench(?:mark)?s?|perf(?:ormance)?[-_\w]*|examples?|samples?|demos?|fuzz|vendor|third_party|website|site|scripts?|contrib|_site)\//i;
const dataFile =
  /\.(?:json5?|jsonc|ya?ml|toml|lock|csv|tsv|xml|svg|html?|ipynb|ini|cfg|conf|properties|gemfile|snap|txt)$/i;
const documentFile = /\.(?:mdx?|rst|adoc|markdown)$|(?:^|\/)docs?\//i;

function burden(owner: string, asked: AskedFor): number {
  if (isTestPath(owner)) return asked.tests ? 0 : against.test;
  if (documentFile.test(owner)) return asked.documents ? -2 * against.document : against.document;
  if (dataFile.test(owner) || (isProseOrSettings(owner) && !documentFile.test(owner)))
    return asked.settings ? 0 : against.data;
  return asideFolders.test(owner) ? against.aside : 0;
}

/** Beside the code: examples, benchmarks, scripts. */
export const isAside = (path: string): boolean => asideFolders.test(path);

type Weigher = ReturnType<typeof weigher>;

/** Its words, and names such as macOS and GitHub also whole. */
const wordsIn = (text: string): Set<string> => new Set(termsOf(text).map(stem));

/** `shut down` is also said in one word. */
function joinedWords(text: string): Map<string, string[]> {
  const joined = new Map<string, string[]>();
  const typed = splitWords(text);
  for (const [at, second] of typed.slice(1).entries()) {
    const whole = stem(`${typed[at]}${second}`);
    for (const each of [typed[at] ?? '', second])
      joined.set(stem(each), [...(joined.get(stem(each)) ?? []), whole]);
  }
  return joined;
}

/** The share of the words that a text has, by how rare they are. */
function weigher(text: string, words: string[], rarity: (word: string) => number) {
  const weights = words.map((word) => rarity(word));
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const joined = joinedWords(text);
  const isJoined = (word: string, there: ReadonlySet<string>) =>
    joined.get(word)?.some((each) => there.has(each));
  const held = (there: ReadonlySet<string>, isName: boolean): number[] =>
    words.map((word) => {
      if (there.has(word) || isJoined(word, there)) return 1;
      for (const other of alike.get(word) ?? []) if (there.has(other)) return saidOtherwise;
      if (!isName || word.length < shortestRoot) return 0;
      for (const each of there)
        if (each.startsWith(word) && each.length - word.length <= longestEnding) return saidOtherwise;
      for (const each of there)
        if (each.length >= shortestAbbreviation && word.length > shortestRoot && word.startsWith(each))
          return abbreviated;
      return 0;
    });
  // Most lines have nothing of it: their letters tell before they are split into words.
  const roots = words
    .flatMap((word) => [...formsOf(word), ...(joined.get(word) ?? [])])
    .map((each) => each.slice(0, 3));
  const mayHold = new RegExp([...new Set(roots)].map(quoteForPattern).join('|'), 'i');
  const nothing = words.map(() => 0);
  const share = (values: number[]): number =>
    values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / all;
  return {
    held,
    share,
    nothing,
    names: (text: string): number[] => held(wordsIn(text), true),
    line: (text: string): number[] => (mayHold.test(text) ? held(wordsIn(text), false) : nothing),
  };
}

const importLine =
  /^\s*(?:import|from|use|using|#\s*include|require|package|export \* from|extern crate|mod)\b/;
const testNames = /(?:^|[ .,])(?:tests?(?:[ .,]|$)|test_\w+|TEST(?:_\w)?\b|it\(|describe\()/;
/** `limit = 3`, `limit: 3`, `#define LIMIT 3`, `limit 3`: a value that stands there. */
const givesValue =
  /(?:[=:(]|\bdefine\s+\w+|\breturn)\s*(?:[-+]?\.?\d|["'`[{]|true\b|false\b|nil\b|null\b|None\b|:?[A-Z]\w+)/i;

/** The share of the words that one name has; a name with many others says less. */
function nameShare(names: string[], weigh: Weigher): { share: number; held: number[] } {
  let best = { share: 0, held: [] as number[] };
  for (const name of names) {
    const held = weigh.names(name);
    const extra = Math.max(0, searchWords(name).length - held.filter((each) => each > 0).length);
    const share = weigh.share(held) * (1 - Math.min(0.4, 0.08 * extra));
    if (share > best.share) best = { share, held };
  }
  return best;
}

function worthOfPassage(
  passage: FoundPassage,
  all: string[],
  inPath: number[],
  weigh: Weigher,
  asked: AskedFor,
) {
  const lines = all.slice(passage.startLine - 1, passage.endLine);
  const own = (passage.heading.at(-1) ?? '').split(/,\s*/);
  const around = weigh.names(passage.heading.slice(0, -1).join(' '));
  const names = nameShare(own, weigh);
  // An import names what another file does.
  const byLine = lines.map((line) => (importLine.test(line) ? weigh.nothing : weigh.line(line)));
  const outer = [
    ...[inPath, around].map((list) => list.map((each) => each * 0.5)),
    ...(own.length === 1 ? [names.held] : []),
  ];
  const body = weigh.share(most([...byLine, ...outer]));
  let window = 0;
  for (let at = 0; at < Math.max(1, byLine.length - linesTogether + 1); at++) {
    const shown = lines.slice(at, at + linesTogether);
    const value =
      weigh.share(most([...byLine.slice(at, at + linesTogether), ...outer])) *
      (asked.value ? (shown.some((line) => givesValue.test(line)) ? 1.25 : 0.75) : 1);
    window = Math.max(window, value);
  }
  const isHead = passage.heading.length === 0 && passage.startLine <= 1 && !documentFile.test(passage.owner);
  const imports = lines.filter((line) => importLine.test(line)).length / Math.max(1, lines.length);
  const isTest = !asked.tests && testNames.test(passage.heading.join(' '));
  const value =
    worth.names * (names.share + 0.3 * weigh.share(around)) +
    worth.path * weigh.share(inPath) +
    worth.body * body +
    (asked.value ? 2 : 1) * worth.window * window +
    worth.similarity * Math.max(0, passage.similarity);
  return value * (isTest ? against.testPassage : 1) - (isHead || imports > 0.4 ? against.heads : 0);
}

const most = (lists: number[][]): number[] =>
  lists.reduce<number[]>((best, list) => list.map((each, at) => Math.max(each, best[at] ?? 0)), []);
