import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import { z } from 'zod';
import { closest } from '../../base/closest.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { person, tree } from '../../base/files/index.ts';
import { objectOf } from '../../base/json.ts';

const seconds = z.number().int().min(0).max(31_536_000);
const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{M}\p{N}_.+@ -]+$/u, 'letters, digits, spaces and _ . + @ - only');

/** Only valid in a person's own file: `source` trusts everything of the source, `skill` asks about each skill's text. */
const trust = z.enum(['skill', 'source']).default('skill');

const filesystem = z.strictObject({ name, type: z.literal('filesystem'), path: z.string().min(1) });
const http = z.strictObject({
  name,
  type: z.literal('http'),
  url: z.string().min(1),
  auth_header: z.string().optional(),
  auth_token: z.string().optional(),
  refresh_seconds: seconds.default(300),
  trust,
});
const git = z.strictObject({
  name,
  type: z.literal('git'),
  url: z.string().min(1),
  git_ref: z.string().min(1).default('main'),
  ref_type: z.enum(['branch', 'tag', 'commit']).default('branch'),
  skills_root: z.string().optional(),
  auth_token: z.string().optional(),
  ssh_key: z.string().optional(),
  refresh_seconds: seconds.default(300),
  /** 0 fetches the whole history; a commit pin always does. */
  depth: z.number().int().min(0).default(1),
  trust,
});

const repositoryConfig = z.discriminatedUnion('type', [filesystem, http, git]);
/** One `[[repositories]]` entry, with its file. */
export type RepositoryConfig = z.infer<typeof repositoryConfig> & { level: 'project' | 'user'; base: string };

export interface SkillsSettings {
  enabled: boolean;
  max_injection_bytes: number;
  inventory_threshold: number;
}

export interface SkillsConfig extends SkillsSettings {
  repositories: RepositoryConfig[];
  /** The files that were read, and their warnings. */
  files: string[];
  warnings: string[];
}

const fileSchema = z.strictObject({
  enabled: z.boolean().optional(),
  max_injection_bytes: z.number().int().min(256).max(1_048_576).optional(),
  inventory_threshold: z.number().int().min(0).max(10_000).optional(),
  repositories: z.array(z.unknown()).default([]),
});

interface ConfigPaths {
  userFile?: string | undefined;
  projectFile?: string | undefined;
  /** The base of relative paths in the project file. */
  projectRoot?: string | undefined;
}

/** Names of the sources that exist without a file. */
const builtInNames = ['user', 'user-agents', 'user-claude', 'embedded', 'code'];

/**
 * Merges both files. The person's repositories come before those of the project, the first of a name wins, and a project
 * cannot turn on what the person turned off. Its size limits win.
 */
export function loadSkillsConfig(paths: ConfigPaths): SkillsConfig {
  const warnings: string[] = [];
  const project = readProjectFile(paths, warnings);
  const user = readFile(paths.userFile, 'user', undefined, warnings);
  const sizeOf = (key: 'max_injection_bytes' | 'inventory_threshold', otherwise: number): number =>
    project?.[key] ?? user?.[key] ?? otherwise;
  const repositories: RepositoryConfig[] = [];
  for (const entry of [...(user?.repositories ?? []), ...(project?.repositories ?? [])]) {
    const taken =
      repositories.some((kept) => kept.name === entry.name) ||
      (entry.level === 'project' && builtInNames.includes(entry.name));
    if (!taken) repositories.push(entry);
    else
      warnings.push(
        `Repository ${entry.name} of the ${entry.level} skills.toml is skipped: an earlier one has the same name.`,
      );
  }
  return {
    enabled: (user?.enabled ?? true) && (project?.enabled ?? true),
    max_injection_bytes: sizeOf('max_injection_bytes', 32_768),
    inventory_threshold: sizeOf('inventory_threshold', 12),
    repositories,
    files: [project && paths.projectFile, user && paths.userFile].filter((file) => file !== undefined),
    warnings,
  };
}

/** Folders named in the repository's own skills.toml, relative to its root; an invalid file names none. */
export function repositorySkillFolders(sharedDirectory: string): string[] {
  const root = dirname(sharedDirectory);
  try {
    const { repositories } = loadSkillsConfig({ projectFile: join(sharedDirectory, 'skills.toml') });
    return repositories.flatMap((entry) =>
      entry.type === 'filesystem' ? [relative(root, resolve(root, entry.path)).split(sep).join('/')] : [],
    );
  } catch {
    // Loading the configuration reports its errors.
    return [];
  }
}

const maxBytes = 65_536;

/** The project's file belongs to the repository, in a directory of its root: neither may be a link. */
const readText = (path: string, level: 'project' | 'user'): string | undefined =>
  level === 'project'
    ? tree.readText(dirname(dirname(path)), path, { limit: maxBytes })
    : person.readText(path, { limit: maxBytes });

/** The repository's file is content: an invalid one is reported and ignored. */
function readProjectFile({ projectFile, projectRoot }: ConfigPaths, warnings: string[]) {
  try {
    return readFile(projectFile, 'project', projectRoot, warnings);
  } catch (error) {
    if (!(error instanceof SylkError)) throw error;
    warnings.push(
      `${error.message}. The file is ignored until it is corrected or removed. ${error.hint ?? ''}`,
    );
    return undefined;
  }
}

function readFile(
  path: string | undefined,
  level: 'project' | 'user',
  root: string | undefined,
  warnings: string[],
) {
  const text = path === undefined ? undefined : readText(path, level);
  if (path === undefined || text === undefined) return undefined;
  const value = parse(path, text);
  for (const key of Object.keys(value)) {
    if (key in fileSchema.shape) continue;
    const near = closest(key, Object.keys(fileSchema.shape));
    warnings.push(`${path}:${lineOf(text, key)}: unknown key ${key}${near ? `; did you mean ${near}?` : ''}`);
    delete value[key];
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw badValue(path, text, parsed.error);
  const base = root ?? dirname(path);
  const repositories = parsed.data.repositories.map((entry, index): RepositoryConfig => {
    const one = repositoryConfig.safeParse(entry);
    if (one.success) return { ...one.data, level, base };
    throw badRepository(path, text, index, entry, one.error);
  });
  return { ...parsed.data, repositories };
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    const hint = 'Fix that line; `sylk skills sources` then shows the active sources.';
    throw invalid(`${path}:${line}`, `not valid TOML: ${messageOf(error).split('\n')[0]}`, hint);
  }
}

const invalid = (where: string, what: string, hint: string): SylkError =>
  new SylkError('VALIDATION_ERROR', `${where}: ${what}`, { hint });

function badValue(path: string, text: string, { issues }: z.ZodError): SylkError {
  const key = String(issues[0]?.path[0] ?? '');
  const hint = 'Keys: enabled, max_injection_bytes, inventory_threshold, [[repositories]].';
  return invalid(`${path}:${lineOf(text, key)}`, `${key}: ${issues[0]?.message}`, hint);
}

function badRepository(path: string, text: string, index: number, entry: unknown, { issues }: z.ZodError) {
  const starts = [...text.matchAll(/^[ \t]*\[\[\s*repositories\s*\]\]/gm)];
  const line = text.slice(0, starts[index]?.index ?? 0).split('\n').length;
  const { data: called = index + 1 } = z.string().safeParse(objectOf(entry)['name']);
  const what = [...(issues[0]?.path.length ? [issues[0].path.join('.')] : []), issues[0]?.message].join(': ');
  const hint = 'A repository has name, type (filesystem, http or git) and path or url.';
  return invalid(`${path}:${line}`, `repository ${called}: ${what}`, hint);
}

const lineOf = (text: string, key: string): number =>
  Math.max(
    0,
    text.split('\n').findIndex((line) => line.trim().startsWith(key)),
  ) + 1;
