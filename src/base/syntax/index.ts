// Owns: grammars, and what can be read off one file: definitions, uses, bindings, imports.
// Knows: web-tree-sitter.
// Must not know: files on disk, other files, databases.
export { createScopeFinder } from './definitions.ts';
export type { Definition, Facts, Use } from './facts.ts';
export { loadGrammar } from './grammar.ts';
export { type DefinitionKind, isParsed, type Language, languageOf, languageOfText } from './languages.ts';
export { outline, readFacts } from './outline.ts';
