import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Language as Grammar, Parser, Query, type Tree } from 'web-tree-sitter';
import { SylkError } from '../errors.ts';
import { product } from '../files/index.ts';
import { startEngine } from './engine.ts';
import { type Language, languages } from './languages.ts';

/** A grammar with its parser and its query, loaded once per thread. */
export interface LoadedGrammar {
  language: Language;
  query: Query;
  /** The caller deletes the tree. Parsing that takes longer than `timeoutMs` is given up. */
  parse(text: string, timeoutMs?: number): Tree;
}

const loading = new Map<Language, Promise<LoadedGrammar>>();

export function loadGrammar(language: Language): Promise<LoadedGrammar> {
  let loaded = loading.get(language);
  if (!loaded) {
    loaded = load(language);
    loaded.catch(() => loading.delete(language));
    loading.set(language, loaded);
  }
  return loaded;
}

async function load(language: Language): Promise<LoadedGrammar> {
  const { grammar: module, queries = [] } = languages[language];
  if (!module)
    throw new SylkError('INVALID_OPERATION', `${language} has no grammar.`, {
      hint: 'Ask isParsed() first.',
    });
  await startEngine();
  const grammar = await Grammar.load(product.read(fileOf(module)));
  const sources = queries.map((name) => product.read(new URL(`./queries/${name}.scm`, import.meta.url)));
  const query = new Query(grammar, sources.join('\n'));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return {
    language,
    query,
    parse: (text, timeoutMs = 10_000) => {
      const deadline = Date.now() + timeoutMs;
      const tree = parser.parse(text, null, { progressCallback: () => Date.now() > deadline });
      if (tree) return tree;
      parser.reset();
      throw new SylkError('TIMEOUT', `Parsing took longer than ${timeoutMs} ms.`);
    },
  };
}

const require = createRequire(import.meta.url);

/** Packages that export nothing but themselves are found by their main file. */
function fileOf(module: string): string {
  const [, packageName = '', file = ''] = /^(@[^/]+\/[^/]+)\/(.+)$/.exec(module) ?? [];
  try {
    return join(dirname(require.resolve(`${packageName}/package.json`)), file);
  } catch {
    return require.resolve(module);
  }
}
