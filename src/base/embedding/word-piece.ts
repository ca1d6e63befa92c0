import type { Vocabulary } from './weights.ts';

/** BERT's uncased WordPiece: text → token ids. */
export interface WordPiece {
  /** Ids of the text between `[CLS]` and `[SEP]`, at most `limit` of them in all. */
  encode(text: string, limit?: number): number[];
  /** Ids of the text alone. */
  pieces(text: string, limit?: number): number[];
}

/** The model was trained on texts of this length; more costs more than it adds. */
export const modelTokenLimit = 128;

const wordPattern =
  /[\p{P}$+<=>^`|~]|[\u3400-\u9fff\uf900-\ufaff]|[^\s\p{P}$+<=>^`|~\u3400-\u9fff\uf900-\ufaff]+/gu;
const longestWord = 100;
const cachedWords = 20_000;

export function createWordPiece(vocabulary: Vocabulary): WordPiece {
  const special = (token: string) => vocabulary.get(token) ?? 0;
  const start = special('[CLS]');
  const end = special('[SEP]');
  const unknown = special('[UNK]');
  const cache = new Map<string, number[]>();

  const split = (word: string): number[] => {
    if (word.length > longestWord) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length;
      let id: number | undefined;
      for (; to > from; to--) {
        id = vocabulary.get((from > 0 ? '##' : '') + word.slice(from, to));
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to;
    }
    return ids;
  };
  const idsOf = (word: string): number[] => {
    let ids = cache.get(word);
    if (!ids) {
      ids = split(word);
      if (cache.size >= cachedWords) cache.clear();
      cache.set(word, ids);
    }
    return ids;
  };
  const pieces = (text: string, limit = modelTokenLimit): number[] => {
    // A text is read only as far as it can matter: no token is longer than a hundred characters.
    const plain = text
      .slice(0, limit * longestWord)
      .normalize('NFD')
      .replace(/\p{Mn}|[\u0000\ufffd]/gu, '')
      .toLowerCase();
    const ids: number[] = [];
    for (const [word] of plain.matchAll(wordPattern)) {
      for (const id of idsOf(word)) ids.push(id);
      if (ids.length >= limit) break;
    }
    if (ids.length > limit) ids.length = limit;
    return ids;
  };
  return {
    pieces,
    encode: (text, limit = modelTokenLimit) => [start, ...pieces(text, limit - 2), end],
  };
}
