import { isObject } from '../../../../base/json.ts';
import { objectAt, readYaml, textOf } from '../../dependencies/structured-text.ts';
import { lineOf } from '../../places.ts';
import { evidenceTables } from '../evidence-tables.ts';

/** A command that the project's CI runs. */
export interface PipelineStep {
  text: string;
  directory: string;
  file: string;
  line: number;
  /** False in workflows that release, deploy, measure or run on a schedule: their commands count less. */
  main: boolean;
  /** The tool version that the step pins, if any. */
  version?: string;
}

const aside =
  /release|publish|deploy|stale|label|codeql|scorecard|\bdocs?\b|docker|bench|website|triage|issue|nightly|fuzz|autofix|update|bump|backport|sync|sponsor|translat|downstream/i;

export const isPipelineFile = (path: string): boolean =>
  /^(\.github\/(workflows|actions)\/.+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci\/config\.ya?ml|azure-pipelines\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.woodpecker(\/.+)?\.ya?ml|\.buildkite\/.+\.ya?ml|\.cirrus\.ya?ml|Jenkinsfile|mono_repo\.yaml)$/.test(
    path,
  );

export function pipelineSteps(text: string, file: string): PipelineStep[] {
  const main = !aside.test(file.slice(file.lastIndexOf('/') + 1));
  if (file.endsWith('Jenkinsfile')) {
    return [...text.matchAll(/\b(?:sh|bat|powershell)\s*\(?\s*('''|"""|'|")([\s\S]*?)\1/g)].map((match) => ({
      text: match[2] ?? '',
      directory: '',
      file,
      line: lineOf(text, match.index),
      main,
    }));
  }
  const steps: PipelineStep[] = [];
  walk(readYaml(text), { directory: '', env: {} }, (body, scope, version) => {
    const filled = body.replace(
      /\$\{\{\s*env\.(\w+)\s*\}\}|\$\{?env:(\w+)\}?/g,
      (all, a?: string, b?: string) => scope.env[a ?? b ?? ''] ?? all,
    );
    const firstLine = /\S.*/.exec(body)?.[0].trim() ?? '';
    const line = lineOf(text, text.indexOf(firstLine));
    steps.push({ text: filled, directory: scope.directory, file, line, main, version });
  });
  return steps;
}

interface Scope {
  directory: string;
  env: Record<string, string>;
}

const commandKeys = new Set(
  'run script before_script test_script build_script command commands bash pwsh test analyze format'.split(
    ' ',
  ),
);

function walk(
  value: unknown,
  scope: Scope,
  emit: (body: string, scope: Scope, version?: string) => void,
  depth = 0,
): void {
  if (depth > 14) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, scope, emit, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const own = ownScope(value, scope);
  const action = actionOf(value);
  if (action) emit(action.text, own, action.version);
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'with' || key === 'env') continue;
    if (commandKeys.has(key))
      for (const body of [inner].flat()) if (typeof body === 'string') emit(body, own);
    walk(inner, own, emit, depth + 1);
  }
}

/** The command that a step with `uses:` stands for. */
function actionOf(entry: Record<string, unknown>): { text: string; version?: string } | undefined {
  const uses = textOf(entry.uses);
  const command = uses && evidenceTables().pipeline_actions.find(({ action }) => action.test(uses))?.command;
  if (!command) return undefined;
  const { args, command: subcommand, version } = objectAt(entry, 'with');
  const cargo = ['cargo', textOf(subcommand), textOf(args)].join(' ').trim();
  return {
    text: command === 'cargo' ? cargo : command,
    version: textOf(version)?.replace(/^v(?=\d)/, ''),
  };
}

function ownScope(entry: Record<string, unknown>, scope: Scope): Scope {
  const directory =
    textOf(entry['working-directory']) ??
    textOf(objectAt(entry, 'defaults', 'run')['working-directory']) ??
    textOf(entry.working_directory);
  const env = Object.entries(objectAt(entry, 'env')).flatMap(([name, value]) =>
    typeof value === 'string' && !value.includes('${{') ? [[name, value] as const] : [],
  );
  return {
    directory:
      directory === undefined || directory.includes('$') || directory.startsWith('~')
        ? scope.directory
        : directory.replace(/^\.\/?/, '').replace(/\/$/, ''),
    env: env.length > 0 ? { ...scope.env, ...Object.fromEntries(env) } : scope.env,
  };
}
