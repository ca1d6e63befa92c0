import { posix } from 'node:path';
import type { LinkContext, LoadedFile } from './link-context.ts';
import { createScriptResolver, type ModuleSettings } from './script-modules.ts';

/** What an import resolves to: files of this repository, or nothing. */
export interface Modules {
  /** All files that `from` names, relative to `file`. `whole` is a package of several files. */
  resolve(file: LoadedFile, from: string): Found;
}

interface Found {
  files: LoadedFile[];
  whole: boolean;
}

export function createModules(linkContext: LinkContext, settings: ModuleSettings): Modules {
  const places = new Map<string, Map<string, Found>>();
  const ofFile = new WeakMap<LoadedFile, Map<string, Found>>();
  const first = (paths: string[]): LoadedFile[] => {
    for (const path of paths) {
      const file = linkContext.file(path);
      if (file) return [file];
    }
    return [];
  };

  function python(file: LoadedFile, from: string): LoadedFile[] {
    const dots = from.length - from.replace(/^\.+/, '').length;
    const rest = from.slice(dots).split('.').filter(Boolean).join('/');
    const at = (base: string) => {
      const path = posix
        .join(base, rest)
        .replace(/^\.\/?/, '')
        .replace(/\/$/, '');
      return first(
        path === ''
          ? ['__init__.py']
          : [`${path}.py`, `${path}/__init__.py`, `${path}.pyi`, `${path}/__init__.pyi`],
      );
    };
    let directory = posix.dirname(file.path);
    if (dots > 0) {
      for (let up = 1; up < dots; up++) directory = posix.dirname(directory);
      return at(directory);
    }
    // Absolute: the roots that Python could have been started in, nearest last.
    const tried = ['', 'src', 'lib'];
    for (let here = directory; here !== '.' && here !== ''; here = posix.dirname(here)) tried.push(here);
    for (const root of tried) {
      const found = at(root);
      if (found.length > 0) return found;
    }
    return [];
  }

  function go(from: string): Found {
    for (const [module, directory] of settings.goModules) {
      if (from !== module && !from.startsWith(`${module}/`)) continue;
      const inside = posix.join(directory, from.slice(module.length + 1)).replace(/^\.$|^\.\/|\/$/g, '');
      return { files: linkContext.inDirectory(inside, 'go'), whole: true };
    }
    return { files: [], whole: true };
  }

  function rust(file: LoadedFile, from: string): LoadedFile[] {
    const parts = from.split('::');
    const crate = crateRoot(file.path);
    let base = posix.dirname(file.path);
    const own = posix.basename(file.path, '.rs');
    const isRoot = own === 'mod' || own === 'lib' || own === 'main';
    const moduleDirectory = isRoot ? base : posix.join(base, own);
    if (parts[0] === 'crate') base = crate;
    else if (parts[0] === 'self') base = moduleDirectory;
    else if (parts[0] === 'super') {
      base = isRoot ? posix.dirname(moduleDirectory) : posix.dirname(moduleDirectory);
      while (parts[1] === 'super') {
        base = posix.dirname(base);
        parts.shift();
      }
    } else {
      const [name = ''] = parts;
      const known = settings.packages.get(name.replaceAll('_', '-')) ?? settings.packages.get(name);
      if (known) base = posix.join(known.directory, 'src');
      else {
        parts.unshift('self');
        base = moduleDirectory;
      }
    }
    const rest = parts.slice(1);
    for (let length = rest.length; length >= 0; length--) {
      const path = posix.join(base, ...rest.slice(0, length));
      const found = first(
        length === 0
          ? [`${path}/lib.rs`, `${path}/main.rs`, `${path}/mod.rs`, `${path}.rs`]
          : [`${path}.rs`, `${path}/mod.rs`],
      );
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The file next to this one or in `roots`, otherwise the first one whose path ends in `ending`. */
  const nearOr = (file: LoadedFile, paths: string[], ending: string): Found => {
    const near = first([posix.join(posix.dirname(file.path), paths[0] ?? ''), ...paths.slice(1)]);
    return { files: (near.length > 0 ? near : linkContext.endingWith(ending)).slice(0, 1), whole: false };
  };

  type Resolve = (file: LoadedFile, from: string) => Found;
  const script = createScriptResolver(settings, (path) => linkContext.file(path) !== undefined);
  const byScript: Resolve = (file, from) => ({
    files: script(file.path, from).flatMap((path) => linkContext.file(path) ?? []),
    whole: false,
  });
  const byPackage: Resolve = (_, from) => ({ files: linkContext.inPackage(from), whole: true });
  const byInclude: Resolve = (file, from) =>
    nearOr(file, [from], posix.normalize(from).replace(/^(?:\.\.\/)+/, ''));
  const byFileOrPackage: Resolve = (file, from) =>
    /\.\w+$/.test(from) && !from.includes('\\')
      ? nearOr(file, [from], from.replace(/^[./]+/, ''))
      : byPackage(file, from);
  const byLanguage: Record<string, Resolve> = {
    typescript: byScript,
    tsx: byScript,
    javascript: byScript,
    python: (file, from) => ({ files: python(file, from), whole: false }),
    go: (_, from) => go(from),
    rust: (file, from) => ({ files: rust(file, from), whole: false }),
    c: byInclude,
    cpp: byInclude,
    ruby: (file, from) => {
      const path = from.endsWith('.rb') ? from : `${from}.rb`;
      return nearOr(file, [path, `lib/${path}`], path);
    },
    bash: byFileOrPackage,
    php: byFileOrPackage,
    java: byPackage,
    kotlin: byPackage,
    csharp: byPackage,
  };

  /** Files of one directory and language see the same modules; in Rust a file is its own scope. */
  const placeOf = (file: LoadedFile): Map<string, Found> => {
    let place = ofFile.get(file);
    if (!place) {
      const key = `${file.language} ${file.language === 'rust' ? file.path : posix.dirname(file.path)}`;
      place = places.get(key) ?? new Map();
      places.set(key, place);
      ofFile.set(file, place);
    }
    return place;
  };

  return {
    resolve: (file, from) => {
      const place = placeOf(file);
      let found = place.get(from);
      if (!found) {
        found = byLanguage[file.language]?.(file, from) ?? { files: [], whole: false };
        place.set(from, found);
      }
      return found;
    },
  };
}

function crateRoot(path: string): string {
  const at = path.lastIndexOf('/src/');
  if (at >= 0) return path.slice(0, at + 4);
  return path.startsWith('src/') ? 'src' : posix.dirname(path);
}
