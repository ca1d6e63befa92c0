import { posix } from 'node:path';

/** A path around its star; `suffix` is undefined where it has none. */
export interface StarPattern {
  prefix: string;
  suffix: string | undefined;
}

/** `import 'name/subpath'` → the files that package.json names for it, from its directory. */
export type PackageEntries = Array<[subpath: string, files: string[]]>;

export interface ModuleSettings {
  /** `compilerOptions.paths` and the like, for files of the directory `under`. */
  aliases: Array<StarPattern & { under: string; to: StarPattern[] }>;
  /** Names of packages that live in this repository. */
  packages: Map<string, { directory: string; entries: PackageEntries }>;
  /** The module line of go.mod files → their directory. */
  goModules: Map<string, string>;
}

/** Code before what only declares it. */
const scriptEndings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.d.ts', '.d.mts'];
const built = /^(?:\.\/)?(?:dist|lib|build|out|es|esm|cjs|types)(?=\/)/;
const usualEntries = ['src/index', 'src/main', 'index', 'lib/index'];

/** What an import of TypeScript or JavaScript leads to in this repository: the code, then the file that declares its types. */
export function createScriptResolver(
  settings: Pick<ModuleSettings, 'aliases' | 'packages'>,
  exists: (path: string) => boolean,
): (path: string, from: string) => string[] {
  function script(path: string, from: string): string[] {
    if (from.startsWith('.')) return scriptAt(posix.join(posix.dirname(path), from));
    for (const { under, prefix, suffix, to } of settings.aliases) {
      const isUnder = under === '' || path.startsWith(`${under}/`);
      const isExact = suffix === undefined;
      if (!isUnder || (isExact ? from !== prefix : !from.startsWith(prefix) || !from.endsWith(suffix)))
        continue;
      const star = from.slice(prefix.length, isExact ? undefined : from.length - suffix.length);
      for (const target of to) {
        const found = scriptAt(target.prefix + (target.suffix === undefined ? '' : star + target.suffix));
        if (found.length > 0) return found;
      }
    }
    const name = from.startsWith('@') ? from.split('/', 2).join('/') : from.replace(/\/.*/s, '');
    return packageFiles(name, from.slice(name.length + 1));
  }

  /** The source of a package of this repository: what is built from it is not there, and a stub at its root says nothing. */
  function packageFiles(name: string, subpath: string): string[] {
    const known = settings.packages.get(name);
    if (!known) return [];
    const named = known.entries.find(([key]) => key === subpath)?.[1] ?? [];
    const fromBuilt = named.filter((path) => built.test(path)).map((path) => path.replace(built, 'src'));
    const places =
      subpath === ''
        ? [...named.filter((path) => /(?:^|\/)src\//.test(path)), ...fromBuilt, ...usualEntries, ...named]
        : [...named, ...fromBuilt, subpath, `src/${subpath}`, `${subpath}/src`];
    for (const path of places) {
      const found = scriptAt(posix.join(known.directory, path.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '')));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The script at a path with or without its ending, then the file that declares its types. */
  const scriptAt = (base: string): string[] => {
    const clean = posix.normalize(base).replace(/^\.\/|\/$/g, '');
    const bare = clean.replace(/\.(?:d\.)?(?:[cm]?[jt]s|[jt]sx)$/, '');
    const inside = clean === '.' || clean === '' ? 'index' : `${clean}/index`;
    const found = [
      ...(clean.endsWith('.d.ts') ? [] : [clean]),
      ...scriptEndings.map((ending) => clean + ending),
      ...(bare === clean ? [] : scriptEndings.map((ending) => bare + ending)),
      ...scriptEndings.map((ending) => inside + ending),
    ].find(exists);
    if (!found) return [];
    const types = found.replace(/\.[cm]?[jt]sx?$/, '.d.ts');
    return !found.endsWith('.d.ts') && exists(types) ? [found, types] : [found];
  };

  return script;
}
