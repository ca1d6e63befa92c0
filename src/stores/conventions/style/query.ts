import { didYouMean } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import { isParsed, type Language, languageOf } from '../../../base/syntax/index.ts';
import { createFileFacts, type DerivedCache } from '../cache.ts';
import { readJson, textOf } from '../dependencies/structured-text.ts';
import type { ProjectFiles } from '../project-files.ts';
import { type FileStyle, importPairs, readFileStyle } from './file-style.ts';
import { fileCaseOf } from './naming.ts';
import type { LanguageStyle, StyleGuide } from './record.ts';
import { addTally, emptySum, summarise } from './summary.ts';
import { count, emptyTally } from './tally.ts';

/** A sample of this size represents all files. */
const sampleSize = 250;
const maxBytes = 200_000;
const aside =
  /(^|\/)(node_modules|vendor|third_party|dist|build|target|coverage|generated|__generated__|fixtures?|__fixtures__|testdata|snapshots|__snapshots__|migrations)\/|\.(min|d|generated|gen|pb)\.\w+$|_pb2?\.\w+$|\.pb\.go$/;

/** TypeScript with and without markup is one language to people. */
const spoken = (language: Language): string => (language === 'tsx' ? 'typescript' : language);

export function createStyleShelf(files: ProjectFiles, cache: DerivedCache) {
  // Increment the number whenever the extracted facts change, so that older facts are not used.
  const facts: StyleFacts = createFileFacts(cache, 'style 2', readFileStyle);
  return {
    guide: async ({ language, path }: { language: string; path: string }): Promise<StyleGuide> => {
      const groups = grouped(await files.list(), path);
      const languages = [...groups.keys()];
      const wanted = language === 'all' ? languages : [requireLanguage(language, languages)];
      const own = await ownNames(files);
      const problems: string[] = [];
      const styles: LanguageStyle[] = [];
      for (const name of wanted)
        styles.push(await styleOf(files, facts, name, groups.get(name) ?? [], own, problems));
      return { styles: styles.filter((style) => style.files_analysed > 0), languages, problems };
    },
  };
}

type StyleFacts = ReturnType<typeof createFileFacts<FileStyle>>;

/** Languages with their files, most files first. */
function grouped(paths: string[], below: string): Map<string, string[]> {
  const prefix = below === '' ? '' : `${below}/`;
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    if ((below !== '' && path !== below && !path.startsWith(prefix)) || aside.test(path)) continue;
    const language = languageOf(path);
    if (!language || !isParsed(language)) continue;
    const name = spoken(language);
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return new Map([...groups].sort((a, b) => b[1].length - a[1].length));
}

const spokenNames: Record<string, string> = Object.fromEntries(
  'js:javascript ts:typescript tsx:typescript py:python golang:go c++:cpp c#:csharp sh:bash'
    .split(' ')
    .map((pair) => pair.split(':')),
);

function requireLanguage(given: string, languages: string[]): string {
  const wanted = spokenNames[given.toLowerCase()] ?? given.toLowerCase();
  if (languages.includes(wanted)) return wanted;
  const others = languages.length > 0 ? `Languages here: ${languages.join(', ')}.` : noSource;
  throw new SylkError('NOT_FOUND', `No ${given.slice(0, 40)} code here to infer a style from.`, {
    hint: didYouMean(wanted, languages, others),
  });
}

const noSource = 'No source file in a supported language.';

async function styleOf(
  files: ProjectFiles,
  facts: StyleFacts,
  language: string,
  paths: string[],
  own: Set<string>,
  problems: string[],
): Promise<LanguageStyle> {
  const sum = emptySum();
  for (const path of sampled(paths)) {
    const text = await files.read(path);
    if (
      text === undefined ||
      text.length > maxBytes ||
      isMinified(text) ||
      /@generated|DO NOT EDIT/.test(text.slice(0, 1000))
    )
      continue;
    const style = await facts.of(path, text, problems);
    if (!style) continue;
    addTally(sum, style.tally, path);
    for (const pair of importPairs(style, language, own)) sum.order[pair] = (sum.order[pair] ?? 0) + 1;
    sum.files++;
  }
  facts.flush();
  for (const path of paths) {
    const named = fileCaseOf(path);
    if (!named) continue;
    const tally = emptyTally();
    count(tally, 'naming.files', named, 1);
    addTally(sum, tally, path);
  }
  return {
    language,
    files_analysed: sum.files,
    files_total: paths.length,
    ...summarise(sum, language),
    configured_by: await configuredBy(files),
  };
}

const isMinified = (text: string): boolean =>
  text.length > 5000 && text.length / (text.split('\n').length + 1) > 200;

/** An evenly spread, deterministic sample. */
function sampled(paths: string[]): string[] {
  if (paths.length <= sampleSize) return paths;
  return Array.from(
    { length: sampleSize },
    (_, at) => paths[Math.floor((at * paths.length) / sampleSize)] ?? '',
  );
}

const formatterFiles =
  /^(\.editorconfig|\.prettierrc(\.\w+)?|prettier\.config\.\w+|biome\.jsonc?|\.?rustfmt\.toml|\.clang-format|\.?ruff\.toml|\.rubocop\.yml|\.scalafmt\.conf|\.php-cs-fixer(\.dist)?\.php|pint\.json|dprint\.json|\.oxfmtrc\.jsonc?|\.swiftformat|\.swift-format)$/;

const configuredBy = async (files: ProjectFiles): Promise<string[]> =>
  (await files.list()).filter((path) => formatterFiles.test(path)).slice(0, 10);

/** Names under which the project imports itself: its packages, its module path, its top-level Python packages. */
async function ownNames(files: ProjectFiles): Promise<Set<string>> {
  const names = new Set<string>();
  const paths = await files.list();
  for (const path of paths
    .filter((one) => /(^|\/)(package\.json|go\.mod)$/.test(one) && !aside.test(one))
    .slice(0, 100)) {
    const text = await files.read(path);
    const name = path.endsWith('go.mod')
      ? /^module\s+(\S+)/m.exec(text ?? '')?.[1]
      : textOf(readJson(text).name);
    if (name) names.add(name);
  }
  for (const path of paths) {
    const found = /^(?:src\/)?([a-zA-Z]\w*)\/__init__\.py$/.exec(path)?.[1];
    if (found) names.add(found);
  }
  return names;
}
