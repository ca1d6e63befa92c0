/**
 * Git's paths are bytes. A path that is valid UTF-8 is shown as it is; any other is quoted as git does,
 * `"caf\351.txt"`, which can be typed back and is turned into the same bytes.
 */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function showPath(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    let text = '"';
    for (const byte of bytes) {
      if (byte === 0x22 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
      else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
      else text += `\\${byte.toString(8).padStart(3, '0')}`;
    }
    return `${text}"`;
  }
}

const isQuoted = (shown: string): boolean => shown.startsWith('"') && /^".*\\[0-7]{3}.*"$/s.test(shown);

/** The path without the quotation marks, whose folders can be compared with those of others. */
export const withoutQuotes = (shown: string): string => (isQuoted(shown) ? shown.slice(1, -1) : shown);

/** The bytes of the path in git. */
export function pathBytes(shown: string): Uint8Array {
  if (!isQuoted(shown)) return Buffer.from(shown, 'utf8');
  const bytes: number[] = [];
  const inner = withoutQuotes(shown);
  for (const [, octal, escaped, plain = ''] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...Buffer.from(escaped ?? plain, 'utf8'));
  }
  return Uint8Array.from(bytes);
}
