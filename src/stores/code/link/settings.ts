import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import { tree } from '../../../base/files/index.ts';
import { objectOf } from '../../../base/json.ts';
import type { ModuleSettings } from './modules.ts';

/** Reads what tells how imports are written here: tsconfig paths, names of workspace packages, go.mod, Cargo.toml. */
export function readModuleSettings(root: string, manifests: string[]): ModuleSettings {
  const settings: ModuleSettings = { aliases: [], packages: new Map(), goModules: new Map() };
  for (const path of manifests) {
    const text = tree.readText(root, path, { limit: 2_000_000 });
    if (text === undefined) continue;
    const directory = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    const name = posix.basename(path);
    if (name === 'package.json') {
      const { name: named } = objectOf(parse(text));
      if (typeof named === 'string') settings.packages.set(named, directory);
    } else if (name === 'go.mod') {
      const module = /^module\s+(\S+)/m.exec(text)?.[1];
      if (module) settings.goModules.set(module, directory);
    } else if (name === 'Cargo.toml') {
      const crate = /^\[package\][\s\S]*?^name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
      if (crate) settings.packages.set(crate, directory);
    } else settings.aliases.push(...readAliases(text, directory));
  }
  settings.aliases.sort((a, b) => b.prefix.length - a.prefix.length);
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
      .map((one) => posix.join(base, one.replace(/\*$/, '')));
    found.push({ prefix: pattern.replace(/\*$/, ''), exact: !pattern.endsWith('*'), to });
  }
  if (typeof options?.baseUrl === 'string') found.push({ prefix: '', exact: false, to: [base] });
  return found;
}
