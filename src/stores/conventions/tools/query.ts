import { type Clock, isoTime } from '../../../base/clock.ts';
import { closest } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import type { Library } from '../../../base/library/index.ts';
import { type AnswerCache, fingerprintOf } from '../cache.ts';
import { directoryOf } from '../dependencies/ingest.ts';
import type { ProjectFiles } from '../project-files.ts';
import type { ChoiceTable, ConventionTables } from '../tables.ts';
import { discover, type Settled } from './discover.ts';
import { isInstalled } from './installed.ts';
import { languageDefaults, registryDate } from './language-defaults.ts';
import { languageOf } from './languages.ts';
import { readEvidence, viewProject } from './project-view.ts';
import {
  type Confidence,
  confidenceLevels,
  type DiscoveredTool,
  type ToolCategory,
  type ToolDiscovery,
} from './record.ts';
import { knownTools, toolFacts } from './tool-facts.ts';

export interface DiscoverRequest {
  /** File or directory below the root; '' is the root. */
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

export interface ToolShelf {
  discover(request: DiscoverRequest): Promise<ToolDiscovery>;
  choose(choice: ToolChoice): Promise<ChoiceTable>;
  /** Takes a choice back; answers whether there was one. */
  unchoose(choice: Pick<ToolChoice, 'path' | 'language' | 'category'>): Promise<boolean>;
}

interface Sources {
  files: ProjectFiles;
  cache: AnswerCache;
  library: () => Promise<Library>;
  clock: Clock;
  searchPath: string;
}

type Found = ReturnType<typeof discover>;

export function createToolShelf({ files, cache, library, clock, searchPath }: Sources): ToolShelf {
  const find = async (request: DiscoverRequest) => {
    const paths = await files.list();
    const { project, languages } = placeOf(paths, request);
    const texts = await readEvidence(files, paths, project);
    const branch = await files.branch();
    const key = {
      kind: `tools 2 ${registryDate} ${languages?.join(',') ?? ''}`,
      project,
      branch,
      fingerprint: fingerprintOf(texts),
    };
    const known = request.force ? undefined : cache.get<Found>(key);
    if (known) return { ...known.value, project, branch, madeAt: known.madeAt, hit: true };
    const found = discover(await viewProject(files, paths, project, texts), languages);
    return { ...found, project, branch, madeAt: cache.set(key, found), hit: false };
  };
  return {
    discover: async (request) => {
      const found = await find(request);
      const choices = await choicesFor(await library(), found.project);
      const wanted = found.settled.filter(
        (entry) => !request.category || entry.category === request.category,
      );
      const settled = wanted.map((entry) => overrule(entry, choices));
      const tools = settled
        .flatMap((entry) => entry.tools)
        .map((tool) => ({ ...tool, is_installed: isInstalled(files, found.project, searchPath, tool.name) }));
      const asked = settled.filter((entry) => entry.requires_user);
      return {
        tier: Math.max(1, ...settled.map((entry) => entry.tier)),
        confidence: weakest(settled),
        tools,
        requires_user: asked.length > 0,
        user_options: asked.flatMap((entry) => entry.options),
        answers: settled.map(({ tools: _tools, options: _options, ...answer }) => answer),
        languages: found.languages,
        project_path: found.project,
        branch: found.branch,
        discovered_at: isoTime(found.madeAt),
        cache_hit: found.hit,
        registry_date: registryDate,
        user_overrides: Object.fromEntries(
          choices.map((choice) => [`${choice.language} ${choice.category}`, choice.tool]),
        ),
        problems: found.languages.length === 0 ? ['No source file of a known language is there.'] : [],
      };
    },
    choose: async (choice) => {
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
    unchoose: async ({ path, language, category }) => {
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
function placeOf(paths: string[], request: DiscoverRequest): { project: string; languages?: string[] } {
  const prefix = `${request.path}/`;
  const isFile = request.path !== '' && paths.includes(request.path);
  if (!isFile && request.path !== '' && !paths.some((path) => path.startsWith(prefix))) {
    throw new SylkError(
      'NOT_FOUND',
      `There is no file or directory ${JSON.stringify(request.path)} in this project.`,
      {
        hint: hintFor(request.path, paths),
      },
    );
  }
  for (const language of request.languages ?? []) requireLanguage(language);
  const own = isFile ? languageOf(request.path) : undefined;
  const languages = request.languages?.length ? request.languages : own ? [own] : undefined;
  return { project: isFile ? directoryOf(request.path) : request.path, ...(languages ? { languages } : {}) };
}

const hintFor = (path: string, paths: string[]): string => {
  const near = closest(path, paths);
  return near
    ? `Did you mean ${near}?`
    : 'Give a path below the root of the repository, or "." for all of it.';
};

function requireLanguage(language: string): void {
  if (Object.hasOwn(languageDefaults, language)) return;
  const near = closest(language, Object.keys(languageDefaults));
  throw new SylkError('VALIDATION_ERROR', `No such language: ${JSON.stringify(language.slice(0, 60))}.`, {
    hint: near ? `Did you mean ${near}?` : `Known: ${Object.keys(languageDefaults).join(', ')}.`,
  });
}

function requireKnown({ language, category, tool, runCommand }: ToolChoice): void {
  requireLanguage(language);
  if (runCommand || toolFacts(tool)?.uses[category]) return;
  const near = closest(tool, knownTools());
  throw new SylkError(
    'VALIDATION_ERROR',
    `${JSON.stringify(tool.slice(0, 60))} is not a known ${category.replace('_', ' ')}.`,
    {
      hint: near
        ? `Did you mean ${near}? Or give run_command for a tool of your own.`
        : 'Give run_command for a tool of your own.',
    },
  );
}

/** A choice holds for its directory and everything below; the nearest one wins. */
async function choicesFor(library: Library, project: string): Promise<ChoiceTable[]> {
  const rows = await library.tables<ConventionTables>().selectFrom('tool_choices').selectAll().execute();
  const near = rows
    .filter((row) => row.project === '' || row.project === project || project.startsWith(`${row.project}/`))
    .sort((a, b) => a.project.length - b.project.length);
  return [...new Map(near.map((row) => [`${row.language} ${row.category}`, row])).values()];
}

function overrule(entry: Settled, choices: ChoiceTable[]): Settled {
  const choice = choices.find((row) => row.language === entry.language && row.category === entry.category);
  if (!choice) return entry;
  const same = [...entry.tools, ...entry.options.map((option) => option.tool)].find(
    (tool) => tool.name === choice.tool,
  );
  const tool: DiscoveredTool = {
    name: choice.tool,
    category: entry.category,
    language: entry.language,
    run_command: same?.run_command ?? toolFacts(choice.tool)?.uses[entry.category] ?? choice.tool,
    is_installed: false,
    ...same,
    ...(choice.run_command ? { run_command: choice.run_command } : {}),
    source: 'user_choice',
    confidence: 'high',
    rationale: `chosen by ${choice.chosen_by} on ${choice.chosen_at.slice(0, 10)}`,
    evidence: same?.evidence ?? [],
  };
  return {
    ...entry,
    tier: 3,
    confidence: 'high',
    satisfactory: true,
    requires_user: false,
    tools: [tool],
    options: [],
  };
}

function weakest(settled: Settled[]): Confidence {
  const rank = Math.max(-1, ...settled.map((entry) => confidenceLevels.indexOf(entry.confidence)));
  return rank < 0 ? 'low' : confidenceLevels[rank]!;
}
