import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { closest } from '../closest.ts';
import { type ContentItem, contentItem, type TrustState } from '../content-item.ts';
import { SylkError } from '../errors.ts';
import { objectOf, parseJson } from '../json.ts';
import { type ConfigFile, readConfigFile } from './file.ts';
import type { ConfigKey, ConfigSection } from './section.ts';

export interface Origin {
  key: string;
  value: unknown;
  /** `default`, `environment SYLK_…`, `flag --set`, or a file with its line. */
  from: string;
}

/** A value of the repository's own files that acts, and whether a person trusted exactly this value. */
export interface ActingSetting extends ContentItem {
  /** The file with its line. */
  from: string;
  state: TrustState;
}

export interface LoadedConfig {
  sections: Record<string, Record<string, unknown>>;
  origins: Origin[];
  /** Unknown keys, and keys that are waiting for trust. Never fatal. */
  warnings: string[];
  /** What the repository's files say that acts, in force or not. */
  acting: ActingSetting[];
}

export interface ConfigLayers {
  sections: ConfigSection[];
  userFile?: string;
  projectFile?: string;
  /** Another file in the root of the repository that holds one section's keys; weaker than the project file. */
  projectExtra?: { path: string; section: string };
  /** Asked only when the project file holds a value that acts. */
  trustOf(item: ContentItem): TrustState;
  env?: NodeJS.ProcessEnv;
  /** `section.key=value`, from `--set`. */
  flags?: string[];
}

interface Candidate {
  value: unknown;
  from: string;
}

/**
 * defaults < user file < project file < environment < flags. A bad value of the person is an error that names where it
 * stands; one of the repository is content: a warning says the same, and what the other layers say holds.
 */
export function loadConfig(layers: ConfigLayers): LoadedConfig {
  const warnings: string[] = [];
  const user = layers.userFile ? readConfigFile(layers.userFile) : undefined;
  // The directory of the project file and the file itself belong to the repository: neither may be a link.
  const project = layers.projectFile
    ? readRepositoryFile(layers.projectFile, dirname(dirname(layers.projectFile)), warnings)
    : undefined;
  const extra = layers.projectExtra
    ? readRepositoryFile(layers.projectExtra.path, dirname(layers.projectExtra.path), warnings)
    : undefined;
  for (const file of [user, project]) if (file) warnings.push(...unknownKeys(file, layers.sections));
  const flags = parseFlags(layers.flags ?? [], layers.sections);
  const loaded: LoadedConfig = { sections: {}, origins: [], warnings, acting: [] };
  for (const section of layers.sections) {
    const values: Record<string, unknown> = {};
    for (const [key, declared] of Object.entries(section.keys)) {
      const name = `${section.name}.${key}`;
      const fromProject = [
        layers.projectExtra?.section === section.name ? fileValue(extra, [key]) : undefined,
        fileValue(project, [section.name, key]),
      ];
      const variable = `SYLK_${section.name}_${key}`.toUpperCase();
      const fromEnvironment = (layers.env ?? process.env)[variable];
      const candidates = [
        fileValue(user, [section.name, key]),
        ...fromProject
          .filter((given) => given !== undefined)
          .map((given) => repositoryValue(name, declared, given, layers, loaded)),
        fromEnvironment === undefined
          ? undefined
          : { value: plainValue(fromEnvironment), from: `environment ${variable}` },
        flags.get(name),
      ].filter((candidate) => candidate !== undefined);
      const { value, from } = inForce(name, declared, candidates);
      values[key] = value;
      loaded.origins.push({ key: name, value, from });
    }
    loaded.sections[section.name] = values;
  }
  const changed = loaded.acting.filter(({ state }) => state === 'changed');
  if (changed.length > 0) warnings.push(changedSince(changed));
  return loaded;
}

/** What holds of a value of the repository's own files. What does not is named in a warning. */
function repositoryValue(
  name: string,
  declared: ConfigKey,
  given: Candidate,
  layers: ConfigLayers,
  { acting, warnings }: LoadedConfig,
): Candidate | undefined {
  const { value, from } = given;
  if (declared.class === 'user') {
    warnings.push(`${from}: ${name} is never read from a repository. Set it in your own config file.`);
    return undefined;
  }
  const formed = wellFormed(name, declared, given, warnings);
  if (declared.class === 'data') return formed;
  const item = contentItem(`${basename(from).replace(/:\d+$/, '')} ${name}`, value);
  const state = layers.trustOf(item);
  acting.push({ ...item, from, state });
  if (state === 'new') warnings.push(`${from}: ${name} is inactive until you trust it: run \`sylk trust\`.`);
  return state === 'trusted' ? formed : undefined;
}

const changedSince = (changed: ActingSetting[]): string =>
  `${changed.length} ${changed.length === 1 ? 'setting' : 'settings'} of this repository changed since you trusted it and ${changed.length === 1 ? 'is' : 'are'} inactive (${changed.map(({ item }) => item).join(', ')}): run \`sylk trust\` to see the difference.`;

/** The last layer holds; of a list that every layer adds to, all of them do. */
function inForce(name: string, declared: ConfigKey, candidates: Candidate[]): Candidate {
  const parse = (candidate?: Candidate) => {
    const parsed = declared.schema.safeParse(candidate?.value);
    if (!parsed.success) throw badValue(name, candidate!, parsed.error);
    return parsed.data;
  };
  if (declared.adds && candidates.length > 1)
    return { value: candidates.flatMap(parse), from: candidates.map(({ from }) => from).join(', ') };
  const chosen = candidates.at(-1);
  return { value: parse(chosen), from: chosen?.from ?? 'default' };
}

/** A file of the repository that can't be read as settings is left out: nobody here wrote it. */
function readRepositoryFile(path: string, root: string, warnings: string[]): ConfigFile | undefined {
  try {
    return readConfigFile(path, root);
  } catch (error) {
    if (!(error instanceof SylkError)) throw error;
    warnings.push(`${error.message} The file is ignored until it is fixed or removed.`);
    return undefined;
  }
}

/** The repository's value without the items that break a rule of their own; nothing where the whole does. */
function wellFormed(
  name: string,
  { schema }: ConfigKey,
  given: Candidate,
  warnings: string[],
): Candidate | undefined {
  const { error } = schema.safeParse(given.value);
  if (!error) return given;
  warnings.push(`${badValue(name, given, error).message} It is ignored; fix it or remove it.`);
  const bad = new Set(error.issues.map(({ path }) => path[0]));
  if (!Array.isArray(given.value) || bad.has(undefined)) return undefined;
  return { value: given.value.filter((_item, at) => !bad.has(at)), from: given.from };
}

function fileValue(file: ConfigFile | undefined, keys: string[]): Candidate | undefined {
  let there: unknown = file?.value;
  for (const key of keys) there = objectOf(there)[key];
  return file && there !== undefined
    ? { value: there, from: `${file.path}:${file.lineOf(keys)}` }
    : undefined;
}

function unknownKeys(file: ConfigFile, sections: ConfigSection[]): string[] {
  const warnings: string[] = [];
  const suggest = (name: string, names: string[]) => {
    const near = closest(name, names);
    return near ? `; did you mean ${near}?` : '';
  };
  for (const [name, value] of Object.entries(file.value)) {
    const section = sections.find((candidate) => candidate.name === name);
    const where = `${file.path}:${file.lineOf([name])}`;
    if (!section) {
      warnings.push(
        `${where}: unknown section ${name}${suggest(
          name,
          sections.map((known) => known.name),
        )}`,
      );
    } else if (value && typeof value === 'object' && !Array.isArray(value)) {
      for (const key of Object.keys(value)) {
        if (key in section.keys) continue;
        warnings.push(
          `${file.path}:${file.lineOf([name, key])}: unknown key ${name}.${key}${suggest(key, Object.keys(section.keys))}`,
        );
      }
    }
  }
  return warnings;
}

function parseFlags(flags: string[], sections: ConfigSection[]): Map<string, Candidate> {
  const parsed = new Map<string, Candidate>();
  for (const flag of flags) {
    const at = flag.indexOf('=');
    const name = at < 0 ? flag : flag.slice(0, at);
    const known = sections.flatMap((section) =>
      Object.keys(section.keys).map((key) => `${section.name}.${key}`),
    );
    if (at < 0 || !known.includes(name)) {
      const near = closest(name, known);
      throw new SylkError('VALIDATION_ERROR', `--set ${flag}: unknown key.`, {
        hint: near ? `Did you mean ${near}=…?` : 'Use section.key=value.',
      });
    }
    parsed.set(name, { value: plainValue(flag.slice(at + 1)), from: 'flag --set' });
  }
  return parsed;
}

/** Text from the environment or a flag: JSON where it is JSON, a comma list where it has commas, else the text. */
function plainValue(text: string): unknown {
  if (text === 'null') return null;
  if (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) || /^[[{"]/.test(text)) return parseJson(text) ?? text;
  return text.includes(',') ? text.split(',').map((part) => part.trim()) : text;
}

function badValue(name: string, candidate: Candidate, error: z.ZodError): SylkError {
  const why = z.prettifyError(error).replace(/\s+/g, ' ').replace('✖ ', '');
  return new SylkError('VALIDATION_ERROR', `${candidate.from}: ${name}: ${why}.`, {
    hint: 'Fix the value; `sylk config show --origin` lists every key with its origin.',
  });
}
