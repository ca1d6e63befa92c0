/** Orders by code point, the same on every machine and in every locale; SQLite orders text the same way. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left === right) continue;
    // Half of a surrogate pair stands for a code point above every single unit.
    const surrogates = Number(left >= 0xd800 && left < 0xe000) - Number(right >= 0xd800 && right < 0xe000);
    return surrogates !== 0 ? surrogates : left - right;
  }
  return a.length - b.length;
}
