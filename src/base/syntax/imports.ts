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

/** `a as b` → a, b; `a` → a, a. */
function renamed(part: string): [name: string, as: string] {
  const [name = '', as = name] = part
    .replace(/^type\s+/, '')
    .split(/\s+as\s+/)
    .map((one) => one.trim());
  return [name, as];
}

/** The last part of a path, taken from what is before it. */
function lastTaken(path: string, separator: string, as?: string): Import {
  const name = lastOf(path, separator.slice(-1));
  return {
    from: path.slice(0, Math.max(0, path.length - name.length - separator.length)),
    name,
    as: as ?? name,
  };
}

const ecmascript: Reader = (statement) => {
  const from = /(?:from\s*|^import\s*|require\(\s*)["']([^"']+)["']/.exec(statement)?.[1];
  const reexport = /^export\b/.test(statement) || undefined;
  if (from === undefined) return [];
  const found: Import[] = [];
  const add = (name: string, as: string) => found.push({ from, name, as, reexport });
  const head = statement
    .slice(0, statement.lastIndexOf('from'))
    .replace(/^(?:import|export)\s+(?:type\s+)?/, '');
  for (const part of parts(/\{([\s\S]*?)\}/.exec(head)?.[1] ?? '')) add(...renamed(part));
  const rest = head.replace(/\{[\s\S]*?\}/, '');
  const star = /\*\s*(?:as\s+([\w$]+))?/.exec(rest);
  if (star) add('*', star[1] ?? '');
  const single = /^\s*([\w$]+)\s*(?:,|$)/.exec(rest.replace(/\*\s*(?:as\s+[\w$]+)?/, ''))?.[1];
  if (single && !reexport) add('default', single);
  if (found.length === 0) add('*', '');
  return found;
};

const python: Reader = (statement) => {
  const [, from, names = ''] = /^from\s+([.\w]+)\s+import\s+([\s\S]*)$/.exec(statement) ?? [];
  if (from === undefined)
    return parts(statement.replace(/^import\s+/, '')).map((part) => {
      const [path, as] = renamed(part);
      return { from: path, name: '*', as };
    });
  return parts(names.replace(/[()\\]/g, ' ')).map((part) => {
    const [name, as] = renamed(part);
    return { from, name, as: name === '*' ? '' : as };
  });
};

const go: Reader = (statement) => {
  const [, alias = '', path] = /^([\w.]*)\s*["`]([^"`]+)["`]/.exec(statement) ?? [];
  if (!path) return [];
  const name = lastOf(path, '/').replace(/^v\d+$/, () => lastOf(path.slice(0, path.lastIndexOf('/')), '/'));
  const own = alias || name.replace(/^go-|\.go$|-go$/, '');
  return [{ from: path, name: '*', as: alias === '.' || alias === '_' ? '' : own }];
};

const rust: Reader = (statement) => {
  const found: Import[] = [];
  const walk = (prefix: string, text: string) => {
    for (const part of splitTop(text).map((one) => one.trim())) {
      const open = part.indexOf('{');
      if (open >= 0) walk(prefix + part.slice(0, open).trim(), part.slice(open + 1, part.lastIndexOf('}')));
      else if (part !== '') {
        const [path = '', as] = (prefix + part).split(/\s+as\s+/);
        const clean = path.replace(/::self$/, '');
        const one = lastTaken(clean, '::', as);
        found.push({ ...one, from: one.from || clean, as: one.name === '*' ? '' : one.as });
      }
    }
  };
  walk('', statement.replace(/^extern\s+crate\s+/, '').replace(/;$/, ''));
  return found.filter((one) => one.name !== '');
};

const dotted: Reader = (statement) => {
  const [, alias, path, all, as] =
    /^(?:global\s+)?(?:import|using)\s+(?:static\s+)?(?:([\w]+)\s*=\s*)?([\w.]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*;?\s*$/.exec(
      statement.trim(),
    ) ?? [];
  if (!path) return [];
  if (!all && !statement.includes('using ')) return [lastTaken(path, '.', as)];
  return [alias ? lastTaken(path, '.', alias) : { from: path, name: '*', as: '' }];
};

const php: Reader = (statement) => {
  if (!/^use\b/.test(statement)) return quoted(statement);
  const body = statement.replace(/^use\s+(?:function\s+|const\s+)?/, '').replace(/;\s*$/, '');
  const [, prefix, group = body] = /^([\s\S]*?)\\?\{([\s\S]*)\}$/.exec(body) ?? [];
  return parts(group).map((part) => {
    const [path = '', as] = `${prefix === undefined ? '' : `${prefix}\\`}${part}`.split(/\s+as\s+/);
    return lastTaken(path.trim().replace(/^\\/, ''), '\\', as?.trim());
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
