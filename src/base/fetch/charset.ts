/** Byte order mark, then the header, then what the document says of itself, then the bytes; never fails. */
export function decodeText(body: Buffer, contentType: string): string {
  const named =
    markOf(body) ?? labelOf(/charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1]) ?? declaredIn(body);
  if (named && named !== 'utf-8') return new TextDecoder(named).decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // Said to be UTF-8, or said nothing, and is not: the legacy default of the web reads every byte.
    return new TextDecoder(named ? 'utf-8' : 'windows-1252').decode(body);
  }
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return undefined;
}

function declaredIn(body: Buffer): string | undefined {
  const head = body.subarray(0, 2048).toString('latin1');
  return labelOf(/<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]);
}

function labelOf(label: string | undefined): string | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
