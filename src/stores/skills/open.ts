import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type ContentItem, stateOf } from '../../base/content-item.ts';
import { SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { Library } from '../../base/library/index.ts';
import type { Log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { TextVectors } from '../../base/search/index.ts';
import { homeDirectory, type UserDirectories } from '../../base/user-directory.ts';
import { loadSkillsConfig, type SkillsConfig } from './config.ts';
import { createSkillEngine, type SkillEngine, type SkillGate } from './engine.ts';
import { resolveRepositories, sourceItem } from './resolve.ts';
import type { SkillSource } from './skill.ts';
import { type CompositeSource, compositeSource, originOf } from './sources/composite.ts';
import type { HttpGet } from './sources/guarded-get.ts';
import {
  descriptionQuestion,
  mayEnter,
  openSkillTrust,
  type RepositoryTrust,
  type SkillTrust,
} from './trust.ts';

export interface OpenSkillsOptions {
  projectRoot: string;
  sharedDirectory: string;
  user: UserDirectories;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** What a person trusted of this repository. */
  repositoryTrust: RepositoryTrust;
  userLibrary: () => Promise<Library>;
  get?: HttpGet;
  allowHosts?: string[];
  capabilities?: string[];
  vectors?: TextVectors;
  /** Tests only: git remotes that are local directories. */
  allowFileRemotes?: boolean;
  /** A source wired by a program: configuration is not read, and `enabled = false` does not apply. */
  source?: SkillSource;
}

/** Skills of one repository with its current configuration: edits of skills.toml apply from the next call on. */
export interface Skills {
  /** Undefined while skills are turned off. */
  engine(): Promise<SkillEngine<CompositeSource> | undefined>;
  /** Throws with the next step while skills are turned off. */
  requireEngine(): Promise<SkillEngine<CompositeSource>>;
  /** What other installations may read: not the built-in skills, which they have, nor those of other servers. */
  servedEngine(): Promise<SkillEngine<CompositeSource>>;
  config(): SkillsConfig;
  /** URLs in the repository's own skills.toml. */
  sourceItems(): ContentItem[];
  trust(): Promise<SkillTrust>;
  lockFile: string;
  projectRoot: string;
}

export function openSkills(options: OpenSkillsOptions): Skills {
  const paths = {
    projectFile: join(options.sharedDirectory, 'skills.toml'),
    userFile: join(options.user.config, 'skills.toml'),
    projectRoot: options.projectRoot,
  };
  let config: { value: SkillsConfig; stamp: string } | undefined;
  const readConfig = (): SkillsConfig => {
    const stamp = stampOf([paths.projectFile, paths.userFile]);
    if (config?.stamp !== stamp) config = { value: loadSkillsConfig(paths), stamp };
    return config.value;
  };
  const trust = once(async () =>
    openSkillTrust(await options.userLibrary(), {
      clock: options.clock,
      repository: options.repositoryTrust,
      trustedSources: () => namesTrusted(readConfig()),
    }),
  );
  let built: { engine: SkillEngine<CompositeSource>; key: string } | undefined;
  const { capabilities, vectors } = options;

  const engine: Skills['engine'] = async () => {
    if (options.source) return wired(options.source);
    const now = readConfig();
    return now.enabled ? configured(now) : undefined;
  };

  const wired = (given: SkillSource) => {
    const source = compositeSource([{ name: 'code', source: given }], options.log);
    built ??= { engine: createSkillEngine({ source, capabilities, vectors }), key: 'wired' };
    return built.engine;
  };

  const configured = async (now: SkillsConfig) => {
    const named = sourceItems(now);
    const trusted = named.length > 0 ? options.repositoryTrust.trusted() : new Map<string, string>();
    const key = `${config?.stamp} ${named.map((item) => stateOf(trusted, item))}`;
    if (built?.key === key) return built.engine;
    const source = resolveRepositories(now, {
      projectRoot: options.projectRoot,
      projectDirectory: options.sharedDirectory,
      userDirectory: options.user.config,
      cacheDirectory: join(options.user.cache, 'skill-repos'),
      home: homeDirectory(options.env),
      env: options.env,
      log: options.log,
      trustOf: (item) => stateOf(trusted, item),
      mayDescribe: async (named, path, description) =>
        mayEnter(await (await trust()).state(descriptionQuestion(named, path, description))),
      get: options.get,
      allowHosts: options.allowHosts,
      allowFileRemotes: options.allowFileRemotes,
    });
    built = { engine: engineOver(source, now), key };
    return built.engine;
  };

  const engineOver = (source: CompositeSource, settings: SkillsConfig) => {
    const gate: SkillGate = async (question) => (await trust()).state(question);
    return createSkillEngine({ source, settings, gate, capabilities, vectors });
  };

  const requireEngine: Skills['requireEngine'] = async () => {
    const found = await engine();
    if (found) return found;
    throw new SylkError('INVALID_OPERATION', 'Skills are turned off here.', {
      hint: 'Set `enabled = true` in .sylk/skills.toml or in your own skills.toml.',
    });
  };

  return {
    engine,
    requireEngine,
    servedEngine: async () => {
      const { source } = await requireEngine();
      const own = source.sources.filter((each) => !notServed.has(originOf(each.source).kind));
      return engineOver(compositeSource([...own], options.log), readConfig());
    },
    config: readConfig,
    sourceItems: () => sourceItems(readConfig()),
    trust,
    lockFile: join(options.sharedDirectory, 'skills.lock'),
    projectRoot: options.projectRoot,
  };
}

/** Two servers that name each other would ask each other without end. */
const notServed = new Set<string>(['embedded', 'http']);

const sourceItems = (config: SkillsConfig): ContentItem[] =>
  config.repositories
    .filter(({ level, type }) => level === 'project' && type !== 'filesystem')
    .map(sourceItem);

const stampOf = (files: string[]): string => files.map((file) => person.entry(file)?.mark ?? '-').join(' ');

/** Only a person's own file may trust a source as a whole. */
const namesTrusted = (config: SkillsConfig): Set<string> =>
  new Set(
    config.repositories
      .filter((one) => one.level === 'user' && one.type !== 'filesystem' && one.trust === 'source')
      .map((one) => one.name),
  );
