import { type Clock, isoTime } from '../../../base/clock.ts';
import { closest, didYouMean } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import type { Library } from '../../../base/library/index.ts';
import { type DerivedCache, fingerprintOf } from '../cache.ts';
import { directoryOf } from '../places.ts';
import type { ProjectFiles } from '../project-files.ts';
import type { ChoiceTable, ConventionTables } from '../tables.ts';
import { type CategoryAnswer, type Discovery, discover } from './discover.ts';
import { findProgram } from './installed.ts';
import { languageOf } from './languages.ts';
import { readEvidence, viewProject } from './project-view.ts';
import {
  type Confidence,
  confidenceLevels,
  type DiscoveredTool,
  type ToolCategory,
  type ToolDiscovery,
} from './record.ts';
import { knownTools, registry, toolFacts } from './registry.ts';
import type { TestCommand } from './sources/documents.ts';
import { testCommandsFor } from './test-commands.ts';

export interface DiscoverRequest {
  /** File or directory, relative to the root; '' is the root. */
  path: string;
  category?: ToolCategory | undefined;
  languages?: string[] | undefined;
  force?: boolean | undefined;
}

export interface ToolChoice {
  path: string;
  language: string;
  category: ToolCategory;
  tool: string;
  runCommand?: string | undefined;
  by: string;
}

interface ToolsContext {
  files: ProjectFiles;
  cache: DerivedCache;
  library: () => Promise<Library>;
  clock: Clock;
  searchPath: string;
}

export function createToolShelf({ files, cache, library, clock, searchPath }: ToolsContext) {
  const findTools = async (request: DiscoverRequest) => {
    const paths = await files.list();
    const { project, languages } = locate(paths, request);
    const texts = await readEvidence(files, paths, project);
    const branch = await files.branch();
    const kind = `tools 7 ${registry().date} ${languages?.join(',') ?? ''}`;
    const fingerprint = fingerprintOf(texts, `${project}\0${branch}`);
    const cached = request.force ? undefined : cache.get<Discovery>(kind, fingerprint);
    if (cached) return { ...cached.value, project, branch, madeAt: cached.madeAt, isCached: true };
    const discovery = discover(await viewProject(files, paths, project, texts), languages);
    const madeAt = cache.put(kind, [[fingerprint, discovery]], 200);
    return { ...discovery, project, branch, madeAt, isCached: false };
  };
  return {
    discover: async (request: DiscoverRequest): Promise<ToolDiscovery> => {
      const { languages, project, branch, madeAt, isCached, answers: all } = await findTools(request);
      const choices = await choicesFor(await library(), project);
      const answers = all
        .filter(({ category }) => !request.category || category === request.category)
        .map((answer) => applyChoice(answer, choices));
      const questions = answers.filter((answer) => answer.requires_user);
      return {
        tier: Math.max(1, ...answers.map((answer) => answer.tier)),
        confidence: weakestConfidence(answers),
        tools: answers
          .flatMap((answer) => answer.tools)
          .map((tool) => {
            const name = /^test (script|task)$/.test(tool.name) ? (tool.words[0] ?? '') : tool.name;
            const program = findProgram(files, project, searchPath, name);
            return { ...tool, program, is_installed: program !== undefined };
          }),
        requires_user: questions.length > 0,
        user_options: questions.flatMap((answer) => answer.options),
        answers: answers.map(({ tools: _tools, options: _options, known: _known, ...answer }) => answer),
        languages,
        project_path: project,
        branch,
        discovered_at: isoTime(madeAt),
        cache_hit: isCached,
        registry_date: registry().date,
        user_overrides: Object.fromEntries(
          choices.map((choice) => [`${choice.language} ${choice.category}`, choice.tool]),
        ),
        problems: languages.length === 0 ? ['No source file in a supported language.'] : [],
      };
    },
    /** Commands that run one kind of tests, or a single test (`one`), the likeliest first. */
    testCommands: async (which: string): Promise<TestCommand[]> =>
      testCommandsFor((await findTools({ path: '' })).testCommands, which),
    choose: async (choice: ToolChoice): Promise<ChoiceTable> => {
      requireKnown(choice);
      const row: ChoiceTable = {
        project: choice.path,
        language: choice.language,
        category: choice.category,
        tool: choice.tool,
        run_command: choice.runCommand ?? '',
        chosen_by: choice.by,
        chosen_at: isoTime(clock.now()),
      };
      await (await library())
        .tables<ConventionTables>()
        .insertInto('tool_choices')
        .values(row)
        .onConflict((conflict) => conflict.columns(['project', 'language', 'category']).doUpdateSet(row))
        .execute();
      return row;
    },
    /** Clears a choice; returns whether there was one. */
    unchoose: async ({
      path,
      language,
      category,
    }: Pick<ToolChoice, 'path' | 'language' | 'category'>): Promise<boolean> => {
      const removed = await (await library())
        .tables<ConventionTables>()
        .deleteFrom('tool_choices')
        .where('project', '=', path)
        .where('language', '=', language)
        .where('category', '=', category)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

/** A file stands for its directory and its own language. */
function locate(
  paths: string[],
  { path, languages = [] }: DiscoverRequest,
): { project: string; languages?: string[] } {
  const isFile = path !== '' && paths.includes(path);
  if (!isFile && path !== '' && !paths.some((other) => other.startsWith(`${path}/`))) {
    const other = 'Give a path relative to the repository root, or "." for all of it.';
    throw new SylkError('NOT_FOUND', `No such file or directory in this project: ${JSON.stringify(path)}`, {
      hint: didYouMean(path, paths, other),
    });
  }
  for (const language of languages) requireLanguage(language);
  const project = isFile ? directoryOf(path) : path;
  if (languages.length > 0) return { project, languages };
  const own = isFile ? languageOf(path) : undefined;
  return { project, languages: own ? [own] : undefined };
}

function requireLanguage(language: string): void {
  const known = Object.keys(registry().languages);
  if (known.includes(language)) return;
  throw new SylkError('VALIDATION_ERROR', `Unknown language ${JSON.stringify(language.slice(0, 60))}.`, {
    hint: didYouMean(language, known, `Known: ${known.join(', ')}.`),
  });
}

function requireKnown({ language, category, tool, runCommand }: ToolChoice): void {
  requireLanguage(language);
  if (runCommand || toolFacts(tool)?.uses[category]) return;
  const near = closest(tool, knownTools());
  throw new SylkError(
    'VALIDATION_ERROR',
    `Unknown ${category.replace('_', ' ')} ${JSON.stringify(tool.slice(0, 60))}.`,
    { hint: `${near ? `Did you mean ${near}? Or give` : 'Give'} run_command for a custom tool.` },
  );
}

/** A choice applies to its directory and everything below; the nearest one wins. */
async function choicesFor(library: Library, project: string): Promise<ChoiceTable[]> {
  const rows = await library.tables<ConventionTables>().selectFrom('tool_choices').selectAll().execute();
  const near = rows
    .filter((row) => row.project === '' || row.project === project || project.startsWith(`${row.project}/`))
    .sort((a, b) => a.project.length - b.project.length);
  return [...new Map(near.map((row) => [`${row.language} ${row.category}`, row])).values()];
}

function applyChoice(answer: CategoryAnswer, choices: ChoiceTable[]): CategoryAnswer {
  const { category, language } = answer;
  const choice = choices.find((row) => row.language === language && row.category === category);
  if (!choice) return answer;
  const listed = [...answer.tools, ...(answer.known ?? [])].find(({ name }) => name === choice.tool);
  const configured = answer.tools.filter(({ name, evidence }) => name !== choice.tool && evidence.length > 0);
  const beside = configured.map(({ name, evidence: [first] }) => `${name} (${first})`).join(', ');
  const tool: DiscoveredTool = {
    name: choice.tool,
    category,
    language,
    is_installed: false,
    evidence: [],
    directory: choice.project,
    ...listed,
    words: choice.run_command ? choice.run_command.split(/\s+/) : (listed?.words ?? [choice.tool]),
    run_command:
      choice.run_command || (listed?.run_command ?? toolFacts(choice.tool)?.uses[category] ?? choice.tool),
    source: 'user_choice',
    confidence: 'high',
    rationale: `chosen by ${choice.chosen_by} on ${choice.chosen_at.slice(0, 10)}${beside && `; the project configures ${beside} too`}`,
  };
  return {
    ...answer,
    tier: 3,
    confidence: 'high',
    satisfactory: true,
    requires_user: false,
    tools: [tool],
    options: [],
  };
}

function weakestConfidence(answers: CategoryAnswer[]): Confidence {
  const rank = Math.max(-1, ...answers.map(({ confidence }) => confidenceLevels.indexOf(confidence)));
  return confidenceLevels[rank] ?? 'low';
}
