import { parseEnv } from 'node:util';
import { SylkError } from '../errors.ts';
import { person } from '../files/index.ts';

/**
 * Keys by the names of their variables, one `NAME=KEY` a line, from a file that only the person can read. No file is
 * no failure.
 */
export function readCredentials(path: string): Record<string, string> {
  const entry = person.entry(path);
  if (!entry) return {};
  if (process.platform !== 'win32' && entry.mode & 0o077)
    throw new SylkError('DENIED', `Other users can read the keys in ${path}: they are not used.`, {
      hint: `Run: chmod 600 ${path}`,
    });
  const text = person.readText(path, { limit: 65_536 }) ?? '';
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, key]) => (key ? [[name, key]] : [])),
  );
}
