import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a directory. Links are listed and not followed, as a recursive readdirSync would. */
export const pathsBelow = (
  directory: string,
  wanted: (entry: Dirent) => boolean = (entry) => entry.isFile(),
): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return [...(wanted(entry) ? [path] : []), ...(entry.isDirectory() ? pathsBelow(path, wanted) : [])];
  });
