// Control and direction characters can make text look like other text. They are shown by name, and turned back when sent.
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export const visible = (text: string): string =>
  text.replace(
    hidden,
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

export const original = (text: string): string =>
  text.replace(/⟨U\+([0-9A-F]{4})⟩/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Whether a text in JSON can hold such a character, written as it is or as an escape. */
export const mayHide = (json: string): boolean => json.includes('\\u') || json.search(hidden) >= 0;
