/** The 22 languages of the registry, by file extension. */
const extensions: Record<string, string> = {
  go: 'go',
  py: 'python',
  pyi: 'python',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  rs: 'rust',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  hxx: 'cpp',
  cs: 'csharp',
  ex: 'elixir',
  exs: 'elixir',
  heex: 'elixir',
  sh: 'bash',
  bash: 'bash',
  bats: 'bash',
  php: 'php',
  swift: 'swift',
  zig: 'zig',
  ml: 'ocaml',
  mli: 'ocaml',
  dart: 'dart',
  tf: 'terraform',
  tfvars: 'terraform',
  nix: 'nix',
  vue: 'vue',
  svelte: 'svelte',
};

/** Tools of one member work for the others: a linter for JavaScript reads TypeScript, Vue and Svelte too. */
const families: Record<string, string> = {
  javascript: 'javascript',
  typescript: 'javascript',
  vue: 'javascript',
  svelte: 'javascript',
  c: 'cpp',
  cpp: 'cpp',
  java: 'jvm',
  kotlin: 'jvm',
};

export const familyOf = (language: string): string => families[language] ?? language;

export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'Rakefile' || name === 'Gemfile') return 'ruby';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : extensions[name.slice(dot + 1).toLowerCase()];
}

const notSource =
  /(^|\/)(node_modules|vendor|third_party|dist|build|target|coverage|fixtures?|testdata|\.git|\.venv|venv)\/|\.(d\.ts|min\.js|config\.[cm]?[jt]s)$/;

/**
 * Languages under a directory, most files first. A language counts from a tenth of the files on; the main one always.
 * C headers count for C++ where there is C++.
 */
export function languagesUnder(paths: string[], directory: string): string[] {
  const counts = new Map<string, number>();
  const prefix = directory === '' ? '' : `${directory}/`;
  for (const path of paths) {
    if (!path.startsWith(prefix) || notSource.test(path)) continue;
    const language = languageOf(path);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  if (counts.has('cpp') && counts.has('c')) {
    const [from, to] = counts.get('cpp')! * 2 >= counts.get('c')! ? ['c', 'cpp'] : ['cpp', 'c'];
    counts.set(to!, counts.get(to!)! + counts.get(from!)!);
    counts.delete(from!);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .filter(([, count], at) => at === 0 || count >= total / 10)
    .slice(0, 4)
    .map(([language]) => language);
}
