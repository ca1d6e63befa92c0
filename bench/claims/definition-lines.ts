/** Definitions by the look of a line: deliberately not the parser of the product, whose verdicts these labels judge. */
const heads =
  '(?:export +)?(?:default +)?(?:declare +)?(?:(?:public|private|protected|static|abstract|final|pub(?:\\([a-z]+\\))?|async|unsafe|const) +)*';
const keyword =
  '(function\\*?|class|interface|type|enum|def|func(?: *\\([^)]*\\))?|fn|struct|trait|module|impl|const|let|var)';
const line = new RegExp(`^( *)${heads}${keyword} +([A-Za-z_$][\\w$]*)`);

export interface DefinitionLine {
  name: string;
  keyword: string;
}

/** A local variable is no definition that anybody would write about. */
export function definitionOf(text: string): DefinitionLine | undefined {
  const found = line.exec(text.replaceAll('\t', '    '));
  if (!found) return undefined;
  const [, indent, word, name] = found;
  if (['const', 'let', 'var', 'impl'].includes(word!) && (indent !== '' || word === 'impl')) return undefined;
  return { name: name!, keyword: word!.startsWith('func') ? 'function' : word! };
}

/** `class X extends A implements B`, `class X(A):`, `impl A for X`, `interface X extends A`. */
export function heritageOf(text: string): { name: string; parents: string[] } | undefined {
  const rust = /^\s*impl(?:<[^>]*>)? +(?:[\w:]+::)?(\w+)(?:<[^{]*>)? +for +(\w+)/.exec(text);
  if (rust) return { name: rust[2]!, parents: [rust[1]!] };
  const python = /^\s*class +(\w+)\(([^)]*)\):/.exec(text);
  if (python) return { name: python[1]!, parents: names(python[2]!) };
  const other = /^\s*(?:export +)?(?:default +)?(?:abstract +)?(?:class|interface) +(\w+)([^{]*)/.exec(text);
  if (!other || !/\b(?:extends|implements)\b/.test(other[2]!)) return undefined;
  return { name: other[1]!, parents: names(other[2]!.replace(/\b(?:extends|implements)\b/g, ',')) };
}

const names = (text: string): string[] =>
  text
    .replace(/<[^>]*>/g, '')
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .split(/[.\s=]/)
          .at(-1)!,
    )
    .filter((part) => /^[A-Z]\w+$/.test(part));

/** Words by which people call what a keyword defines. */
const kindWords: Record<string, string[]> = {
  class: ['class', 'struct'],
  function: ['function', 'function*', 'def', 'fn', 'const', 'let', 'var'],
  method: ['def', 'fn', 'function'],
  interface: ['interface'],
  type: ['type', 'interface', 'struct'],
  enum: ['enum'],
  struct: ['struct'],
  trait: ['trait'],
};

export const kindsPeopleSay = Object.keys(kindWords);

export const isCalled = (keyword: string, word: string): boolean =>
  kindWords[word]?.includes(keyword) ?? false;
