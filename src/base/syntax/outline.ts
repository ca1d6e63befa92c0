import { analyze } from './analyze.ts';
import type { Definition, Facts } from './facts.ts';
import { loadGrammar } from './grammar.ts';
import { unwrapItemMacros } from './item-macros.ts';
import { isParsed, type Language } from './languages.ts';

/** Everything that can be read off one file. A document, which has no grammar, has no facts. */
export async function readFacts(text: string, language: Language, timeoutMs?: number): Promise<Facts> {
  if (!isParsed(language))
    return {
      definitions: [],
      uses: [],
      bindings: [],
      imports: [],
      exports: [],
      quiet: [],
      package: '',
      broken: false,
    };
  const grammar = await loadGrammar(language);
  const readable = language === 'rust' ? unwrapItemMacros(grammar, text, timeoutMs) : text;
  const tree = grammar.parse(readable, timeoutMs);
  try {
    return analyze(grammar, tree, text);
  } finally {
    tree.delete();
  }
}

/** The definitions of one file in the order they stand in, each with its place, head, comment and nesting. */
export async function outline(text: string, language: Language): Promise<Definition[]> {
  return (await readFacts(text, language)).definitions;
}
