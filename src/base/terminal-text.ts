/**
 * The one table of characters that nobody sees: controls, format and direction marks, line separators, fillers,
 * variation selectors. Left alone: what joins an emoji or the letters of a joining script, and Arabic's visible signs.
 */
const keptJoiner = String.raw`(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})\ufe0f|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{M}])[\u200c\u200d](?=\p{L})|[\u0600-\u0605\u06dd\u08e2])`;
const unseenCharacters = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
/** For a pattern with the flags `s` and `u`. The table comes first: most characters are in none of the exceptions. */
export const unseen = `(?=[${unseenCharacters}])${keptJoiner}.`;

const hidden = new RegExp(`(?![\\n\\t])${unseen}`, 'gsu');
/** Where a text is judged, also what has no meaning yet or only by agreement, and nothing is left alone. */
const unclear = new RegExp(`(?![\\n\\t])[${unseenCharacters}\\p{Cn}\\p{Co}]`, 'gu');
const inName = new RegExp(unseen, 'gsu');

const escapes =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][\s\S]*?(?:\x07|\x1b\\|\x9c|$)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][\s\S]*?(?:\x07|\x9c|\x1b\\|$)/g;

const shownAs: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const written = (character: string): string =>
  shownAs[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Text from outside is hostile to terminals: escape sequences and what is not seen go; line ends and tabs stay. */
export const sanitizeTerminalText = (text: string): string =>
  text
    .replace(escapes, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(hidden, '');

/**
 * A name as it stands in a line: of a file, a branch, a person, a skill. What would end the line, steer a terminal or
 * hide a letter is written out, so that a name can't pass for a line of the answer.
 */
export const showName = (name: string): string => name.replace(inName, written);

/** JSON in which what is not seen is written as `\uXXXX`: the same value when parsed, harmless on a terminal. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(inName, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** A text for a person who judges it: what is hidden stands there as `\u{200b}`. Line ends and tabs stay. */
export const visibleText = (text: string): string => text.replace(unclear, written);

/** The same on one line. */
export const visibleLine = (text: string): string => visibleText(text.replace(/[\n\t]/g, written));

/** Fields whose text has lines of its own. Every other string of an answer is a name and stands in one line. */
const ofManyLines = new Set(
  'answer body content context description diff doc document error example excerpt fix instructions inventory knowledge markdown message note notes output preview prompt question rendered_body resolution shown signature snippet source stderr stdout summary text'.split(
    ' ',
  ),
);

/** An answer as renderers get it: names written out at every depth, texts as they are. */
export function withShownNames<T>(value: T, field = ''): T {
  if (typeof value === 'string') return (ofManyLines.has(field) ? value : showName(value)) as T;
  if (Array.isArray(value)) return value.map((item) => withShownNames(item, field)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [showName(name), withShownNames(inner, name)]),
  ) as T;
}

/** Text of somebody else among lines of ours: no line of it can be taken for one of ours. */
export const quoted = (text: string, indent: string): string => text.replace(/^/gm, `${indent}> `);
