import { once } from '../../../base/once.ts';
import { inDirectory } from '../places.ts';
import type { ProjectView } from './project-view.ts';
import { commandTables } from './recognise.ts';
import { type ToolCategory, toolCategories } from './record.ts';
import { toolFacts } from './registry.ts';
import type { RunnableCommand } from './resolve-commands.ts';

/** Usual names for the command of a category, best first. */
const usualNames = once(
  () =>
    new Map(
      toolCategories.map((category) => [
        category,
        commandTables().usual_names[category].map((name) => new RegExp(name)),
      ]),
    ),
);

const usualNameOf = (category: ToolCategory, name: string): number =>
  usualNames()
    .get(category)
    ?.findIndex((pattern) => pattern.test(name)) ?? -1;

const changes = /\b(fix|write|watch|update|debug|ui|inspect)\b|--(fix|write|watch|update)\b/i;
const besides =
  /cov(erage)?|bench|report|e2e|browser|integration|smoke|nightly|fuzz|wasm|docs?\b|snapshot|\bmin\b|readme/i;

/** Tests of benches alone. */
const ofBenches = /\s\S*bench(marks?)?\/?(\s|$)/i;

/** One test or the last failures: no command for the tests. */
export const isPart =
  /\s(-[efs] \S*(lint|typ(es|ing)|docs|mypy)|-run[= ](?!\.(\s|$))|--lf\b|--last-failed|-k[= ]|-m[= ]["']|--grep[= ]|-t[= ]|--tests[= ]|-Dtest=|--codspeed)|^cargo .*\s(-p|--package|--manifest-path|--bin|--test|--doc|--example|--lib)\b/;
/** Reports and places that only a CI needs. */
const isForReports =
  /--junit|--out(put)?[= ]|--outfile|-coverprofile|--cov\b|--coverage\b|--ci\b|node_modules\/\.bin|-json\b/;

/**
 * The project's command that runs a tool, if there is one. What its CI runs counts most, then a usual name,
 * then a command that does nothing else; commands that change files, watch, or run only a part count less.
 */
export function projectCommand(
  view: ProjectView,
  commands: RunnableCommand[],
  tool: string,
  category: ToolCategory,
): RunnableCommand | undefined {
  let best: { command: RunnableCommand; score: number } | undefined;
  const named = new Set(commands.filter(({ name }) => name).map((command) => command.command));
  for (const command of commands) {
    // The call of a script in a CI is judged as that script.
    if (category === 'test_framework' && !command.name && named.has(command.command)) continue;
    if (!command.uses.some((use) => use.tool === tool && use.category === category)) continue;
    const score = scoreOf(view, command, category);
    if (!best || score > best.score) best = { command, score };
  }
  return best && best.score > 0 ? best.command : undefined;
}

function scoreOf(view: ProjectView, command: RunnableCommand, category: ToolCategory): number {
  const text = command.command;
  // Only the CI knows this expression: nobody can type it.
  if (/\$\{\{|%\w+%/.test(text)) return -1;
  const categories = new Set(command.uses.map((use) => use.category)).size;
  const penalties: Array<[applies: boolean, points: number]> = [
    [changes.test(command.name) || changes.test(command.body), category === 'formatter' ? 12 : 25],
    [namedForAnother(command.name, category), 15],
    [besides.test(command.name || text), 20],
    [!command.name && ofBenches.test(text), 20],
    [!command.name && isPart.test(text), 30],
    [!command.name && isForReports.test(text), 15],
    [!command.name && /^g?make(\s+[\w-]+){2}/.test(text), 30],
    [!command.name && /^\S+\.sh\s+\w/.test(text), 90],
    [/\$\(|\$[A-Z_{]/.test(text), 60],
    [text.includes('|') || text.length > 160, 15],
    [/(^|\s)(--filter|-F|--workspace|--dir|-C|--projects)[= ]/.test(text), 20],
    [command.source === 'hook', 6],
    [command.directory !== '' && !view.chain.includes(command.directory), 40],
  ];
  const lost = penalties.reduce((sum, [applies, points]) => (applies ? sum + points : sum), 0);
  const byPipeline = [5, 15, 45][command.pipeline] ?? 5;
  const byPurpose = categories === 1 ? 18 : 18 - categories * 6;
  // In a part of a repository with commands of its own, those count before what the root runs.
  const isOwn = view.target !== '' && command.directory === view.target;
  return (
    byPipeline +
    nameScore(command, category, categories) +
    byPurpose +
    (isOwn ? 60 : 0) -
    lost -
    text.length / 50
  );
}

function nameScore({ name, command }: RunnableCommand, category: ToolCategory, purposes: number): number {
  // A bare CI line: the fewer its own arguments, the more complete it is.
  if (!name) return 22 - Math.min(18, command.split(' ').filter((word) => !word.startsWith('-')).length * 2);
  const rank = usualNameOf(category, name);
  if (category === 'test_framework' && rank === 0 && purposes === 1) return 55;
  return rank < 0 ? 0 : 30 - rank * 10;
}

/** `format` may also run a linter, but nobody looks for the linter there. */
const namedForAnother = (name: string, category: ToolCategory): boolean =>
  name !== '' &&
  usualNameOf(category, name) < 0 &&
  toolCategories.some((other) => other !== category && usualNameOf(other, name) === 0);

const isPresent = (view: ProjectView, name: string): boolean =>
  view.chain.some((directory) => view.present.has(inDirectory(directory, name)));

/** The package manager of the project; for installing, one that can install and is not excluded. */
const pythonManager = (view: ProjectView, except?: string) =>
  Object.entries(commandTables().python_managers).find(
    ([file, { add }]) => isPresent(view, file) && (except === undefined || (file !== except && add)),
  )?.[1];

/** The command for a tool for which the project has no command. */
export const plainCommand = (view: ProjectView, tool: string, category: ToolCategory): string =>
  startedHere(view, tool, toolFacts(tool)?.uses[category]);

/** How one test is run with a tool; undefined where it has no way. */
export function oneTestCommand(view: ProjectView, tool: string): string | undefined {
  if (/^(junit|testng|kotest)$/.test(tool))
    return jvmCommand(view, tool, 'test')
      .replace(/^(\S*gradlew?) test$/, '$1 test --tests NAME')
      .replace(/^(\S*mvnw?) test$/, '$1 test -Dtest=NAME');
  const one = toolFacts(tool)?.one;
  return one && startedHere(view, tool, one);
}

/** A bare command with what starts programs of the project's package manager before it. */
function startedHere(view: ProjectView, tool: string, bare: string | undefined): string {
  const facts = toolFacts(tool);
  if (!facts || bare === undefined) return tool;
  if (facts.via === 'npm') return `${commandTables().node_managers[view.manager].run} ${bare}`;
  if (facts.via === 'pypi') return `${pythonManager(view)?.run ?? ''}${bare}`;
  if (facts.via === 'gem') return isPresent(view, 'Gemfile') ? `bundle exec ${bare}` : bare;
  if (facts.via === 'composer') return `vendor/bin/${bare}`;
  return /^(jvm|kotlin|java)$/.test(facts.family) ? jvmCommand(view, tool, bare) : bare;
}

function jvmCommand(view: ProjectView, tool: string, bare: string): string {
  const { gradle_tasks, maven_goals } = commandTables();
  const usesGradle = ['build.gradle', 'build.gradle.kts', 'settings.gradle.kts', 'settings.gradle'].some(
    (name) => isPresent(view, name),
  );
  const [program, wrapper, tasks] = usesGradle
    ? ['gradle', 'gradlew', gradle_tasks]
    : ['mvn', 'mvnw', maven_goals];
  const task = tasks[tool] ?? (bare === 'test' ? 'test' : undefined);
  return task ? `${isPresent(view, wrapper) ? `./${wrapper}` : program} ${task}` : bare;
}

/** How a tool is installed into this project. */
export function installCommand(view: ProjectView, tool: string): string | undefined {
  const { via, install } = toolFacts(tool) ?? {};
  if (!install) return undefined;
  if (via === 'npm') return `${commandTables().node_managers[view.manager].add} ${install}`;
  if (via === 'pypi') {
    const usesPip = isPresent(view, 'requirements.txt') && !isPresent(view, 'uv.lock');
    const add = pythonManager(view, 'uv.lock')?.add ?? (usesPip ? 'pip install' : 'uv add --dev');
    return `${add} ${install}`;
  }
  if (via === 'gem')
    return isPresent(view, 'Gemfile')
      ? `bundle add ${install} --group development`
      : `gem install ${install}`;
  return via === 'composer' ? `composer require --dev ${install}` : install;
}
