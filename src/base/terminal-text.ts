/** Text from outside is hostile to terminals: escape sequences, control characters and direction overrides go. */
const escapes =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][\s\S]*?(?:\x07|\x1b\\|\x9c|$)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][\s\S]*?(?:\x07|\x9c|\x1b\\|$)/g;
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

export function sanitizeTerminalText(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n').replace(controls, '').replace(invisible, '');
}

const shownAs: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const notShown = /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A name as it stands in a line: of a file, a branch, a person, a skill. What would end the line, steer a terminal or
 * hide a letter is written out, so that a name can't pass for a line of the answer.
 */
export const showName = (name: string): string =>
  name.replace(notShown, (sign) => shownAs[sign] ?? `\\u{${sign.charCodeAt(0).toString(16)}}`);

/** Fields whose text has lines of its own. Every other string of an answer is a name and stands in one line. */
const ofManyLines = new Set(
  'answer body content context description diff doc error example excerpt fix instructions inventory knowledge markdown message note notes output preview prompt rendered_body resolution shown signature snippet source stderr stdout summary text'.split(
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
