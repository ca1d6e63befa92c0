/** How a language is recognised and where its grammar is. Documents have no grammar: they are split by headings or size. */
export interface LanguageShape {
  extensions: string[];
  names?: string[];
  /** Package and file of the compiled grammar; absent for documents. */
  grammar?: [packageName: string, file: string];
  /** How a definition's head ends: at a brace, at a colon, or at the end of the line. */
  head?: 'brace' | 'colon' | 'line';
}

const vscode = '@vscode/tree-sitter-wasm';
const repomix = '@repomix/tree-sitter-wasms';

export const languages = {
  typescript: {
    extensions: ['ts', 'mts', 'cts'],
    grammar: [vscode, 'wasm/tree-sitter-typescript.wasm'],
    head: 'brace',
  },
  tsx: { extensions: ['tsx'], grammar: [vscode, 'wasm/tree-sitter-tsx.wasm'], head: 'brace' },
  javascript: {
    extensions: ['js', 'mjs', 'cjs', 'jsx'],
    grammar: [vscode, 'wasm/tree-sitter-javascript.wasm'],
    head: 'brace',
  },
  python: {
    extensions: ['py', 'pyi', 'pyw'],
    grammar: [vscode, 'wasm/tree-sitter-python.wasm'],
    head: 'colon',
  },
  go: { extensions: ['go'], grammar: [vscode, 'wasm/tree-sitter-go.wasm'], head: 'brace' },
  rust: { extensions: ['rs'], grammar: [vscode, 'wasm/tree-sitter-rust.wasm'], head: 'brace' },
  java: { extensions: ['java'], grammar: [vscode, 'wasm/tree-sitter-java.wasm'], head: 'brace' },
  c: { extensions: ['c', 'h'], grammar: [repomix, 'out/tree-sitter-c.wasm'], head: 'brace' },
  cpp: {
    extensions: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'h++', 'ipp', 'inl'],
    grammar: [vscode, 'wasm/tree-sitter-cpp.wasm'],
    head: 'brace',
  },
  csharp: { extensions: ['cs', 'csx'], grammar: [vscode, 'wasm/tree-sitter-c-sharp.wasm'], head: 'brace' },
  ruby: {
    extensions: ['rb', 'rake', 'gemspec', 'ru'],
    names: ['Rakefile', 'Gemfile'],
    grammar: [vscode, 'wasm/tree-sitter-ruby.wasm'],
    head: 'line',
  },
  php: { extensions: ['php', 'phtml'], grammar: [vscode, 'wasm/tree-sitter-php.wasm'], head: 'brace' },
  bash: {
    extensions: ['sh', 'bash', 'zsh', 'ksh'],
    names: ['.bashrc', '.profile', '.zshrc'],
    grammar: [vscode, 'wasm/tree-sitter-bash.wasm'],
    head: 'brace',
  },
  kotlin: {
    extensions: ['kt', 'kts'],
    grammar: ['@lumis-sh/wasm-kotlin', 'tree-sitter-kotlin.wasm'],
    head: 'brace',
  },
  swift: { extensions: ['swift'], grammar: [repomix, 'out/tree-sitter-swift.wasm'], head: 'brace' },
  markdown: { extensions: ['md', 'mdx', 'markdown', 'rst', 'adoc', 'txt'] },
  json: { extensions: ['json', 'jsonc', 'json5'] },
  yaml: { extensions: ['yaml', 'yml'] },
  toml: { extensions: ['toml'] },
  sql: { extensions: ['sql'] },
  html: { extensions: ['html', 'htm', 'vue', 'svelte', 'astro'] },
  css: { extensions: ['css', 'scss', 'sass', 'less'] },
  build: {
    extensions: ['mk', 'cmake', 'gradle', 'bzl', 'nix', 'tf', 'hcl', 'proto', 'graphql', 'gql', 'xml'],
    names: [
      'Makefile',
      'makefile',
      'GNUmakefile',
      'Dockerfile',
      'Containerfile',
      'Jenkinsfile',
      'CMakeLists.txt',
      'BUILD',
      'WORKSPACE',
      'go.mod',
      'Procfile',
    ],
  },
} satisfies Record<string, LanguageShape>;

export type Language = keyof typeof languages;

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

/** Whether the language has a grammar, and with it symbols. */
export const isParsed = (language: Language): boolean =>
  (languages[language] as LanguageShape).grammar !== undefined;

/** What a definition can be. The nine symbol types of a search are made of these; see `symbolTypeOf`. */
export type DefinitionKind =
  | 'function'
  | 'method'
  | 'constructor'
  | 'class'
  | 'struct'
  | 'interface'
  | 'trait'
  | 'enum'
  | 'type'
  | 'variable'
  | 'constant'
  | 'field'
  | 'module'
  | 'macro';
