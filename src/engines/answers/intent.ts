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
