/** Marks are words of a text index: other characters would split them. */
export const mark = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, '_');

/** A lookup as a word of the text index: marks stay, names lose characters that would split them. */
export const lookupWord = (lookup: string): string => (/^[mp]:/.test(lookup) ? lookup : mark(lookup));

/** The part of a module's name that is also in the name of its file. */
export function stemOf(from: string): string {
  const last = from
    .replace(/\.(?:[cm]?[jt]sx?|py|rb|h|hpp|sh|php)$/, '')
    .split(/[/\\.:]+/)
    .filter(Boolean)
    .at(-1);
  return mark(last ?? '_');
}
