/* Paths relative to the root, written with `/`, and lines of a text. */

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const directoryOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
export const inDirectory = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`;

/** `a/b` → ['a/b', 'a', '']. */
export function upwards(directory: string): string[] {
  const chain = [directory];
  for (let current = directory; current !== ''; current = directoryOf(current))
    chain.push(directoryOf(current));
  return chain;
}

/** Line number of a position, from 1; a position before the text is on line 1. */
export function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
