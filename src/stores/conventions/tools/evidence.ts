import { objectAt, readJson } from '../dependencies/structured-text.ts';
import { baseName, directoryOf, lineOf } from '../places.ts';
import {
  editorTools,
  evidenceTables,
  isEditorFile,
  listUses,
  type ToolUse,
  toolsOfPackage,
} from './evidence-tables.ts';
import type { ProjectView } from './project-view.ts';
import { provesOnlyConfigured } from './recognise.ts';
import { type ToolCategory, type ToolSource, toolCategories } from './record.ts';
import type { RunnableCommand } from './resolve-commands.ts';

/** All evidence for one tool in one category. */
export interface ToolEvidence {
  tool: string;
  category: ToolCategory;
  strength: number;
  /** The strongest kind of evidence. */
  source: EvidenceSource;
  config?: string;
  version?: string;
  notes: string[];
}

type EvidenceSource = Exclude<ToolSource, 'registry' | 'user_choice'>;

const weights: Record<EvidenceSource, number> = {
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

interface Note {
  source: EvidenceSource;
  text: string;
  /** Multiplies the weight of the source. */
  factor?: number;
  config?: string;
  version?: string;
}

type AddNote = (use: ToolUse, note: Note) => void;

export function gatherEvidence(view: ProjectView, commands: RunnableCommand[]): ToolEvidence[] {
  const evidence = new Map<string, ToolEvidence & { sources: Set<EvidenceSource> }>();
  const add: AddNote = (use, { source, text, factor = 1, config, version }) => {
    const key = `${use.tool} ${use.category}`;
    const entry = evidence.get(key) ?? { ...use, strength: 0, source, notes: [], sources: new Set() };
    // Each kind of evidence counts once: ten scripts say no more than one.
    if (!entry.sources.has(source)) entry.strength += weights[source] * factor;
    if (weights[source] > weights[entry.source]) entry.source = source;
    entry.sources.add(source);
    entry.config ||= config;
    entry.version ||= version;
    if (entry.notes.length < 6 && !entry.notes.includes(text)) entry.notes.push(text);
    evidence.set(key, entry);
  };
  addConfigFiles(view, add);
  addDependencies(view, add);
  addToolchains(view, add);
  for (const [path, text] of view.texts)
    if (isEditorFile(path))
      for (const use of editorTools(path, text)) add(use, { source: 'editor_settings', text: path });
  const configured = new Set(evidence.keys());
  for (const command of commands)
    for (const use of command.uses)
      if (!provesOnlyConfigured.has(use.tool) || configured.has(`${use.tool} ${use.category}`))
        add(use, commandNote(view, command));
  return [...evidence.values()].sort((a, b) => b.strength - a.strength || (a.tool < b.tool ? -1 : 1));
}

/** Whether a file is beside, above or below the given directory. */
const isInReach = (view: ProjectView, path: string): boolean =>
  view.chain.includes(directoryOf(path)) || path.startsWith(view.target === '' ? '' : `${view.target}/`);

function addConfigFiles(view: ProjectView, add: AddNote): void {
  // 0 in the directory itself, then one for each step up; below counts as far away.
  const distance = (path: string): number => {
    const at = view.chain.indexOf(directoryOf(path));
    return at >= 0 ? at : 100 + path.split('/').length;
  };
  const ordered = [...view.texts].sort(([a], [b]) => distance(a) - distance(b));
  for (const [path, text] of ordered) {
    const away = distance(path);
    const factor = away >= 100 ? 0.3 : Math.max(0.3, 1 - away * 0.1);
    for (const rule of evidenceTables().config_files) {
      if (!rule.file.test(baseName(path)) || (rule.section && !rule.section.test(text))) continue;
      const line = rule.section ? `:${lineOf(text, text.search(rule.section))}` : '';
      for (const use of listUses(rule))
        add(use, { source: 'config_file', text: `${path}${line}`, factor, config: path });
    }
    if (baseName(path) === 'package.json') addPackageJsonKeys(path, text, add);
  }
}

function addPackageJsonKeys(path: string, text: string, add: AddNote): void {
  const manifest = readJson(text);
  for (const [key, uses] of Object.entries(evidenceTables().package_json_keys)) {
    if (Object.keys(objectAt(manifest, key)).length === 0 && typeof manifest[key] !== 'string') continue;
    for (const use of listUses(uses))
      add(use, { source: 'config_file', text: `${path}: ${key}`, config: path });
  }
}

function addDependencies(view: ProjectView, add: AddNote): void {
  for (const { ecosystem, name, range, manifest, version } of view.dependencies)
    if (isInReach(view, manifest))
      for (const use of toolsOfPackage(ecosystem, name))
        add(use, { source: 'package_manifest', text: `${manifest}: ${name} ${range}`, version });
}

function addToolchains(view: ProjectView, add: AddNote): void {
  const factor = mediumStrength / weights.package_manifest;
  for (const path of view.paths)
    for (const row of evidenceTables().toolchains)
      if (row.file.test(baseName(path)) && isInReach(view, path))
        for (const category of toolCategories) {
          const tool = row[category];
          const text = `${path}: part of the toolchain`;
          if (tool) add({ tool, category }, { source: 'package_manifest', text, factor });
        }
}

function commandNote(view: ProjectView, command: RunnableCommand): Note {
  const text = `${command.file}:${command.line}: ${command.command}`;
  const inMainPipeline = command.pipeline === 2;
  if (command.source === 'ci') {
    const step = view.steps.find(({ file, line }) => file === command.file && line === command.line);
    const version = step?.version && /^\d/.test(step.version) ? step.version : undefined;
    return { source: 'ci', text, factor: inMainPipeline ? 1 : 0.5, version };
  }
  const hook = command.source === 'hook' && view.hooks.find(({ name }) => name === command.name);
  return { source: inMainPipeline ? 'ci' : 'script', text, version: hook ? hook.pin : undefined };
}
