import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { isWithin } from '../../base/files/index.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { RepositoryConfig, SkillsConfig } from './config.ts';
import { expandVariables, variablesIn } from './environment.ts';
import type { SkillOrigin, SkillSource } from './skill.ts';
import { type CompositeSource, compositeSource, type NamedSource } from './sources/composite.ts';
import { embeddedSource } from './sources/embedded.ts';
import { filesystemSource } from './sources/filesystem.ts';
import type { HttpGet } from './sources/guarded-get.ts';

/** What sources need of the world, each an argument. */
export interface ResolveWorld {
  projectRoot?: string;
  /** Directory of our own project files: `.sylk`. */
  projectDirectory?: string;
  /** Directory of a person's own files: `~/.sylk`. */
  userDirectory?: string;
  cacheDirectory?: string;
  home?: string;
  env?: NodeJS.ProcessEnv;
  log?: Log;
  /** Whether a person trusted this repository; its addresses and outside paths wait for that. */
  trusted?: () => boolean;
  /** Whether a person allowed this variable to be sent to this address. */
  variableAllowed?: (url: string, variable: string) => boolean;
  /** How http is fetched; left out: the guarded network of the product. */
  get?: HttpGet;
  /** Schemes and hosts beyond https and ssh that a person's own settings permit. */
  allowHosts?: string[];
  /** Only tests: remotes that are directories on this machine. */
  allowFileRemotes?: boolean;
  embedded?: SkillSource;
}

/** The one way from configuration to a source. Sources that need a network are built here and reach out when asked. */
export function resolveRepositories(config: SkillsConfig, world: ResolveWorld = {}): CompositeSource {
  const log = world.log ?? silentLog;
  const named: NamedSource[] =
    config.repositories.length > 0
      ? config.repositories.map((repository) => ({
          name: repository.name,
          source: guarded(repository, world),
        }))
      : defaultChain(world);
  return compositeSource([...named, { name: 'embedded', source: world.embedded ?? embeddedSource() }], log);
}

/** Where people already have skills: ours first, then the directories other clients share; the project before the person. */
function defaultChain(world: ResolveWorld): NamedSource[] {
  const home = world.home ?? homedir();
  const chain: NamedSource[] = [];
  const add = (name: string, root: string, scope: 'project' | 'user', boundary: string) =>
    chain.push({
      name,
      source: filesystemSource({ root, scope, boundary: isWithin(boundary, root) ? boundary : root }),
    });
  const { projectRoot, projectDirectory, userDirectory } = world;
  if (projectRoot) {
    add('project', join(projectDirectory ?? join(projectRoot, '.sylk'), 'skills'), 'project', projectRoot);
    add('project-agents', join(projectRoot, '.agents', 'skills'), 'project', projectRoot);
    add('project-claude', join(projectRoot, '.claude', 'skills'), 'project', projectRoot);
  }
  add('user', join(userDirectory ?? join(home, '.sylk'), 'skills'), 'user', home);
  add('user-agents', join(home, '.agents', 'skills'), 'user', home);
  add('user-claude', join(home, '.claude', 'skills'), 'user', home);
  return chain;
}

/** A source that is in force, or one that says at every question why it is not. */
function guarded(repository: RepositoryConfig, world: ResolveWorld): SkillSource {
  try {
    return build(repository, world);
  } catch (error) {
    return refusing(repository, error);
  }
}

function build(repository: RepositoryConfig, world: ResolveWorld): SkillSource {
  const trusted = repository.level === 'user' || (world.trusted?.() ?? false);
  if (repository.type === 'filesystem') {
    const root = localPath(repository.path, repository.base, world);
    const inside = world.projectRoot !== undefined && isWithin(world.projectRoot, root);
    if (!inside && !trusted)
      throw waitsForTrust(repository.name, `its path ${root} is outside of the repository`);
    const boundary =
      repository.level === 'project' && inside ? world.projectRoot! : (world.home ?? homedir());
    return filesystemSource({
      root,
      scope: repository.level,
      boundary: isWithin(boundary, root) ? boundary : root,
    });
  }
  if (!trusted) throw waitsForTrust(repository.name, `it reaches ${repository.url}`);
  const token = credential(repository, world);
  return repository.type === 'http'
    ? lazySource(repository, async () => {
        const { httpSource } = await import('./sources/http.ts');
        const auth =
          token === undefined
            ? undefined
            : repository.auth_header
              ? { header: repository.auth_header, value: token }
              : { bearer: token };
        return httpSource({
          url: repository.url,
          auth,
          refreshSeconds: repository.refresh_seconds,
          get: world.get,
          allowHosts: world.allowHosts,
          log: world.log,
        });
      })
    : lazySource(repository, async () => {
        const { gitSource } = await import('./sources/git.ts');
        return gitSource({
          ...{
            url: repository.url,
            ref: repository.git_ref,
            refType: repository.ref_type,
            scope: repository.level,
          },
          ...(repository.skills_root ? { skillsRoot: repository.skills_root } : {}),
          ...(token === undefined ? {} : { token }),
          ...(repository.ssh_key
            ? { sshKey: { path: localPath(repository.ssh_key, repository.base, world) } }
            : {}),
          ...(world.cacheDirectory ? { cacheRoot: world.cacheDirectory } : {}),
          ...(world.allowHosts ? { allowHosts: world.allowHosts } : {}),
          ...(world.allowFileRemotes ? { allowFileRemotes: true } : {}),
          ...(world.log ? { log: world.log } : {}),
          refreshSeconds: repository.refresh_seconds,
          depth: repository.depth === 0 ? undefined : repository.depth,
        });
      });
}

/** Loaded when first asked: without such a source in the configuration its code never starts. */
function lazySource(
  repository: Extract<RepositoryConfig, { url: string }>,
  make: () => Promise<SkillSource>,
): SkillSource {
  let ready: SkillSource | undefined;
  const made = once(async () => {
    ready = await make();
    return ready;
  });
  const location = `${repository.url}${repository.type === 'git' ? `#${repository.git_ref}` : ''}`;
  const origin: SkillOrigin = { kind: repository.type, location, remote: true };
  return {
    list: async (filter) => (await made()).list(filter),
    load: async (id) => (await made()).load(id),
    collections: async () => (await made()).collections!(),
    problems: async () => (await (await made()).problems?.()) ?? [],
    resources: async (id) => (await (await made()).resources?.(id)) ?? [],
    readResource: async (id, path) => {
      const source = await made();
      if (source.readResource) return source.readResource(id, path);
      throw new SylkError('NOT_FOUND', `Skill '${id}' has no files beside its text.`, {
        hint: 'Skills of http sources are text only.',
      });
    },
    digest: async (id) => (await made()).digest!(id),
    refresh: async (options) => (await made()).refresh?.(options),
    origin: () => ready?.origin?.() ?? origin,
  };
}

function credential(
  repository: Extract<RepositoryConfig, { url: string }>,
  world: ResolveWorld,
): string | undefined {
  if (repository.auth_token === undefined) return undefined;
  if (repository.level === 'project') {
    const waiting = variablesIn(repository.auth_token).find(
      (name) => !world.variableAllowed?.(repository.url, name),
    );
    if (waiting)
      throw new SylkError(
        'APPROVAL_REQUIRED',
        `Source ${repository.name} would send the variable ${waiting} to ${repository.url}.`,
        {
          hint: `If that is meant: sylk skills trust --source ${repository.name} --variable ${waiting}`,
        },
      );
  }
  return expandVariables(repository.auth_token, world.env ?? process.env);
}

const waitsForTrust = (name: string, why: string): SylkError =>
  new SylkError(
    'APPROVAL_REQUIRED',
    `Source ${name} is not in force: ${why}, and this repository is not trusted.`,
    {
      hint: 'Read .sylk/skills.toml, then run `sylk trust`.',
    },
  );

function localPath(path: string, base: string, world: ResolveWorld): string {
  const home = world.home ?? homedir();
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(base, path);
}

function refusing(repository: RepositoryConfig, error: unknown): SkillSource {
  const refuse = async (): Promise<never> => {
    throw error;
  };
  const location = repository.type === 'filesystem' ? repository.path : repository.url;
  return {
    list: refuse,
    load: refuse,
    collections: refuse,
    origin: () => ({ kind: repository.type, location, remote: repository.type !== 'filesystem' }),
  };
}
