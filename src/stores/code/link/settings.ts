import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import { tree } from '../../../base/files/index.ts';
import { objectOf } from '../../../base/json.ts';
import type { ModuleSettings, PackageEntries, StarPattern } from './script-modules.ts';

/** Reads how imports are written here: tsconfig paths, names of workspace packages, go.mod, Cargo.toml. */
export function readModuleSettings(root: string, manifests: string[]): ModuleSettings {
  const settings: ModuleSettings = { aliases: [], packages: new Map(), goModules: new Map() };
  for (const path of manifests) {
    const text = tree.readText(root, path, { limit: 2_000_000 });
    if (text === undefined) continue;
    const directory = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    const name = posix.basename(path);
    if (name === 'package.json') {
      const manifest = objectOf(parse(text));
      if (typeof manifest['name'] === 'string')
        settings.packages.set(manifest['name'], { directory, entries: entriesOf(manifest) });
    } else if (name === 'go.mod') {
      const module = /^module\s+(\S+)/m.exec(text)?.[1];
      if (module) settings.goModules.set(module, directory);
    } else if (name === 'Cargo.toml') {
      const crate = /^\[package\][\s\S]*?^name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
      if (crate) settings.packages.set(crate, { directory, entries: [] });
    } else settings.aliases.push(...readAliases(text, directory));
  }
  // The nearest tsconfig decides, and in it the longest pattern.
  settings.aliases.sort((a, b) => b.under.length - a.under.length || b.prefix.length - a.prefix.length);
  return settings;
}

function readAliases(text: string, directory: string): ModuleSettings['aliases'] {
  const options = objectOf(objectOf(parse(text))['compilerOptions']);
  const base = posix.join(directory, typeof options['baseUrl'] === 'string' ? options['baseUrl'] : '.');
  const found: ModuleSettings['aliases'] = [];
  for (const [pattern, targets] of Object.entries(objectOf(options['paths']))) {
    if (!Array.isArray(targets)) continue;
    const to = targets
      .filter((one): one is string => typeof one === 'string')
      .map((one) => splitAtStar(posix.join(base, one)));
    found.push({ under: directory, ...splitAtStar(pattern), to });
  }
  if (typeof options['baseUrl'] === 'string')
    found.push({ under: directory, prefix: '', suffix: '', to: [{ prefix: `${base}/`, suffix: '' }] });
  return found;
}

/** `@vue/*` → what is before and after the star; without a star there is no suffix. */
function splitAtStar(pattern: string): StarPattern {
  const [prefix = '', suffix] = pattern.split('*');
  return { prefix, suffix };
}

/** What `exports` and the older fields of a package.json lead to, by the path after the package's name. */
function entriesOf(manifest: Record<string, unknown>): PackageEntries {
  const exported = manifest['exports'];
  const entries: PackageEntries = [
    ['', leavesOf([manifest['source'], manifest['types'], manifest['module'], manifest['main']])],
  ];
  const bySubpath = Object.entries(objectOf(exported)).filter(([key]) => key.startsWith('.'));
  if (bySubpath.length === 0) entries[0]?.[1].unshift(...leavesOf(exported));
  for (const [key, value] of bySubpath) {
    const subpath = key.replace(/^\.\/?/, '');
    if (subpath === '') entries[0]?.[1].unshift(...leavesOf(value));
    else if (!subpath.includes('*')) entries.push([subpath, leavesOf(value)]);
  }
  return entries;
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
