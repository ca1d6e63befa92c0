import { createRequire } from 'node:module';
import type { Ignore } from 'ignore';

/** Patterns as in a .gitignore. Loaded when first needed, and plain kinds are answered without it. */
export function createExcludes(patterns: string[]): (path: string) => boolean {
  const plain = patterns.map(plainTest);
  if (plain.every((test) => test !== undefined)) {
    return (path) => plain.some((test) => test!(path));
  }
  const ignore = createRequire(import.meta.url)('ignore') as (options?: object) => Ignore;
  const matcher = ignore({ allowRelativePaths: true }).add(patterns);
  return (path) => {
    try {
      return matcher.ignores(path);
    } catch {
      return false;
    }
  };
}

/** `name/**` and `*.ending` cover most lists; a path is tested for them by looking at its ends. */
function plainTest(pattern: string): ((path: string) => boolean) | undefined {
  const folder = /^([\w.-]+)\/\*\*$/.exec(pattern)?.[1];
  if (folder) return (path) => path.startsWith(`${folder}/`);
  const ending = /^\*(\.[\w.-]+)$/.exec(pattern)?.[1];
  // A pattern without a slash also matches a folder of that name, with all it holds.
  if (ending) return (path) => path.endsWith(ending) || path.includes(`${ending}/`);
  return undefined;
}
