import { inDirectory } from '../dependencies/ingest.ts';
import type { ProjectView } from './project-view.ts';
import type { ToolCategory } from './record.ts';
import type { RunnableCommand } from './resolve-commands.ts';
import { nodeRunner } from './sources/package-scripts.ts';
import { toolFacts } from './tool-facts.ts';

/** Names under which projects keep the command of a category, best first. */
const usualNames: Record<ToolCategory, RegExp[]> = {
  linter: [/^lint$/, /^lint[:-]check$|^check[:-]lint$|^(static|analy[sz]e|clippy|check)$/, /^lint\b|lint$/],
  formatter: [
    /^(format|fmt|prettier)[:-]check$|^check[:-](format|fmt)$/,
    /^(format|fmt|style)$/,
    /format|fmt|prettier|style/,
  ],
  type_checker: [
    /^(type-?check|check-types|types|tsc|typing)$/,
    /^(test|check|lint)[:-]types?$|^test[:-]typecheck$|^check$/,
    /type|tsc/,
  ],
  test_framework: [/^tests?$/, /^(test[:-]unit|unit|test[:-]run|spec|default)$/, /^tests?\b|test$/],
  lsp: [],
};

const changes = /\b(fix|write|watch|update|debug|ui|inspect)\b|--(fix|write|watch|update)\b/i;
const besides =
  /cov(erage)?|bench|report|e2e|browser|integration|smoke|nightly|fuzz|wasm|docs?\b|snapshot|\bmin\b|readme/i;

/**
 * The command of the project that runs a tool, if it has one. What its pipeline runs counts most, then a usual name,
 * then a command that does nothing else; commands that change files, watch, or run only a part count less.
 */
export function projectCommand(
  view: ProjectView,
  commands: RunnableCommand[],
  tool: string,
  category: ToolCategory,
): RunnableCommand | undefined {
  let best: { command: RunnableCommand; score: number } | undefined;
  for (const command of commands) {
    if (!command.uses.some((use) => use.tool === tool && use.category === category)) continue;
    const score = scoreOf(view, command, category);
    if (!best || score > best.score) best = { command, score };
  }
  return best && best.score > 0 ? best.command : undefined;
}

function scoreOf(view: ProjectView, command: RunnableCommand, category: ToolCategory): number {
  const text = command.command;
  // Only the pipeline knows what stands there: nobody can type it.
  if (text.includes('${{')) return -1;
  let score = command.pipeline === 2 ? 45 : command.pipeline === 1 ? 15 : 5;
  if (command.name) {
    const rank = usualNames[category].findIndex((pattern) => pattern.test(command.name));
    score += rank < 0 ? 0 : 30 - rank * 10;
  } else {
    // A bare line of a pipeline: the fewer its own arguments, the more it is the whole of it.
    score += 22 - Math.min(18, text.split(' ').filter((word) => !word.startsWith('-')).length * 2);
  }
  const categories = new Set(command.uses.map((use) => use.category));
  score += categories.size === 1 ? 18 : 18 - categories.size * 6;
  if (changes.test(command.name) || changes.test(command.body)) score -= category === 'formatter' ? 12 : 25;
  if (namedForAnother(command.name, category)) score -= 15;
  if (besides.test(command.name || text)) score -= 20;
  if (/\$\(|\$[A-Z_{]/.test(text)) score -= 60;
  if (text.includes('|') || text.length > 160) score -= 15;
  if (/(^|\s)(--filter|-F|--workspace|--dir|-C|--projects)[= ]/.test(text)) score -= 20;
  if (command.source === 'hook') score -= 6;
  if (command.directory !== '' && !view.chain.includes(command.directory)) score -= 40;
  return score - text.length / 50;
}

/** `format` may run a linter too, but nobody looks for the linter there. */
const namedForAnother = (name: string, category: ToolCategory): boolean =>
  name !== '' &&
  !usualNames[category].some((pattern) => pattern.test(name)) &&
  Object.entries(usualNames).some(([other, [usual]]) => other !== category && usual?.test(name));

/** The command for a tool that the project names but gives no command for. */
export function plainCommand(view: ProjectView, tool: string, category: ToolCategory): string {
  const facts = toolFacts(tool);
  const bare = facts?.uses[category];
  if (!facts || bare === undefined) return tool;
  const there = (name: string) =>
    view.chain.some((directory) => view.present.has(inDirectory(directory, name)));
  if (facts.via === 'npm') return `${nodeRunner[view.manager]}${bare}`;
  if (facts.via === 'pypi') return `${pythonRunner(there)}${bare}`;
  if (facts.via === 'gem') return there('Gemfile') ? `bundle exec ${bare}` : bare;
  if (facts.via === 'composer') return `vendor/bin/${bare}`;
  if (facts.family === 'jvm' || facts.family === 'kotlin' || facts.family === 'java')
    return jvmCommand(tool, bare, there);
  return bare;
}

function pythonRunner(there: (name: string) => boolean): string {
  if (there('uv.lock')) return 'uv run ';
  if (there('poetry.lock')) return 'poetry run ';
  if (there('pdm.lock')) return 'pdm run ';
  if (there('Pipfile')) return 'pipenv run ';
  return '';
}

const gradleTasks: Record<string, string> = {
  spotless: 'spotlessCheck',
  checkstyle: 'checkstyleMain',
  ktlint: 'ktlintCheck',
  detekt: 'detekt',
  javac: 'compileJava',
  kotlinc: 'compileKotlin',
};
const mavenGoals: Record<string, string> = {
  spotless: 'spotless:check',
  checkstyle: 'checkstyle:check',
  javac: 'compile',
  kotlinc: 'compile',
};

function jvmCommand(tool: string, bare: string, there: (name: string) => boolean): string {
  if (
    there('build.gradle') ||
    there('build.gradle.kts') ||
    there('settings.gradle.kts') ||
    there('settings.gradle')
  ) {
    const program = there('gradlew') ? './gradlew' : 'gradle';
    const task = gradleTasks[tool] ?? (bare === 'test' ? 'test' : undefined);
    return task ? `${program} ${task}` : bare;
  }
  const program = there('mvnw') ? './mvnw' : 'mvn';
  const goal = mavenGoals[tool] ?? (bare === 'test' ? 'test' : undefined);
  return goal ? `${program} ${goal}` : bare;
}

/** How a tool is installed into this project. */
export function installCommand(view: ProjectView, tool: string): string | undefined {
  const facts = toolFacts(tool);
  if (!facts?.install) return undefined;
  const there = (name: string) =>
    view.chain.some((directory) => view.present.has(inDirectory(directory, name)));
  if (facts.via === 'npm')
    return (
      { npm: 'npm install -D', pnpm: 'pnpm add -D', yarn: 'yarn add -D', bun: 'bun add -d' }[view.manager] +
      ` ${facts.install}`
    );
  if (facts.via === 'pypi') {
    if (there('poetry.lock')) return `poetry add --group dev ${facts.install}`;
    if (there('pdm.lock')) return `pdm add -dG dev ${facts.install}`;
    return there('requirements.txt') && !there('uv.lock')
      ? `pip install ${facts.install}`
      : `uv add --dev ${facts.install}`;
  }
  if (facts.via === 'gem')
    return there('Gemfile')
      ? `bundle add ${facts.install} --group development`
      : `gem install ${facts.install}`;
  if (facts.via === 'composer') return `composer require --dev ${facts.install}`;
  return facts.install;
}
