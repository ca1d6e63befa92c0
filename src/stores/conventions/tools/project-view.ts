import {
  baseName,
  directoryOf,
  inDirectory,
  isLockFile,
  isManifest,
  readDependencies,
  upwards,
} from '../dependencies/ingest.ts';
import type { Dependency } from '../dependencies/record.ts';
import type { ProjectFiles } from '../project-files.ts';
import { configRules } from './config-files.ts';
import { defaultTarget, makeTargets } from './sources/makefile.ts';
import type { NamedCommand } from './sources/named-command.ts';
import { composerScripts, type NodeManager, nodeManager, packageScripts } from './sources/package-scripts.ts';
import { noxSessions, pyprojectTasks, toxEnvironments } from './sources/python-runners.ts';
import { justRecipes, preCommitHooks, rakeTasks, taskFile } from './sources/task-runners.ts';
import { isPipelineFile, type PipelineStep, pipelineSteps } from './sources/workflows.ts';

/** Everything about a project that tool discovery looks at, read once. */
export interface ProjectView {
  /** The directory that was asked about. */
  target: string;
  /** The target and its parents, nearest first. */
  chain: string[];
  paths: string[];
  present: Set<string>;
  /** Text of every evidence file. */
  texts: Map<string, string>;
  commands: NamedCommand[];
  hooks: Array<NamedCommand & { pin?: string }>;
  steps: PipelineStep[];
  dependencies: Dependency[];
  manager: NodeManager;
  /** What plain `make` runs, by directory. */
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

/** Which files can say something about the tools of `target`: those above it, beside it and below it. */
export function evidencePaths(paths: string[], target: string): string[] {
  const chain = new Set(upwards(target));
  const prefix = target === '' ? '' : `${target}/`;
  const wanted = paths.filter((path) => {
    const name = baseName(path);
    if (isPipelineFile(path) || editorFile.test(path) || scriptFile.test(path)) return true;
    if (notOurs.test(path) && !chain.has(directoryOf(path))) return false;
    const interesting =
      runnerFile.test(name) ||
      isManifest(path) ||
      isLockFile(path) ||
      configRules.some((rule) => rule.file.test(name));
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
  const texts = new Map<string, string>();
  for (const path of evidencePaths(paths, target)) {
    const text = await files.read(path);
    if (text !== undefined && text.length <= maxEvidenceBytes) texts.set(path, text);
  }
  return texts;
}

export async function viewProject(
  files: ProjectFiles,
  paths: string[],
  target: string,
  texts: Map<string, string>,
): Promise<ProjectView> {
  const present = new Set(paths);
  const chain = upwards(target);
  const rooted = (name: string) => chain.some((directory) => present.has(inDirectory(directory, name)));
  const packageJson = chain.map((directory) => texts.get(inDirectory(directory, 'package.json')));
  const manager =
    packageJson.map((text) => nodeManager(text, () => false)).find((found) => found !== undefined) ??
    nodeManager(undefined, rooted) ??
    'npm';
  const commands: NamedCommand[] = [];
  const hooks: ProjectView['hooks'] = [];
  const steps: PipelineStep[] = [];
  const defaultTargets = new Map<string, string>();
  for (const [path, text] of texts) {
    const directory = directoryOf(path);
    const name = baseName(path);
    if (isPipelineFile(path)) steps.push(...pipelineSteps(text, path));
    else if (name === 'package.json') commands.push(...packageScripts(text, directory, path, manager));
    else if (name === 'composer.json') commands.push(...composerScripts(text, directory, path));
    else if (/^(GNUm|[Mm])akefile$/.test(name)) {
      const targets = makeTargets(text, directory, path);
      commands.push(...targets);
      const first = defaultTarget(targets, text);
      if (first) defaultTargets.set(directory, first);
    } else if (name === 'tox.ini') commands.push(...toxEnvironments(text, directory, path));
    else if (name === 'pyproject.toml')
      commands.push(...toxEnvironments(text, directory, path), ...pyprojectTasks(text, directory, path));
    else if (name === 'noxfile.py') commands.push(...noxSessions(text, directory, path));
    else if (name === 'Rakefile' || name.endsWith('.rake'))
      commands.push(...rakeTasks(text, name.endsWith('.rake') ? '' : directory, path));
    else if (/^[jJ]ustfile$/.test(name)) commands.push(...justRecipes(text, directory, path));
    else if (/^(Taskfile\.ya?ml|\.?mise\.toml|deno\.jsonc?)$/.test(name))
      commands.push(...taskFile(text, directory, path));
    else if (name === '.pre-commit-config.yaml' && chain.includes(directory))
      hooks.push(...preCommitHooks(text, directory, path, hookProgram(texts)));
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

/** prek reads the same file; whoever uses it says so where the tools of the project are declared or run. */
const hookProgram = (texts: Map<string, string>): string =>
  [...texts].some(([path, text]) => /(^|\/)pyproject\.toml$|^\.github\//.test(path) && /\bprek\b/.test(text))
    ? 'prek'
    : 'pre-commit';
