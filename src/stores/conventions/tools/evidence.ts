import { baseName, directoryOf } from '../dependencies/ingest.ts';
import { objectAt, readJson } from '../dependencies/structured-text.ts';
import { configRules } from './config-files.ts';
import { editorTools, isEditorFile } from './editor-settings.ts';
import { toolchains, toolsOfPackage } from './manifest-rules.ts';
import type { ProjectView } from './project-view.ts';
import { provesOnlyConfigured, type ToolUse } from './recognise.ts';
import type { ToolCategory, ToolSource } from './record.ts';
import type { RunnableCommand } from './resolve-commands.ts';
import { lineOf } from './sources/named-command.ts';

/** All that speaks for one tool in one category. */
export interface ToolEvidence {
  tool: string;
  category: ToolCategory;
  strength: number;
  /** From what it is known best. */
  source: ToolSource;
  config?: string;
  version?: string;
  notes: string[];
}

const weights: Record<Exclude<ToolSource, 'registry' | 'user_choice'>, number> = {
  ci: 8,
  config_file: 6,
  script: 3,
  package_manifest: 2,
  editor_settings: 1,
};

/** Medium confidence starts here: a declared dependency or a tool of the declared toolchain. */
export const mediumStrength = 1.5;
/** High confidence starts here: a file of the project names the tool. */
export const highStrength = 3;

export function gatherEvidence(view: ProjectView, commands: RunnableCommand[]): ToolEvidence[] {
  const found = new Map<string, ToolEvidence>();
  const best = new Map<string, Set<ToolSource>>();
  const note = (
    use: ToolUse,
    source: keyof typeof weights,
    text: string,
    factor = 1,
    extra: Partial<ToolEvidence> = {},
  ) => {
    const key = `${use.tool} ${use.category}`;
    const entry = found.get(key) ?? { ...use, strength: 0, source, notes: [] };
    const sources = best.get(key) ?? new Set();
    // Each kind of evidence counts once: ten scripts say no more than one.
    if (!sources.has(source)) entry.strength += weights[source] * factor;
    if (weights[source] > weights[entry.source as keyof typeof weights]) entry.source = source;
    sources.add(source);
    if (extra.config && !entry.config) entry.config = extra.config;
    if (extra.version && !entry.version) entry.version = extra.version;
    if (entry.notes.length < 6 && !entry.notes.includes(text)) entry.notes.push(text);
    found.set(key, entry);
    best.set(key, sources);
  };

  noteConfigFiles(view, note);
  noteDependencies(view, note);
  for (const path of view.paths) {
    for (const [file, uses] of toolchains) {
      if (!file.test(baseName(path)) || !inReach(view, path)) continue;
      for (const use of uses)
        note(
          use,
          'package_manifest',
          `${path}: part of the toolchain`,
          mediumStrength / weights.package_manifest,
        );
    }
  }
  for (const [path, text] of view.texts)
    if (isEditorFile(path)) for (const use of editorTools(path, text)) note(use, 'editor_settings', path);
  const configured = new Set(found.keys());
  for (const command of commands) {
    for (const use of command.uses) {
      if (provesOnlyConfigured.has(use.tool) && !configured.has(`${use.tool} ${use.category}`)) continue;
      const where = `${command.file}:${command.line}: ${command.command}`;
      if (command.source === 'ci')
        note(use, 'ci', where, command.pipeline === 2 ? 1 : 0.5, versionOf(view, command));
      else note(use, command.pipeline === 2 ? 'ci' : 'script', where, 1, pinOf(view, command));
    }
  }
  return [...found.values()].sort((a, b) => b.strength - a.strength || (a.tool < b.tool ? -1 : 1));
}

type Note = (
  use: ToolUse,
  source: 'config_file' | 'package_manifest',
  text: string,
  factor?: number,
  extra?: Partial<ToolEvidence>,
) => void;

/** Beside or above what was asked about; below it only where nothing nearer says anything. */
const inReach = (view: ProjectView, path: string): boolean =>
  view.chain.includes(directoryOf(path)) || path.startsWith(view.target === '' ? '' : `${view.target}/`);

function noteConfigFiles(view: ProjectView, note: Note): void {
  const ordered = [...view.texts].sort(([a], [b]) => distance(view, a) - distance(view, b));
  for (const [path, text] of ordered) {
    const away = distance(view, path);
    const factor = away >= 100 ? 0.3 : 1 - away * 0.1;
    for (const rule of configRules) {
      if (!rule.file.test(baseName(path)) || (rule.section && !rule.section.test(text))) continue;
      const line = rule.section ? `:${lineOf(text, text.search(rule.section))}` : '';
      for (const category of rule.categories)
        note({ tool: rule.tool, category }, 'config_file', `${path}${line}`, Math.max(0.3, factor), {
          config: path,
        });
    }
    if (baseName(path) === 'package.json') noteEmbedded(path, text, note);
  }
}

/** 0 in the directory itself, then one a step upwards; below it counts as far away. */
function distance(view: ProjectView, path: string): number {
  const at = view.chain.indexOf(directoryOf(path));
  return at >= 0 ? at : 100 + path.split('/').length;
}

const embedded: Record<string, [string, ToolCategory[]]> = {
  eslintConfig: ['eslint', ['linter']],
  prettier: ['prettier', ['formatter']],
  jest: ['jest', ['test_framework']],
  mocha: ['mocha', ['test_framework']],
  ava: ['ava', ['test_framework']],
  xo: ['xo', ['linter', 'formatter']],
  standard: ['standard', ['linter']],
  tap: ['tap', ['test_framework']],
};

function noteEmbedded(path: string, text: string, note: Note): void {
  const manifest = readJson(text);
  for (const [key, [tool, categories]] of Object.entries(embedded)) {
    if (Object.keys(objectAt(manifest, key)).length === 0 && typeof manifest[key] !== 'string') continue;
    for (const category of categories)
      note({ tool, category }, 'config_file', `${path}: ${key}`, 1, { config: path });
  }
}

function noteDependencies(view: ProjectView, note: Note): void {
  for (const dependency of view.dependencies) {
    if (!inReach(view, dependency.manifest)) continue;
    for (const use of toolsOfPackage(dependency.ecosystem, dependency.name)) {
      note(use, 'package_manifest', `${dependency.manifest}: ${dependency.name} ${dependency.range}`, 1, {
        ...(dependency.version ? { version: dependency.version } : {}),
      });
    }
  }
}

function versionOf(view: ProjectView, command: RunnableCommand): Partial<ToolEvidence> {
  const step = view.steps.find(
    (candidate) => candidate.file === command.file && candidate.line === command.line,
  );
  return step?.version && /^\d/.test(step.version) ? { version: step.version } : {};
}

function pinOf(view: ProjectView, command: RunnableCommand): Partial<ToolEvidence> {
  const hook =
    command.source === 'hook' ? view.hooks.find((candidate) => candidate.name === command.name) : undefined;
  return hook?.pin ? { version: hook.pin } : {};
}
