import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { Library } from '../../base/library/index.ts';
import type { Log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { UserDirectories } from '../../base/user-directory.ts';
import { loadSkillsConfig, type SkillsConfig } from './config.ts';
import { createSkillEngine, type SkillEngine } from './engine.ts';
import type { SkillVectors } from './rank.ts';
import { resolveRepositories } from './resolve.ts';
import type { SkillSource } from './skill.ts';
import { type CompositeSource, compositeSource } from './sources/composite.ts';
import type { HttpGet } from './sources/guarded-get.ts';
import { openSkillTrust, type SkillTrust } from './trust.ts';

export interface OpenSkillsOptions {
  projectRoot: string;
  sharedDirectory: string;
  user: UserDirectories;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** Whether a person trusted this repository. */
  trusted: () => boolean;
  userLibrary: () => Promise<Library>;
  get?: HttpGet;
  allowHosts?: string[];
  capabilities?: string[];
  vectors?: SkillVectors;
  /** Only tests: git remotes that are directories on this machine. */
  allowFileRemotes?: boolean;
  /** A source that a program wires itself: configuration is not read, and `enabled = false` does not hold. */
  source?: SkillSource;
}

/** Skills of one repository as its configuration has it now: edits of skills.toml hold from the next question on. */
export interface Skills {
  /** Undefined while skills are turned off. */
  engine(): Promise<SkillEngine | undefined>;
  /** Throws what to do about it while skills are turned off. */
  requireEngine(): Promise<SkillEngine & { source: CompositeSource }>;
  config(): SkillsConfig;
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
      trustedSources: () => namesTrusted(readConfig()),
    }),
  );
  let built: { engine: SkillEngine & { source: CompositeSource }; key: string } | undefined;

  const engine: Skills['engine'] = async () => {
    if (options.source) return wired();
    const now = readConfig();
    if (!now.enabled) return undefined;
    return configured(now);
  };

  const wired = async () => {
    const source = compositeSource([{ name: 'code', source: options.source! }], options.log);
    built ??= { engine: engineOver(source, { gate: false }), key: 'wired' };
    return built.engine;
  };

  const configured = async (now: SkillsConfig) => {
    const reaching = now.repositories.some((repository) => repository.type !== 'filesystem');
    const decided = reaching ? await trust() : undefined;
    const outside = now.repositories.some((repository) => repository.level === 'project');
    const trusted = outside && options.trusted();
    const key = `${config!.stamp} ${trusted} ${decided?.variables() ?? 0}`;
    if (built?.key === key) return built.engine;
    const source = resolveRepositories(now, {
      projectRoot: options.projectRoot,
      projectDirectory: options.sharedDirectory,
      userDirectory: options.user.config,
      cacheDirectory: join(options.user.cache, 'skill-repos'),
      ...(options.env.HOME ? { home: options.env.HOME } : {}),
      env: options.env,
      log: options.log,
      trusted: () => trusted,
      variableAllowed: (url, name) => decided?.variableAllowed(url, name) ?? false,
      ...(options.get ? { get: options.get } : {}),
      ...(options.allowHosts ? { allowHosts: options.allowHosts } : {}),
      ...(options.allowFileRemotes ? { allowFileRemotes: true } : {}),
    });
    built = { engine: engineOver(source, { gate: true, settings: now }), key };
    return built.engine;
  };

  const engineOver = (
    source: CompositeSource,
    { gate, settings }: { gate: boolean; settings?: SkillsConfig },
  ) =>
    createSkillEngine({
      source,
      ...(settings ? { settings } : {}),
      ...(gate ? { gate: async (skill) => (await trust()).gate(skill) } : {}),
      ...(options.capabilities ? { capabilities: options.capabilities } : {}),
      ...(options.vectors ? { vectors: options.vectors } : {}),
      log: options.log,
    }) as SkillEngine & { source: CompositeSource };

  return {
    engine,
    requireEngine: async () => {
      const found = await engine();
      if (found) return found as SkillEngine & { source: CompositeSource };
      throw new SylkError('INVALID_OPERATION', 'Skills are turned off here.', {
        hint: 'Set `enabled = true` in .sylk/skills.toml or in your own skills.toml.',
      });
    },
    config: readConfig,
    trust,
    lockFile: join(options.sharedDirectory, 'skills.lock'),
    projectRoot: options.projectRoot,
  };
}

const stampOf = (files: string[]): string => files.map((file) => person.entry(file)?.mark ?? '-').join(' ');

/** Only a person's own file may take a source whole. */
const namesTrusted = (config: SkillsConfig): Set<string> =>
  new Set(
    config.repositories
      .filter((one) => one.level === 'user' && one.type !== 'filesystem' && one.trust === 'source')
      .map((one) => one.name),
  );
