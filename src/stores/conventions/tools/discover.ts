import { compareVersions } from '../dependencies/lock-files.ts';
import { gatherEvidence, highStrength, mediumStrength, type ToolEvidence } from './evidence.ts';
import { languageDefaults, registryDate, tradeOffs } from './language-defaults.ts';
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
import { type RunnableCommand, resolveCommands } from './resolve-commands.ts';
import { installCommand, plainCommand, projectCommand } from './run-command.ts';
import { toolFacts } from './tool-facts.ts';

/** What the files settle for one language and category, before a person's own choices are laid over it. */
export interface Settled extends ToolAnswer {
  tools: DiscoveredTool[];
  options: ToolOption[];
}

const perCategory = 4;

export function discover(view: ProjectView, asked?: string[]): { languages: string[]; settled: Settled[] } {
  const languages = asked?.length ? asked : languagesUnder(view.paths, view.target);
  const commands = resolveCommands(view);
  const evidence = gatherEvidence(view, commands);
  const settled = languages.flatMap((language) =>
    toolCategories.map((category) => settle(view, commands, evidence, language, category)),
  );
  return { languages, settled };
}

function settle(
  view: ProjectView,
  commands: RunnableCommand[],
  evidence: ToolEvidence[],
  language: string,
  category: ToolCategory,
): Settled {
  const own = evidence.filter((entry) => entry.category === category && serves(entry.tool, language));
  const real = own.filter((entry) => entry.tool !== 'editorconfig' && entry.strength >= 1);
  // A style file states how files should look but formats nothing: it is listed, and settles nothing.
  const stated = own.filter((entry) => entry.tool === 'editorconfig');
  const found = [...real.slice(0, perCategory), ...stated].map((entry) =>
    describe(view, commands, entry, language),
  );
  if (real.length > 0) {
    const { confidence } = found[0]!;
    return {
      category,
      language,
      tier: 1,
      confidence,
      satisfactory: true,
      requires_user: false,
      tools: found,
      options: [],
    };
  }
  const inferred = category === 'lsp' ? inferredServer(view, language) : undefined;
  if (inferred)
    return {
      category,
      language,
      tier: 1,
      confidence: 'medium',
      satisfactory: true,
      requires_user: false,
      tools: [inferred],
      options: [],
    };
  return {
    ...fromRegistry(view, language, category),
    ...(found.length > 0 ? withStated(found, view, language, category) : {}),
  };
}

function withStated(
  found: DiscoveredTool[],
  view: ProjectView,
  language: string,
  category: ToolCategory,
): Partial<Settled> {
  return { tools: [...fromRegistry(view, language, category).tools, ...found] };
}

/** A compiler that brings its own language server, in the version at hand, settles which server fits. */
function inferredServer(view: ProjectView, language: string): DiscoveredTool | undefined {
  if (familyOf(language) !== 'javascript' || language === 'vue' || language === 'svelte') return undefined;
  const compiler = view.dependencies.find(
    (entry) => entry.ecosystem === 'npm' && entry.name === 'typescript',
  );
  if (!compiler) return undefined;
  const version = compiler.version ?? /\d+(\.\d+)*/.exec(compiler.range)?.[0];
  if (!version) return undefined;
  const tool = compareVersions(version, '7') >= 0 ? 'tsc' : 'typescript-language-server';
  return {
    ...bare(view, tool, 'lsp', language, 'package_manifest', 'medium'),
    rationale: `TypeScript ${version} ${tool === 'tsc' ? 'brings its own language server' : 'has no language server of its own'}`,
    evidence: [`${compiler.manifest}: typescript ${compiler.range}`],
    ...(tool === 'tsc' && compiler.version ? { version: compiler.version } : {}),
  };
}

function serves(tool: string, language: string): boolean {
  const family = toolFacts(tool)?.family;
  if (tool === 'tsc' && language === 'javascript') return true;
  return family === '*' || family === language || family === familyOf(language);
}

const confidenceOf = (entry: ToolEvidence): Confidence =>
  entry.strength >= highStrength ? 'high' : entry.strength >= mediumStrength ? 'medium' : 'low';

const reasons: Record<string, string> = {
  ci: 'a pipeline of this project runs it',
  config_file: 'a configuration file of this project is there',
  script: 'a script of this project runs it',
  package_manifest: 'a manifest of this project declares it',
  editor_settings: 'editor settings of this project name it',
};

function describe(
  view: ProjectView,
  commands: RunnableCommand[],
  entry: ToolEvidence,
  language: string,
): DiscoveredTool {
  const command = projectCommand(view, commands, entry.tool, entry.category);
  return {
    ...bare(view, entry.tool, entry.category, language, entry.source, confidenceOf(entry)),
    ...(entry.version ? { version: entry.version } : {}),
    ...(entry.config ? { config_path: entry.config } : {}),
    ...(command ? { run_command: command.command } : {}),
    rationale: reasons[entry.source] ?? '',
    evidence: entry.notes,
  };
}

function bare(
  view: ProjectView,
  tool: string,
  category: ToolCategory,
  language: string,
  source: DiscoveredTool['source'],
  confidence: Confidence,
): DiscoveredTool {
  const install = installCommand(view, tool);
  return {
    name: tool,
    category,
    language,
    run_command: plainCommand(view, tool, category),
    ...(install ? { install_cmd: install } : {}),
    is_installed: false,
    source,
    confidence,
    evidence: [],
  };
}

/** Tier 2: the registry. One candidate is a clear practice; several are a question for a person, tier 3. */
function fromRegistry(view: ProjectView, language: string, category: ToolCategory): Settled {
  const candidates = languageDefaults[language]?.tools[category] ?? [];
  const tools = candidates.map((name) => ({
    ...bare(view, name, category, language, 'registry', 'low'),
    rationale: `recommended for ${language} (registry of ${registryDate}); nothing in this project names a ${category.replace('_', ' ')}`,
  }));
  if (tools.length <= 1)
    return {
      category,
      language,
      tier: 2,
      confidence: 'low',
      satisfactory: true,
      requires_user: false,
      tools,
      options: [],
    };
  const options = tools.map((tool, at) => ({
    tool,
    pros: tradeOffs[tool.name]?.pros ?? [],
    cons: tradeOffs[tool.name]?.cons ?? [],
    recommended: at === 0,
  }));
  const custom: ToolOption = {
    tool: { ...bare(view, 'custom', category, language, 'user_choice', 'low'), run_command: '' },
    pros: ['any tool you name'],
    cons: ['you give the command'],
    recommended: false,
  };
  return {
    category,
    language,
    tier: 3,
    confidence: 'low',
    satisfactory: false,
    requires_user: true,
    tools: [],
    options: [...options, custom],
  };
}
