/** More than people write, and little enough for any parser. */
const deepest = 64;

const compactBlocks = new RegExp(`^ *(?:[-?:] +){${deepest}}`, 'm');

/** Whether YAML nests brackets, or lists within lists on one line, deeper than a parser should follow. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    depth = sign === '[' || sign === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return compactBlocks.test(text);
}
