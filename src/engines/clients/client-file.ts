import { dirname } from 'node:path';
import { person, product, tree } from '../../base/files/index.ts';

/** A file that a client reads: in the repository if a root is given, otherwise the person's own. */
export interface FilePlace {
  path: string;
  root?: string | undefined;
}

export const placeOf = (scope: 'user' | 'project', path: string, repository: string): FilePlace =>
  scope === 'project' ? { path, root: repository } : { path };

export const readClientFile = ({ path, root }: FilePlace): string | undefined =>
  root === undefined ? person.readText(path) : tree.readText(root, path);

export function writeClientFile({ path, root }: FilePlace, content: string | Uint8Array): void {
  if (root === undefined) person.write(path, content);
  else tree.write(root, path, content);
}

/** Deletes the file, and its directories that are then empty, innermost first. */
export function removeClientFile({ path, root }: FilePlace, made: string[]): void {
  if (root === undefined) person.remove(path);
  else tree.remove(root, path);
  for (const directory of made.toReversed())
    if (root === undefined) person.removeEmptyDirectory(directory);
    else tree.removeEmptyDirectory(root, directory);
}

/** Creates the directories above a file and returns the new ones, outermost first. */
export function makeDirectories({ path, root }: FilePlace): string[] {
  const missing: string[] = [];
  for (let at = dirname(path); !person.exists(at); at = dirname(at)) missing.unshift(at);
  if (root === undefined) person.makeDirectory(dirname(path));
  else tree.makeDirectory(root, dirname(path));
  return missing;
}

/** A text that we write into other programs' files. */
export const productText = (name: string): string =>
  product.read(new URL(`./data/${name}`, import.meta.url)).toString('utf8');
