import { isLockFile, isManifest, readDependencies } from '../dependencies/ingest.ts';
import type { Dependency } from '../dependencies/record.ts';
import { baseName, directoryOf, inDirectory, upwards } from '../places.ts';
import type { ProjectFiles } from '../project-files.ts';
import { evidenceTables } from './evidence-tables.ts';
import { isDocument } from './sources/documents.ts';
import { defaultTarget, makeTargets } from './sources/makefile.ts';
import type { CommandFile, NamedCommand } from './sources/named-command.ts';
import { composerScripts, type NodeManager, nodeManager, packageScripts } from './sources/package-scripts.ts';
import {
  noxSessions,
  pyprojectEnvironments,
  pyprojectTasks,
  toxEnvironments,
} from './sources/python-runners.ts';
import { justRecipes, preCommitHooks, rakeTasks, taskFile } from './sources/task-runners.ts';
import { isPipelineFile, type PipelineStep, pipelineSteps } from './sources/workflows.ts';

/** Everything of a project that tool discovery reads. */
export interface ProjectView {
  /** The given directory. */
  target: string;
  /** The directory and its parents, nearest first. */
  chain: string[];
  paths: string[];
  present: Set<string>;
  /** Text of every evidence file. */
  texts: Map<string, string>;
  commands: NamedCommand[];
  hooks: NamedCommand[];
  steps: PipelineStep[];
  dependencies: Dependency[];
  manager: NodeManager;
  /** The target that plain `make` runs, by directory. */
  defaultTargets: Map<string, string>;
}

const runnerFile =
  /^(GNUmakefile|[Mm]akefile|tox\.ini|noxfile\.py|Rakefile|justfile|Justfile|Taskfile\.ya?ml|\.?mise\.toml|deno\.jsonc?|\.pre-commit-config\.yaml|composer\.json|package\.json|pyproject\.toml)$/;
const editorFile =
  /^(\.vscode\/(settings|extensions|tasks)\.json|\.idea\/[^/]+\.xml|\.idea\/[^/]+\/[^/]+\.xml|.+\.code-workspace)$/;
const scriptFile =
  /^(scripts?|ci|tools?|bin|dev|build|tasks?|\.ci)\/[\w.-]+(\.sh|\.bash|\.rake)?$|^[\w.-]+\.(sh|bash)$/;
const notOurs =
  /(^|\/)(node_modules|vendor|third_party|fixtures?|testdata|test-data|__fixtures__|templates?|examples?|playgrounds?|dist)\//;

const maxEvidence = 600;
const maxEvidenceBytes = 8_000_000;

/** Files above, beside and below `target` that may configure its tools. */
function evidencePaths(paths: string[], target: string): string[] {
  const chain = new Set(upwards(target));
  const prefix = target === '' ? '' : `${target}/`;
  const wanted = paths.filter((path) => {
    const name = baseName(path);
    if (isPipelineFile(path) || editorFile.test(path) || scriptFile.test(path) || isDocument(path))
      return true;
    if (notOurs.test(path) && !chain.has(directoryOf(path))) return false;
    const interesting =
      runnerFile.test(name) ||
      isManifest(path) ||
      isLockFile(path) ||
      evidenceTables().config_files.some((rule) => rule.file.test(name));
    return interesting && (chain.has(directoryOf(path)) || path.startsWith(prefix));
  });
  const depth = (path: string) => path.split('/').length;
  return wanted.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, maxEvidence);
}

export async function readEvidence(
  files: ProjectFiles,
  paths: string[],
  target: string,
): Promise<Map<string, string>> {
  const texts = await files.readAll(evidencePaths(paths, target));
  return new Map([...texts].filter(([, text]) => text.length <= maxEvidenceBytes));
}

/** Readers of files that define commands, by base name. */
const commandReaders: Array<[RegExp, (file: CommandFile, manager: NodeManager) => NamedCommand[]]> = [
  [/^package\.json$/, packageScripts],
  [/^composer\.json$/, composerScripts],
  [/^(GNUm|[Mm])akefile$/, makeTargets],
  [/^tox\.ini$/, toxEnvironments],
  [/^pyproject\.toml$/, (file) => [...pyprojectEnvironments(file), ...pyprojectTasks(file)]],
  [/^noxfile\.py$/, noxSessions],
  [/^Rakefile$/, rakeTasks],
  // Task files are loaded by the Rakefile at the root.
  [/\.rake$/, (file) => rakeTasks({ ...file, directory: '' })],
  [/^[jJ]ustfile$/, justRecipes],
  [/^(Taskfile\.ya?ml|\.?mise\.toml|deno\.jsonc?)$/, taskFile],
];

export async function viewProject(
  files: ProjectFiles,
  paths: string[],
  target: string,
  texts: Map<string, string>,
): Promise<ProjectView> {
  const present = new Set(paths);
  const chain = upwards(target);
  const manager = nodeManager(
    chain.map((directory) => texts.get(inDirectory(directory, 'package.json'))),
    (name) => chain.some((directory) => present.has(inDirectory(directory, name))),
  );
  const commands: NamedCommand[] = [];
  const hooks: NamedCommand[] = [];
  const steps: PipelineStep[] = [];
  const defaultTargets = new Map<string, string>();
  for (const [path, text] of texts) {
    const file = { path, directory: directoryOf(path), text };
    const name = baseName(path);
    if (isPipelineFile(path)) steps.push(...pipelineSteps(text, path));
    else if (name === '.pre-commit-config.yaml' && chain.includes(file.directory))
      hooks.push(...preCommitHooks(file, hookProgram(texts)));
    const read = isPipelineFile(path) ? undefined : commandReaders.find(([names]) => names.test(name))?.[1];
    const named = read?.(file, manager) ?? [];
    commands.push(...named);
    const first = read === makeTargets ? defaultTarget(named, text) : undefined;
    if (first) defaultTargets.set(file.directory, first);
  }
  const dependencies = await readDependencies(
    { ...files, read: async (path) => texts.get(path) ?? files.read(path) },
    paths,
    [...texts.keys()].filter(isManifest),
  );
  return {
    target,
    chain,
    paths,
    present,
    texts,
    commands,
    hooks,
    steps,
    dependencies,
    manager,
    defaultTargets,
  };
}

/** prek reads the same file; a project that uses it names it in pyproject.toml or in its CI. */
const hookProgram = (texts: Map<string, string>): string =>
  [...texts].some(([path, text]) => /(^|\/)pyproject\.toml$|^\.github\//.test(path) && /\bprek\b/.test(text))
    ? 'prek'
    : 'pre-commit';
