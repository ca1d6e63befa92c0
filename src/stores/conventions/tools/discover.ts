import { compareVersions } from '../dependencies/lock-files.ts';
import { directoryOf } from '../places.ts';
import { gatherEvidence, highStrength, mediumStrength, type ToolEvidence } from './evidence.ts';
import type { ToolUse } from './evidence-tables.ts';
import { familyOf, languagesUnder } from './languages.ts';
import type { ProjectView } from './project-view.ts';
import {
  type Confidence,
  type DiscoveredTool,
  type ToolAnswer,
  type ToolCategory,
  type ToolOption,
  toolCategories,
} from './record.ts';
import { registry, toolFacts } from './registry.ts';
import { type RunnableCommand, resolveCommands } from './resolve-commands.ts';
import { installCommand, isPart, oneTestCommand, plainCommand, projectCommand } from './run-command.ts';
import type { TestCommand } from './sources/documents.ts';
import { testCommands } from './test-commands.ts';

/** The answer of the files for one language and category, before a person's own choices override it. */
export interface CategoryAnswer extends ToolAnswer {
  tools: DiscoveredTool[];
  options: ToolOption[];
  /** What the registry would run for this category: a person may have chosen one of these, whatever the project configures. */
  known?: DiscoveredTool[];
}

export interface Discovery {
  languages: string[];
  testCommands: TestCommand[];
  answers: CategoryAnswer[];
}

const maxToolsOfCategory = 4;

interface DiscoverContext {
  view: ProjectView;
  commands: RunnableCommand[];
  evidence: ToolEvidence[];
}

export function discover(view: ProjectView, requested?: string[]): Discovery {
  const languages = requested?.length ? requested : languagesUnder(view.paths, view.target);
  const commands = resolveCommands(view);
  const context = { view, commands, evidence: gatherEvidence(view, commands) };
  const answers = languages.flatMap((language) =>
    toolCategories.map((category) => ({
      ...answerFor(context, language, category),
      known: registered(view, language, category),
    })),
  );
  return { languages, answers, testCommands: testCommands(view, commands) };
}

function answerFor(context: DiscoverContext, language: string, category: ToolCategory): CategoryAnswer {
  const evidence = context.evidence.filter(
    (entry) => entry.category === category && serves(entry.tool, language),
  );
  const describe = (entry: ToolEvidence) => fromEvidence(context, entry, language);
  const hasCommand = ({ tool }: ToolEvidence) =>
    Number(projectCommand(context.view, context.commands, tool, category) !== undefined);
  const tools = evidence
    .filter((entry) => entry.tool !== 'editorconfig' && entry.strength >= 1)
    // A framework that is only configured comes after one that a command of the project runs.
    .sort((a, b) => (category === 'test_framework' ? hasCommand(b) - hasCommand(a) : 0))
    .slice(0, maxToolsOfCategory)
    .map(describe);
  // A style file describes formatting but formats nothing: it is listed, and decides nothing.
  const styleFiles = evidence.filter((entry) => entry.tool === 'editorconfig').map(describe);
  const [best] = tools;
  if (best) return settled(1, best.confidence, [...tools, ...styleFiles], best);
  const server = category === 'lsp' ? serverOfCompiler(context.view, language) : undefined;
  if (server) return settled(1, 'medium', [server], server);
  const answer = fromRegistry(context.view, language, category);
  return { ...answer, tools: [...answer.tools, ...styleFiles] };
}

const settled = (
  tier: 1 | 2,
  confidence: Confidence,
  tools: DiscoveredTool[],
  { category, language }: Pick<ToolAnswer, 'category' | 'language'>,
): CategoryAnswer => ({
  category,
  language,
  tier,
  confidence,
  satisfactory: true,
  requires_user: false,
  tools,
  options: [],
});

/** The version of TypeScript decides which language server fits: from 7 on the compiler has its own. */
function serverOfCompiler(view: ProjectView, language: string): DiscoveredTool | undefined {
  if (language !== 'javascript' && language !== 'typescript') return undefined;
  const compiler = view.dependencies.find(
    ({ ecosystem, name }) => ecosystem === 'npm' && name === 'typescript',
  );
  const version = compiler && (compiler.version ?? /\d+(\.\d+)*/.exec(compiler.range)?.[0]);
  if (!version) return undefined;
  const isOwn = compareVersions(version, '7') >= 0;
  return {
    ...plainTool(view, isOwn ? 'tsc' : 'typescript-language-server', 'lsp', language),
    source: 'package_manifest',
    confidence: 'medium',
    rationale: `TypeScript ${version} ${isOwn ? 'brings its own language server' : 'has no language server of its own'}`,
    evidence: [`${compiler.manifest}: typescript ${compiler.range}`],
    version: isOwn ? compiler.version : undefined,
  };
}

function serves(tool: string, language: string): boolean {
  const family = toolFacts(tool)?.family;
  if (tool === 'tsc' && language === 'javascript') return true;
  return family === '*' || family === language || family === familyOf(language);
}

const reasons: Record<ToolEvidence['source'], string> = {
  ci: 'run by the CI of this project',
  config_file: 'configured by a file of this project',
  script: 'run by a script of this project',
  package_manifest: 'declared in a manifest of this project',
  editor_settings: 'named in the editor settings of this project',
};

function fromEvidence(
  { view, commands }: DiscoverContext,
  { tool, category, strength, source, version, config, notes }: ToolEvidence,
  language: string,
): DiscoveredTool {
  const plain = plainTool(view, tool, category, language);
  const command = projectCommand(view, commands, tool, category);
  const place = command ? command.directory : directoryOf(config ?? '');
  const lead = view.chain.includes(place) ? '' : `cd ${place} && `;
  const call = nearestCall(view, command, tool, category);
  return {
    ...plain,
    words: call?.words ?? plain.words,
    directory: call?.directory ?? plain.directory,
    source,
    confidence: confidenceOf(strength),
    version,
    config_path: config,
    run_command: `${lead}${command?.command ?? plain.run_command}`,
    one_test: category === 'test_framework' ? oneTestCommand(view, tool) : undefined,
    rationale: reasons[source],
    evidence: notes,
  };
}

/** A command of a repository with many parts runs a tool in each: the call of the nearest one, if it can be typed. */
function nearestCall(
  { chain }: ProjectView,
  command: RunnableCommand | undefined,
  tool: string,
  category: ToolCategory,
) {
  const distance = (directory = '') => (chain.includes(directory) ? chain.indexOf(directory) : chain.length);
  const partial = ({ words = [] }: ToolUse) => Number(isPart.test(words.join(' ')));
  return command?.uses
    .filter((use) => use.tool === tool && use.category === category)
    .filter(({ words = [] }) => !words.some((word) => /\$[\w{(]|%\w+%/.test(word)))
    .sort((a, b) => partial(a) - partial(b) || distance(a.directory) - distance(b.directory))[0];
}

function confidenceOf(strength: number): Confidence {
  if (strength >= highStrength) return 'high';
  return strength >= mediumStrength ? 'medium' : 'low';
}

/** A tool of the registry. */
const plainTool = (
  view: ProjectView,
  name: string,
  category: ToolCategory,
  language: string,
): DiscoveredTool => ({
  name,
  category,
  language,
  run_command: plainCommand(view, name, category),
  words: (toolFacts(name)?.uses[category] ?? name).split(' '),
  directory: view.target,
  install_cmd: installCommand(view, name),
  is_installed: false,
  source: 'registry',
  confidence: 'low',
  evidence: [],
});

const registered = (view: ProjectView, language: string, category: ToolCategory): DiscoveredTool[] =>
  (registry().languages[language]?.[category] ?? []).map((name) => plainTool(view, name, category, language));

/** Tier 2 is the registry. One candidate is common practice; several need a person's choice: tier 3. */
function fromRegistry(view: ProjectView, language: string, category: ToolCategory): CategoryAnswer {
  const { date, trade_offs } = registry();
  const tools = registered(view, language, category).map((tool) => ({
    ...tool,
    rationale: `recommended for ${language} (registry of ${date}); no ${category.replace('_', ' ')} is configured in this project`,
  }));
  const answer = settled(2, 'low', tools, { category, language });
  if (tools.length <= 1) return answer;
  const options: ToolOption[] = tools.map((tool, at) => ({
    tool,
    pros: trade_offs[tool.name]?.pros ?? [],
    cons: trade_offs[tool.name]?.cons ?? [],
    recommended: at === 0,
  }));
  options.push({
    tool: { ...plainTool(view, 'custom', category, language), source: 'user_choice', run_command: '' },
    pros: ['any tool you name'],
    cons: ['your own command'],
    recommended: false,
  });
  return { ...answer, tier: 3, satisfactory: false, requires_user: true, tools: [], options };
}
