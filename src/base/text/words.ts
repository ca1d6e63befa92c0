import { stemmer } from 'stemmer';

const stopWords = new Set(
  'a an and are as at be but by for from has have how if in into is it its not of on or that the then this to was were what when where which who why will with we you i so do does can'.split(
    ' ',
  ),
);

/** Splits on case, digits-to-letters keep together, `-`, `_`, `/`, `.`: `getHTTPResponse` → get, http, response. */
export function splitWords(text: string): string[] {
  // Most identifiers have no case to split at, and need no classes of Unicode.
  if (/^[a-z0-9_$]*$/.test(text)) return text.match(/[a-z0-9]+/g) ?? [];
  // Classes of Unicode take milliseconds to make; a process that meets plain letters alone never needs them.
  if (!/[^\s -~]/.test(text))
    return (
      text
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? []
    );
  return (
    text
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export const isStopWord = (word: string): boolean => stopWords.has(word);

const stems = new Map<string, string>();
const heldStems = 20_000;

/** A text says most of its words again and again; stemming takes longer than looking up. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (!/^[a-z]+$/.test(word)) return word;
  if (stems.size >= heldStems) stems.clear();
  const stemmed = stemmer(word);
  stems.set(word, stemmed);
  return stemmed;
}

/** Words as they are indexed and asked for: split, stop words out, stemmed, accents off. */
export function searchWords(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(withoutAccents(text))) {
    if (word.length > 64 || stopWords.has(word)) continue;
    words.push(stem(word));
  }
  return words;
}

const withoutAccents = (text: string): string =>
  /[^\s -~]/.test(text)
    ? text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]+/g, '')
        .normalize('NFC')
    : text;

/** The words of a text, and its identifiers also whole, so that an exact name outweighs its parts. */
export const termsOf = (text: string): string[] => [
  ...searchWords(text),
  ...wholeIdentifiers(withoutAccents(text)),
];

const identifier = /[\p{L}_$][\p{L}\p{N}_$]{2,63}/gu;
const compound = /[\p{Ll}\p{N}]\p{Lu}|_[\p{L}\p{N}]/u;

/** `getUserName` and `get_user_name` as one word each, in lower case and without marks. */
function wholeIdentifiers(text: string): string[] {
  const found: string[] = [];
  for (const [name] of text.matchAll(identifier))
    if (compound.test(name)) found.push(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return found;
}
