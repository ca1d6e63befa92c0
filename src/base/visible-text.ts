/** Everything that a terminal would not show as itself: controls, format and direction characters, unassigned ones. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** For a person who judges a text: what is hidden stands there as `\u{200b}`. Line ends and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(unseen, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** The same on one line, for names and values. */
export const visibleLine = (text: string): string =>
  visibleText(text.replace(/[\n\t]/g, (found) => (found === '\n' ? '\\n' : '\\t')));
