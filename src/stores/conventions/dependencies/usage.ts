import { languageOf, readFacts } from '../../../base/syntax/index.ts';
import type { ProjectFiles } from '../project-files.ts';
import { packageTables } from './capabilities.ts';
import type { Dependency } from './record.ts';

const maxFiles = 6;
const maxExamples = 3;
const aside = /(^|\/)(tests?|__tests__|spec|examples?|fixtures?|benchmarks?|docs?)\/|\.(test|spec|d)\.\w+$/;

/** How this repository already uses a package: each imported name with its import and one line that uses it. */
export async function usageExamples(
  files: ProjectFiles,
  dependency: Dependency,
): Promise<Record<string, string>> {
  const modules = importedAs(dependency);
  const sources = (await files.holding(modules.flatMap((module) => written(dependency, module))))
    .filter((path) => languageOf(path) !== undefined && !/(^|\/)(node_modules|vendor|dist)\//.test(path))
    .sort((a, b) => Number(aside.test(a)) - Number(aside.test(b)) || a.length - b.length);
  const examples: Record<string, string> = {};
  for (const path of sources.slice(0, maxFiles * 2)) {
    if (Object.keys(examples).length >= maxExamples) break;
    const text = await files.read(path);
    if (text && text.length < 300_000) await addFrom(text, path, modules, examples);
  }
  return examples;
}

async function addFrom(
  text: string,
  path: string,
  modules: string[],
  examples: Record<string, string>,
): Promise<void> {
  const language = languageOf(path);
  if (!language) return;
  const { imports } = await readFacts(text, language, 2000).catch(() => ({ imports: [] }));
  const lines = text.split('\n');
  for (const imported of imports) {
    if (Object.keys(examples).length >= maxExamples) return;
    if (!modules.some((module) => fromModule(imported.from, imported.name, module))) continue;
    const name = imported.as || imported.name;
    if (!name || name === '*' || Object.hasOwn(examples, imported.name === '*' ? name : imported.name))
      continue;
    const importAt = lines.findIndex(
      (line) => isImport(line) && line.includes(name) && modules.some((module) => line.includes(module)),
    );
    const uses = new RegExp(`(?<![\\w$.])${literal(name)}\\s*[.(<]`);
    const useAt = lines.findIndex((line, at) => at !== importAt && !isImport(line) && uses.test(line));
    if (useAt < 0) continue;
    const head = importAt >= 0 ? `${lines[importAt]?.trim()}\n` : '';
    examples[imported.name === '*' || imported.name === 'default' ? name : imported.name] =
      `${head}${lines[useAt]?.trim().slice(0, 160)}  // ${path}:${useAt + 1}`;
  }
}

const isImport = (line: string): boolean =>
  /^\s*(import|from|use|using|require|const .*require\(|#include|export .* from|\} from)\b/.test(line) ||
  /\bfrom\s+["']/.test(line);

const literal = (text: string): string => text.replace(/[^\w]/g, '\\$&');

const fromModule = (from: string, name: string, module: string): boolean =>
  from === module ||
  from.startsWith(`${module}/`) ||
  from.startsWith(`${module}.`) ||
  from.startsWith(`${module}::`) ||
  from.startsWith(`${module}\\`) ||
  (from === '' && name === module);

/** How an import of a module looks in a file; a common word alone would match everywhere. */
function written({ ecosystem }: Dependency, module: string): string[] {
  if (ecosystem === 'npm' || ecosystem === 'gem')
    return [`'${module}'`, `"${module}"`, `'${module}/`, `"${module}/`];
  if (ecosystem === 'pypi') return [`import ${module}`, `from ${module}`];
  if (ecosystem === 'go') return [`"${module}`];
  return [module];
}

/** The names under which code imports a package. */
function importedAs({ ecosystem, name }: Dependency): string[] {
  const { pypi, composer } = packageTables().module_names;
  if (ecosystem === 'pypi') return [pypi[name] ?? name.replaceAll('-', '_')];
  if (ecosystem === 'cargo') return [name.replaceAll('-', '_')];
  if (ecosystem === 'gem') return [name.replaceAll('-', '/'), name];
  if (ecosystem === 'maven') return [name.replace(/:.*/, '')];
  if (ecosystem === 'composer') {
    const [vendor = '', last = ''] = name
      .split('/')
      .map((part) => part.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase()));
    return composer[name] ? [composer[name]] : [`${vendor}\\${last}`, last];
  }
  if (ecosystem === 'hex')
    return [name.replace(/(^|_)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase())];
  if (ecosystem === 'pub') return [`package:${name}`];
  return [name];
}
