import type { LoadedFile } from './link-context.ts';

/** What an expression can refer to. `ordinal` -1 is the file itself, as a module. */
export interface Value {
  /** `is`: the thing itself; `instance`: a value of that type; `package`: several files as one; `outside`: external. */
  kind: 'is' | 'instance' | 'package' | 'outside';
  file: LoadedFile;
  ordinal: number;
  files?: LoadedFile[];
  /** Nothing but a name that exists once led here. */
  byName?: true;
}

export const typeKinds = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'type', 'module']);
export const functionKinds = new Set(['function', 'method', 'constructor', 'macro']);

export const kindOf = (value: Value): string =>
  value.ordinal < 0 ? 'module' : (value.file.definitions[value.ordinal]?.[0] ?? '');

/** Languages in which a bare name inside a method can be a member of the class. */
export const implicitSelf = new Set(['java', 'csharp', 'cpp', 'kotlin', 'swift', 'ruby']);

/** Languages that share definitions. */
export function family(language: string): string {
  if (language === 'tsx' || language === 'typescript' || language === 'javascript') return 'script';
  if (language === 'c' || language === 'cpp') return 'c';
  return language === 'kotlin' || language === 'java' ? 'jvm' : language;
}
