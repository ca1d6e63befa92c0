import { once } from '../../../base/once.ts';
import { table } from '../data.ts';
import type { Ecosystem } from '../dependencies/record.ts';
import { listAt, readJson } from '../dependencies/structured-text.ts';
import { type ToolCategory, toolCategories } from './record.ts';
import { knownTools, toolFacts } from './registry.ts';

export interface ToolUse {
  tool: string;
  category: ToolCategory;
  /** How a command of the project calls it, and in which directory. */
  words?: string[];
  directory?: string;
}

/** A tool and what it is used for. */
export interface ToolUses {
  tool: string;
  categories: ToolCategory[];
}

export const listUses = ({ tool, categories }: ToolUses): ToolUse[] =>
  categories.map((category) => ({ tool, category }));

export interface EvidenceTables {
  /** Files whose presence, with `section` also their text, shows that a tool is configured. */
  config_files: Array<ToolUses & { file: RegExp; section?: RegExp }>;
  packages: Array<ToolUses & { ecosystem: Ecosystem; package: RegExp }>;
  toolchains: Array<{ file: RegExp } & Partial<Record<ToolCategory, string>>>;
  editor_settings: Array<ToolUses & { setting: RegExp }>;
  pipeline_actions: Array<{ action: RegExp; command: string }>;
  package_json_keys: Record<string, ToolUses>;
  editor_extensions: Record<string, ToolUses>;
  pre_commit_hooks: Record<string, string>;
}

export const evidenceTables = table<EvidenceTables>('tool-evidence', [
  'file',
  'section',
  'package',
  'setting',
  'action',
]);

/** Tools by their package. */
const toolsByPackage = once(() => {
  const found = new Map<string, ToolUse[]>();
  for (const tool of knownTools()) {
    const facts = toolFacts(tool);
    if (!facts?.via || !facts.install) continue;
    const all = toolCategories.filter((category) => facts.uses[category] !== undefined);
    const categories = all.length === 1 ? all : all.filter((category) => category !== 'lsp');
    found.set(`${facts.via}:${facts.install}`, listUses({ tool, categories }));
  }
  return found;
});

/** Tools that a declared dependency brings. */
export function toolsOfPackage(ecosystem: Ecosystem, name: string): ToolUse[] {
  const uses = toolsByPackage().get(`${ecosystem}:${name}`);
  if (uses) return uses;
  const other = evidenceTables().packages.find(
    (row) => row.ecosystem === ecosystem && row.package.test(name),
  );
  return other ? listUses(other) : [];
}

export const isEditorFile = (path: string): boolean =>
  /^\.vscode\/(settings|extensions)\.json$|^\.idea\/.+\.xml$|\.code-workspace$/.test(path);

/** Tools named in editor settings of the project. Weaker evidence than the tool's own configuration file. */
export function editorTools(path: string, text: string): ToolUse[] {
  const uses = evidenceTables()
    .editor_settings.filter(({ setting }) => setting.test(text))
    .flatMap(listUses);
  const recommends = path.endsWith('extensions.json');
  const ids = recommends
    ? listAt(readJson(text), 'recommendations')
    : [...text.matchAll(/"editor\.defaultFormatter"\s*:\s*"([^"]+)"/g)].map(([, id]) => id);
  const extensions = evidenceTables().editor_extensions;
  for (const id of ids) {
    const name = typeof id === 'string' ? id.toLowerCase() : '';
    if (!Object.hasOwn(extensions, name)) continue;
    const own = extensions[name] ? listUses(extensions[name]) : [];
    uses.push(...own.filter(({ category }) => recommends || category === 'formatter'));
  }
  return uses;
}
