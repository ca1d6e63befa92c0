import { splitTop } from './heads.ts';
import type { Language } from './languages.ts';

/** One name that a file takes from elsewhere. */
export interface Import {
  /** Module, path or namespace as it is written. */
  from: string;
  /** What is taken: a name, `default`, or `*` for the whole module. */
  name: string;
  /** What it is called here; '' when everything is taken without a name (`import *`, `#include`, `using`). */
  as: string;
  /** Also handed on to those who import this file. */
  reexport?: boolean;
}

/** Reads an import statement. A parser of its own would be larger: these statements are short and regular. */
export function readImport(language: Language, statement: string): Import[] {
  const read = readers[language];
  return read ? read(statement) : [];
}

type Reader = (statement: string) => Import[];

const parts = (list: string): string[] =>
  list
    .replace(/\/\/.*|\/\*[\s\S]*?\*\/|#.*/g, '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const lastOf = (path: string, separator: string): string => path.slice(path.lastIndexOf(separator) + 1);

const ecmascript: Reader = (statement) => {
  const from = /(?:from\s*|^import\s*|require\(\s*)["']([^"']+)["']/.exec(statement)?.[1];
  const reexport = /^export\b/.test(statement);
  if (from === undefined) return [];
  const found: Import[] = [];
  const add = (name: string, as: string) => found.push({ from, name, as, reexport: reexport || undefined });
  const head = statement
    .slice(0, statement.lastIndexOf('from'))
    .replace(/^(?:import|export)\s+(?:type\s+)?/, '');
  const braces = /\{([\s\S]*?)\}/.exec(head);
  for (const part of parts(braces?.[1] ?? '')) {
    const [name, as] = part.replace(/^type\s+/, '').split(/\s+as\s+/);
    add(name!, as ?? name!);
  }
  const rest = head.replace(/\{[\s\S]*?\}/, '');
  const star = /\*\s*(?:as\s+([\w$]+))?/.exec(rest);
  if (star) add('*', star[1] ?? '');
  const single = /^\s*([\w$]+)\s*(?:,|$)/.exec(rest.replace(/\*\s*(?:as\s+[\w$]+)?/, ''))?.[1];
  if (single && !reexport) add('default', single);
  if (found.length === 0) add('*', '');
  return found;
};

const python: Reader = (statement) => {
  const from = /^from\s+([.\w]+)\s+import\s+([\s\S]*)$/.exec(statement);
  if (from) {
    return parts(from[2]!.replace(/[()\\]/g, ' ')).map((part) => {
      if (part === '*') return { from: from[1]!, name: '*', as: '' };
      const [name, as] = part.split(/\s+as\s+/);
      return { from: from[1]!, name: name!.trim(), as: (as ?? name!).trim() };
    });
  }
  return parts(statement.replace(/^import\s+/, '')).map((part) => {
    const [name, as] = part.split(/\s+as\s+/);
    return { from: name!.trim(), name: '*', as: (as ?? name!).trim() };
  });
};

const go: Reader = (statement) => {
  const found = /^([\w.]*)\s*["`]([^"`]+)["`]/.exec(statement);
  if (!found) return [];
  const path = found[2]!;
  const name = lastOf(path, '/').replace(/^v\d+$/, () => lastOf(path.slice(0, path.lastIndexOf('/')), '/'));
  return [
    {
      from: path,
      name: '*',
      as: found[1] === '.' || found[1] === '_' ? '' : found[1] || name.replace(/^go-|\.go$|-go$/, ''),
    },
  ];
};

const rust: Reader = (statement) => {
  const found: Import[] = [];
  const walk = (prefix: string, text: string) => {
    for (const part of splitTop(text).map((one) => one.trim())) {
      if (part === '') continue;
      const open = part.indexOf('{');
      if (open >= 0) {
        walk(prefix + part.slice(0, open).trim(), part.slice(open + 1, part.lastIndexOf('}')));
        continue;
      }
      const [path, as] = (prefix + part).split(/\s+as\s+/);
      const clean = path!.replace(/::self$/, '');
      const name = lastOf(clean, ':');
      const from = clean.slice(0, Math.max(0, clean.length - name.length - 2));
      found.push({ from: from || clean, name, as: name === '*' ? '' : (as ?? name) });
    }
  };
  walk('', statement.replace(/^extern\s+crate\s+/, '').replace(/;$/, ''));
  return found.filter((one) => one.name !== '');
};

const dotted: Reader = (statement) => {
  const found =
    /^(?:global\s+)?(?:import|using)\s+(?:static\s+)?(?:([\w]+)\s*=\s*)?([\w.]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*;?\s*$/.exec(
      statement.trim(),
    );
  if (!found) return [];
  const path = found[2]!;
  if (found[3] || statement.includes('using ')) {
    return found[1]
      ? [{ from: path.slice(0, path.lastIndexOf('.')), name: lastOf(path, '.'), as: found[1] }]
      : [{ from: path, name: '*', as: '' }];
  }
  const name = lastOf(path, '.');
  return [{ from: path.slice(0, Math.max(0, path.length - name.length - 1)), name, as: found[4] ?? name }];
};

const php: Reader = (statement) => {
  if (!/^use\b/.test(statement)) return quoted(statement);
  const body = statement.replace(/^use\s+(?:function\s+|const\s+)?/, '').replace(/;\s*$/, '');
  const group = /^([\s\S]*?)\\?\{([\s\S]*)\}$/.exec(body);
  const prefix = group ? `${group[1]}\\` : '';
  return parts(group ? group[2]! : body).map((part) => {
    const [path, as] = (prefix + part).split(/\s+as\s+/);
    const clean = path!.trim().replace(/^\\/, '');
    const name = lastOf(clean, '\\');
    return {
      from: clean.slice(0, Math.max(0, clean.length - name.length - 1)),
      name,
      as: as?.trim() ?? name,
    };
  });
};

const quoted: Reader = (statement) => {
  const path =
    /["'<]([^"'>]+)["'>]/.exec(statement)?.[1] ?? (/^[\w./-]+$/.test(statement) ? statement : undefined);
  return path ? [{ from: path, name: '*', as: '' }] : [];
};

const swift: Reader = (statement) => {
  const path = /^(?:@\w+\s+)?import\s+(?:\w+\s+)?([\w.]+)/.exec(statement)?.[1];
  return path ? [{ from: path, name: '*', as: '' }] : [];
};

const readers: Partial<Record<Language, Reader>> = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  python,
  go,
  rust,
  java: dotted,
  kotlin: dotted,
  csharp: dotted,
  php,
  swift,
  c: quoted,
  cpp: quoted,
  ruby: quoted,
  bash: quoted,
};
