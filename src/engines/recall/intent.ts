import { searchWords, splitWords } from '../../base/text/index.ts';

/** What a question wants: a place, the way things are done here, an explanation, or anything else. */
export type Intent = 'LOCATE' | 'PATTERN' | 'EXPLAIN' | 'GENERAL';

const signs: Array<[Intent, RegExp]> = [
  ['LOCATE', /\b(where|find|locate|located|show me|which (file|module|class|function)s?|what file)\b/i],
  [
    'PATTERN',
    /\b(pattern|patterns|strategy|strategies|approach|approaches|convention|conventions|how do we|how are we|best practice|our way)\b/i,
  ],
  ['EXPLAIN', /\b(how does|how do|how is|how are|explain|what does|what do|what is|what are|why)\b/i],
];

export function intentOf(text: string): Intent {
  for (const [intent, sign] of signs) if (sign.test(text)) return intent;
  return 'GENERAL';
}

const filler = new Set(
  'find locate show me file files code module function class pattern patterns strategy approach convention explain use uses used using our us located location please tell get'
    .split(' ')
    .flatMap((word) => [word, ...searchWords(word)]),
);
const synonyms: Record<string, string> = {
  auth: 'authentication',
  authn: 'authentication',
  authenticate: 'authentication',
  login: 'login',
  db: 'database',
  config: 'configuration',
  repo: 'repository',
  err: 'error',
  errors: 'error',
};

/** The thing a question is about, as one word: "where can I find the auth code" → authentication. */
export function subjectOf(text: string): string {
  const words = splitWords(text).filter((word) => searchWords(word).length > 0 && !filler.has(word));
  const named = words.map((word) => (words.length === 1 ? (synonyms[word] ?? word) : word));
  return named.slice(0, 6).join('_');
}
