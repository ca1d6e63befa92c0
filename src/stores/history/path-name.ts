/**
 * Git's paths are bytes. A path that is valid UTF-8 is shown as it is; any other is shown the way git quotes it,
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

/** The bytes that git knows the path by. */
export function pathBytes(shown: string): Uint8Array {
  if (!/^".*\\[0-7]{3}.*"$/s.test(shown)) return Buffer.from(shown, 'utf8');
  const bytes: number[] = [];
  const inner = shown.slice(1, -1);
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] !== '\\') {
      bytes.push(...Buffer.from(inner[at]!, 'utf8'));
    } else if (/^[0-7]{3}/.test(inner.slice(at + 1, at + 4))) {
      bytes.push(Number.parseInt(inner.slice(at + 1, at + 4), 8));
      at += 3;
    } else {
      at++;
      bytes.push(inner.charCodeAt(at));
    }
  }
  return Uint8Array.from(bytes);
}
