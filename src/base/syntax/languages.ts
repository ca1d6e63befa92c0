import languageTable from './languages.json' with { type: 'json' };

/** How a language is recognised and where its grammar is. Documents have no grammar: they are split by headings or size. */
interface LanguageShape {
  extensions: string[];
  names?: string[];
  /** The compiled grammar, as a module path. */
  grammar?: string;
  /** Files in queries/. */
  queries?: string[];
  /** How a definition's head ends: at a colon, or at the end of the line; at a brace without it. */
  head?: string;
}

export type Language = keyof typeof languageTable;

export const languages: Record<Language, LanguageShape> = languageTable;

const byExtension = new Map<string, Language>();
const byName = new Map<string, Language>();
for (const [language, shape] of Object.entries(languages) as Array<[Language, LanguageShape]>) {
  for (const extension of shape.extensions) byExtension.set(extension, language);
  for (const name of shape.names ?? []) byName.set(name, language);
}

/** From the name alone; a script without an extension is recognised by its first line, if given. */
export function languageOf(path: string, firstLine = ''): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = byName.get(name);
  if (known) return known;
  const dot = name.lastIndexOf('.');
  if (dot > 0) return byExtension.get(name.slice(dot + 1).toLowerCase());
  const program = /^#!.*?\b(bash|sh|zsh|ksh|python|node|ruby|php)[\d.]*\b/.exec(firstLine)?.[1];
  if (!program) return undefined;
  if (program === 'python' || program === 'ruby' || program === 'php') return program;
  return program === 'node' ? 'javascript' : 'bash';
}

/** What only C++ says at the beginning of a line. */
const onlyCpp =
  /^[ \t]*(?:namespace(?:\s+[\w:]+)?\s*\{|template\s*<|class\s+[\w:]+(?:\s+final)?\s*(?::[^:]|\{|$)|(?:public|private|protected)\s*:|using\s+(?:namespace\s+)?[\w:]+|#\s*include\s*<(?:string|vector|map|memory|iostream|utility|functional|algorithm|type_traits|c(?:std\w+|string|assert))>)/m;

/** A header is C++ where its text is. */
export const languageOfText = (path: string, text: string): Language | undefined => {
  const language = languageOf(path, text.slice(0, 80).split('\n')[0]);
  return language === 'c' && path.endsWith('.h') && onlyCpp.test(text) ? 'cpp' : language;
};

/** Whether the language has a grammar, and with it symbols. */
export const isParsed = (language: Language): boolean => languages[language].grammar !== undefined;

/** What a definition can be. The nine symbol types of a search are made of these; see `symbolTypeOf`. */
export const definitionKinds = [
  'function',
  'method',
  'constructor',
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'variable',
  'constant',
  'field',
  'module',
  'macro',
] as const;
export type DefinitionKind = (typeof definitionKinds)[number];
