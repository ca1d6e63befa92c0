import type { Git } from '../../base/git/index.ts';
import { redact } from '../../base/redact.ts';
import { searchWords, stem, termsOf } from '../../base/text/index.ts';
import { explanationOf } from '../../stores/history/index.ts';
import { type CitedCommit, commitFormat, readCited } from './commits.ts';
import known from './reader/history-words.json' with { type: 'json' };

/** A commit that a question may be about, and how much of the question its message has: 0–1. */
export interface ToldCommit extends CitedCommit {
  message: string;
  share: number;
}

const ignored = new Set(known.ignored.split(' ').map(stem));
const phrases = known.phrases.map(([said = '', meant = '']): [RegExp, string] => [
  new RegExp(`\\b${said}\\b`, 'gi'),
  meant,
]);
const alike = new Map<string, Set<string>>();
for (const group of known.alike) {
  const stems = group.split(' ').map(stem);
  for (const each of stems) alike.set(each, new Set([...(alike.get(each) ?? []), ...stems]));
}

/** Words for what is done to a thing: a commit that does another thing to it is another commit. */
const deeds = new Set(known.deeds.split(' ').map(stem));
const otherDeed = 0.7;

/** It can be said by another word. */
export const isAlike = (word: string): boolean => alike.has(word);

const inOneWord = (text: string): string =>
  phrases.reduce((rest, [said, meant]) => rest.replace(said, meant), text);

/** Its words, and names such as macOS and GitHub also whole. */
const wordsIn = (text: string): string[] => termsOf(inOneWord(text)).map(stem);

/** The words that a commit about this would say; the name of the project is in none or in all. */
export const tellingWords = (text: string, project = ''): string[] => [
  ...new Set(
    searchWords(inOneWord(text)).filter(
      (word) =>
        !ignored.has(word) && word !== stem(project.toLowerCase()) && (word.length > 1 || /\d/.test(word)),
    ),
  ),
];

const mostRead = 4000;
const patienceMs = 5000;
/** What a word counts: in the title, in the title by another word, below the title, and there by another word. */
const worth = { title: 1, titleAlike: 0.8, body: 0.6, bodyAlike: 0.4 };
/** A title that says little else is about it. */
const tightness = 0.1;
/** A word that no commit has counts as if one in so many had it. */
const rarest = 60;

/** Commits whose messages have words of the text, those with the most of it first. */
export async function commitsTelling(
  git: Git,
  text: string,
  { reverts = false, project = '' }: { reverts?: boolean; project?: string } = {},
): Promise<ToldCommit[]> {
  const wanted = tellingWords(text, project);
  if (wanted.length === 0 && !reverts) return [];
  const patterns = reverts ? ['revert'] : wanted.flatMap(lettersOf);
  const format = `--format=%x1e${commitFormat}%n%b`;
  const log = await git
    .run(
      [
        'log',
        '--no-merges',
        `-n${mostRead}`,
        '-i',
        '-F',
        ...patterns.map((each) => `--grep=${each}`),
        format,
        'HEAD',
      ],
      { accept: [0, 128], timeoutMs: patienceMs, maxOutputBytes: 30_000_000, mayCut: true },
    )
    .then(({ stdout }) => stdout.toString('utf8'))
    // A history that takes longer than anybody waits: the question is searched for.
    .catch(() => '');
  return scored(readTold(log), wanted);
}

/** Reads `--format=%x1e<commitFormat>%n%b`. */
export const readTold = (log: string): ToldCommit[] =>
  log
    .split('\x1e')
    .slice(1)
    .flatMap((record) => {
      const end = record.indexOf('\n');
      const [head] = readCited(redact(record.slice(0, end)));
      return head
        ? [{ ...head, message: redact(`${head.place}\n\n${record.slice(end + 1).trim()}`), share: 0 }]
        : [];
    });

/** Letters that every form of the word and of those alike begins with. */
function lettersOf(word: string): string[] {
  return [word, ...(alike.get(word) ?? [])].map((each) => (each.length > 5 ? each.slice(0, -1) : each));
}

/** How much of what is wanted each message has, rare words counting more. */
export function scored(commits: ToldCommit[], wanted: string[]): ToldCommit[] {
  const held = commits.map(({ place, message }) => {
    const title = new Set(wordsIn(place));
    const body = new Set(wordsIn(message.slice(place.length)));
    return { title, worths: wanted.map((word) => worthOf(word, title, body)) };
  });
  const weights = wanted.map((_, at) => {
    const having = held.filter(({ worths }) => (worths[at] ?? 0) > 0).length;
    return Math.min(Math.log(1 + commits.length / (1 + having)) + 0.3, Math.log(1 + rarest));
  });
  const all = Math.max(
    1e-9,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const asksDeed = wanted.some((word) => deeds.has(word));
  return commits
    .map((commit, at) => {
      const { title, worths } = held[at]!;
      const got = worths.reduce((sum, each, word) => sum + each * (weights[word] ?? 0), 0) / all;
      const said = worths.filter((each) => each >= worth.titleAlike).length;
      const deed = Math.max(...wanted.map((word, index) => (deeds.has(word) ? (worths[index] ?? 0) : 0)));
      const share = Math.min(1, got) + (tightness * said) / Math.max(said, title.size, 1);
      return { ...commit, share: asksDeed ? share * (otherDeed + (1 - otherDeed) * deed) : share };
    })
    .sort((left, right) => right.share - left.share || right.at - left.at);
}

function worthOf(word: string, title: Set<string>, body: Set<string>): number {
  const others = [...(alike.get(word) ?? [])];
  if (isIn(word, title)) return worth.title;
  if (others.some((each) => title.has(each))) return worth.titleAlike;
  if (isIn(word, body)) return worth.body;
  return others.some((each) => body.has(each)) ? worth.bodyAlike : 0;
}

/** `maxdepth` says `depth`, too. */
const isIn = (word: string, there: Set<string>): boolean =>
  there.has(word) ||
  (word.length >= 4 && [...there].some((each) => each.length > word.length && each.includes(word)));

/** How much of the words a text has: 0–1. */
export function shareOf(wanted: string[], text: string): number {
  const there = new Set(wordsIn(text));
  return wanted.filter((word) => isIn(word, there)).length / Math.max(1, wanted.length);
}

/** The commit with what its message says below the title. */
export function withReason<Commit extends ToldCommit>({ message, ...commit }: Commit) {
  const why = explanationOf(message);
  return { ...commit, reason: `${commit.reason}${why ? `: ${why}` : '; its message gives no reason'}` };
}
