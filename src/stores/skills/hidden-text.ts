/** Characters that a person does not see but a model reads. Joiners inside emoji and scripts are not among them. */
const kinds: Array<[kind: string, pattern: RegExp]> = [
  ['direction overrides', /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g],
  ['zero-width characters', /[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff]/g],
  ['tag characters', /[\u{e0000}-\u{e007f}]/gu],
  ['control characters', /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g],
];
const all =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

export interface HiddenText {
  kind: string;
  /** Of the first one. */
  line: number;
  count: number;
}

export function hiddenCharacters(text: string): HiddenText[] {
  if (text.search(all) < 0) return [];
  const found: HiddenText[] = [];
  for (const [kind, pattern] of kinds) {
    const matches = text.match(pattern);
    if (!matches) continue;
    found.push({ kind, line: text.slice(0, text.search(pattern)).split('\n').length, count: matches.length });
  }
  return found;
}

export function removeHidden(text: string): { text: string; removed: number } {
  const clean = text.replace(all, '');
  return { text: clean, removed: clean === text ? 0 : [...text].length - [...clean].length };
}

/** Lines on which an HTML comment starts. */
export const htmlComments = (text: string): number[] =>
  [...text.matchAll(/<!--/g)].map(({ index }) => text.slice(0, index).split('\n').length);
