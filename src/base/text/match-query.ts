/** FTS5 reads bare text as a language of its own; here every word is quoted, so any input is only words. */
export function matchAny(words: string[], limit = 64): string | undefined {
  const quoted = quote(words, limit);
  return quoted.length > 0 ? quoted.join(' OR ') : undefined;
}

export function matchAll(words: string[], limit = 64): string | undefined {
  const quoted = quote(words, limit);
  return quoted.length > 0 ? quoted.join(' ') : undefined;
}

const quote = (words: string[], limit: number): string[] =>
  [...new Set(words)]
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, limit)
    // FTS5 reads up to the first NUL only.
    .map((word) => `"${word.replaceAll('\0', ' ').replaceAll('"', '""')}"`);

/** For LIKE with `ESCAPE '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Text that stands for itself within a pattern. */
export const quoteForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
