/** Text from outside is hostile to terminals: escape sequences, control characters and direction overrides go. */
const escapes =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][\s\S]*?(?:\x07|\x1b\\|\x9c|$)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][\s\S]*?(?:\x07|\x9c|\x1b\\|$)/g;
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

export function sanitizeTerminalText(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n').replace(controls, '').replace(invisible, '');
}
