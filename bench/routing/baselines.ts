import { searchWords, timeScopeOf } from '../../src/base/text/index.ts';
import { scoreLanes } from '../../src/engines/answers/reader/rules.ts';
import type { RoutingCase } from './cases.ts';
import { laneName } from './material.ts';

/** Names the lane of a message, `none` for nothing. */
export type Guess = (text: string) => string;

/** The trigger phrases of the design's own tables, in their order, with its default. */
const triggers: Array<[lane: string, phrases: string[]]> = [
  ['guide SESSION', ['/session', 'switch', 'sessions', 'show sessions', 'change context']],
  [
    'academic RESEARCH',
    [
      'research',
      'investigate',
      'study',
      'learn about',
      'compare',
      ' vs ',
      'versus',
      'tradeoffs',
      'best practice',
      'recommended',
      'how should',
    ],
  ],
  [
    'archivalist RESUME',
    [
      'where was i',
      'continue',
      'pick up',
      'last session',
      'where did we',
      'resume',
      'left off',
      'current state',
    ],
  ],
  [
    'archivalist SIMILAR',
    [
      'similar to',
      'like before',
      'same as',
      'comparable',
      'similar',
      'like this',
      'seen before',
      'resembles',
      'related',
    ],
  ],
  [
    'archivalist OUTCOME',
    [
      'did it work',
      'result of',
      'status of',
      'turn out',
      'result',
      'outcome',
      'issues found',
      'succeed',
      'fail',
    ],
  ],
  [
    'archivalist ACTIVITY',
    [
      'what has',
      'recent changes',
      'who worked on',
      'history of',
      'what changed',
      'modifications',
      'recent',
      'files changed',
      'activity',
      'what happened',
    ],
  ],
  [
    'archivalist HISTORICAL',
    [
      'how did we',
      'what approach',
      'last time',
      'previously',
      'what did we do',
      'before',
      'past',
      'prior',
      'earlier',
      'history',
    ],
  ],
  ['archivalist store', ['store', 'save', 'record', 'remember', 'log']],
  ['guide HELP', ['help', '?']],
  ['guide STATUS', ['status', 'health', 'agents']],
  ['librarian LOCATE', ['where is', 'find', 'show me', 'which file', 'locate']],
  ['librarian PATTERN', ['strategy', 'approach', 'pattern', 'how do we', 'convention']],
  ['librarian EXPLAIN', ['how does', 'explain', 'what does', 'walk through']],
];

/** A phrase that stands in the text decides; nothing found goes to the Architect, as the design has it. */
export const byTriggers: Guess = (text) => {
  const lower = text.toLowerCase();
  const asked = lower.replace(/\?$/, '');
  for (const [lane, phrases] of triggers)
    if (phrases.some((phrase) => (phrase === '?' ? lower.trim() === '?' : asked.includes(phrase))))
      return lane;
  return 'architect PLAN';
};

/** The signs of the rules alone, added up; nothing found is for nobody. */
export const byRules: Guess = (text) =>
  scoreLanes(text, { timeScope: timeScopeOf(text, Date.UTC(2026, 10, 16, 12)) })[0]?.lane ?? 'none';

/** The lane of the labelled message that BM25 (k1 1.2, b .75, stems) ranks first. */
export function byBm25(train: RoutingCase[]): Guess {
  const documents = train.map(({ text }) => searchWords(text));
  const average = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const frequency = new Map<string, number>();
  for (const words of documents)
    for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weight = (word: string) => {
    const found = frequency.get(word) ?? 0;
    return Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
  };
  return (text) => {
    const asked = new Set(searchWords(text));
    const scores = documents.map((words) => {
      let score = 0;
      for (const word of asked) {
        const times = words.filter((each) => each === word).length;
        score += (weight(word) * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / average));
      }
      return score;
    });
    const best = scores.indexOf(Math.max(...scores));
    return scores[best]! > 0 ? laneName(train[best]!) : 'none';
  };
}
