/** The value of a JSON text; undefined for anything else, such as a file that was cut in the middle of a write. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; empty for anything else. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** The texts of a JSON list; empty for anything else: a torn list costs itself, not the row around it. */
export function parseJsonTexts(text: string | undefined): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.map(String) : [];
}

/** The object of a JSON text; empty for anything else. Its fields have still to be checked. */
export const parseJsonObject = (text: string | undefined): Record<string, unknown> =>
  objectOf(parseJson(text));
