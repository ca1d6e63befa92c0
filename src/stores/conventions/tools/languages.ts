import { once } from '../../../base/once.ts';
import { table } from '../data.ts';

export interface LanguageTables {
  extensions: Record<string, string[]>;
  families: Record<string, string>;
  standard_modules: { python: string };
}

export const languageTables = table<LanguageTables>('languages');

const languageByExtension = once(
  () =>
    new Map(
      Object.entries(languageTables().extensions).flatMap(([language, extensions]) =>
        extensions.map((extension) => [extension, language] as const),
      ),
    ),
);

export const familyOf = (language: string): string => languageTables().families[language] ?? language;

export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'Rakefile' || name === 'Gemfile') return 'ruby';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : languageByExtension().get(name.slice(dot + 1).toLowerCase());
}

const notSource =
  /(^|\/)(node_modules|vendor|third_party|dist|build|target|coverage|fixtures?|testdata|\.git|\.venv|venv)\/|\.(d\.ts|min\.js|config\.[cm]?[jt]s)$/;

/** Languages under a directory, most files first: the main one, and those with at least a tenth of the files. */
export function languagesUnder(paths: string[], directory: string): string[] {
  const counts = new Map<string, number>();
  const prefix = directory === '' ? '' : `${directory}/`;
  for (const path of paths) {
    if (!path.startsWith(prefix) || notSource.test(path)) continue;
    const language = languageOf(path);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  // C headers count as C++ where most of the code is C++.
  const [c, cpp] = [counts.get('c'), counts.get('cpp')];
  if (c !== undefined && cpp !== undefined) {
    counts.set(cpp * 2 >= c ? 'cpp' : 'c', c + cpp);
    counts.delete(cpp * 2 >= c ? 'c' : 'cpp');
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .filter(([, count], at) => at === 0 || count >= total / 10)
    .slice(0, 4)
    .map(([language]) => language);
}
