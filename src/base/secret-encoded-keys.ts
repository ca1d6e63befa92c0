import type { Mark } from './secret-value.ts';

/** Base64 that may be a whole PEM file, or the inside of one: `-----BEGIN`, or a sequence of ASN.1. */
const start = /(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))(?:LS0tLS1CRUdJTi|M[A-Z][A-Za-z0-9])[A-Za-z0-9+/]{40,}/g;
const run = /[A-Za-z0-9+/]+={0,2}/y;
const lineBreak = /(?:\\r)?\\n|[ \t]*\r?\n[ \t]*/y;
/** No line of a key but its last is shorter. */
const shortestLine = 40;

/**
 * Private keys without the lines that name them: a PEM file in base64, as in a kubeconfig, and the bare body of one.
 * What is there is decoded: a certificate or a public key begins with the same letters.
 */
export function cutEncodedKeys(text: string, mark: Mark): string {
  let clean = '';
  let done = 0;
  start.lastIndex = 0;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const signs = signsOfKey(Buffer.from(found[0].slice(0, 64), 'base64'));
    if (signs === undefined) continue;
    const end = endOfKey(text, found.index, signs);
    clean += text.slice(done, found.index) + mark('private-key', text.slice(found.index, end));
    done = end;
    start.lastIndex = end;
  }
  return clean + text.slice(done);
}

/** How many signs of base64 a private key takes that begins so; undefined where it is none. */
function signsOfKey(head: Buffer): number | undefined {
  if (/^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/.test(head.toString('latin1'))) return Number.POSITIVE_INFINITY;
  const [tag, length = 0] = head;
  const more = length > 0x80 && length <= 0x84 ? length - 0x80 : 0;
  if (tag !== 0x30 || (length >= 0x80 && more === 0)) return undefined;
  const bytes = more === 0 ? length : head.readUIntBE(2, more);
  const [integer, one, version = 2, next, size = 0, after] = head.subarray(2 + more);
  if (integer !== 0x02 || one !== 1 || version > 1) return undefined;
  // An algorithm (PKCS 8), the numbers of RSA and DSA (PKCS 1), the octets of an elliptic curve (SEC 1).
  const isKey =
    (next === 0x30 && after === 0x06) ||
    (next === 0x02 && version === 0 && size > 0x20) ||
    (next === 0x04 && version === 1);
  return isKey ? Math.ceil((2 + more + bytes) / 3) * 4 : undefined;
}

function endOfKey(text: string, from: number, signs: number): number {
  let end = from;
  let count = 0;
  for (
    let at: number | undefined = from;
    at !== undefined;
    at = count < signs ? nextLine(text, end) : undefined
  ) {
    run.lastIndex = at;
    const line = run.exec(text)?.[0] ?? '';
    if (line.length < Math.min(shortestLine, signs - count) && !line.includes('LS0t')) return end;
    count += line.length;
    end = at + line.length;
  }
  return end;
}

function nextLine(text: string, from: number): number | undefined {
  lineBreak.lastIndex = from;
  return lineBreak.test(text) ? lineBreak.lastIndex : undefined;
}
