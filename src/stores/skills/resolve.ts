import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type ContentItem, contentItem, type TrustState } from '../../base/content-item.ts';
import { SylkError } from '../../base/errors.ts';
import { isWithin, person, resolveInside } from '../../base/files/index.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import { visibleLine } from '../../base/terminal-text.ts';
import type { RepositoryConfig, SkillsConfig } from './config.ts';
import { expandVariables, variablesIn } from './environment.ts';
import type { SkillOrigin, SkillSource } from './skill.ts';
import {
  type CompositeSource,
  compositeSource,
  type MayDescribe,
  type NamedSource,
} from './sources/composite.ts';
import { delegating } from './sources/delegating.ts';
import { embeddedSource } from './sources/embedded.ts';
import { filesystemSource } from './sources/filesystem.ts';
import type { HttpGet } from './sources/guarded-get.ts';

/** What sources need from the outside, each an argument. */
export interface ResolveWorld {
  projectRoot?: string;
  /** Directory of our project files: `.sylk`. */
  projectDirectory?: string;
  /** Directory of a person's own files: `~/.config/sylk`. */
  userDirectory?: string;
  cacheDirectory?: string;
  home?: string;
  env?: NodeJS.ProcessEnv;
  log?: Log;
  /** Whether a person trusted this URL of the repository's own skills.toml; when omitted: none is. */
  trustOf?: (item: ContentItem) => TrustState;
  /** Whether the description that a source gives a collection may be shown; when omitted: all may. */
  mayDescribe?: MayDescribe;
  /** How http is fetched; when omitted: the guarded network of the product. */
  get?: HttpGet;
  /** Schemes and hosts beyond https and ssh that a person's own settings allow. */
  allowHosts?: string[];
  /** Tests only: remotes that are local directories. */
  allowFileRemotes?: boolean;
  embedded?: SkillSource;
}

/**
 * The only way from configuration to a source. Sources that need a network are created here and connect on first use.
 * The person's and the product's sources come before everything of the repository.
 */
export function resolveRepositories(config: SkillsConfig, world: ResolveWorld = {}): CompositeSource {
  const listed = (level: RepositoryConfig['level']): NamedSource[] =>
    config.repositories
      .filter((repository) => repository.level === level)
      .map((repository) => ({
        name: repository.name,
        source: guarded(repository, world),
        repository: level === 'project',
      }));
  const [own, project] = [listed('user'), listed('project')];
  return compositeSource(
    [
      ...(own.length > 0 ? own : ownFolders(world)),
      { name: 'embedded', source: world.embedded ?? embeddedSource() },
      ...(own.length + project.length > 0 ? project : projectFolders(world)),
    ],
    world.log ?? silentLog,
    world.mayDescribe,
  );
}

/** Ours first, then the folders that other clients share. */
const clientFolders = ['.agents', '.claude'];

/** Existing skill folders of people. */
function ownFolders(world: ResolveWorld): NamedSource[] {
  const home = world.home ?? homedir();
  const ours = join(world.userDirectory ?? join(home, '.sylk'), 'skills');
  return [
    { name: 'user', source: ownFolder(ours, home) },
    ...clientFolders.map((name) => ({
      name: `user-${name.slice(1)}`,
      source: ownFolder(join(home, name, 'skills'), home),
    })),
  ];
}

const ownFolder = (root: string, home: string): SkillSource =>
  filesystemSource({ root, scope: 'user', boundary: isWithin(home, root) ? home : root });

function projectFolders({ projectRoot, projectDirectory }: ResolveWorld): NamedSource[] {
  if (!projectRoot) return [];
  const ours = join(projectDirectory ?? join(projectRoot, '.sylk'), 'skills');
  const folder = (name: string, root: string): NamedSource => ({
    name,
    source: repositoryFolder(root, projectRoot),
    repository: true,
  });
  return [
    folder('project', ours),
    ...clientFolders.map((name) => folder(`project-${name.slice(1)}`, join(projectRoot, name, 'skills'))),
  ];
}

const repositoryFolder = (root: string, projectRoot: string): SkillSource =>
  filesystemSource({
    root,
    scope: 'project',
    boundary: isWithin(projectRoot, root) ? projectRoot : root,
    repository: relative(projectRoot, root).split(sep).join('/') || '.',
  });

type AddressedRepository = Extract<RepositoryConfig, { url: string }>;

/** An active source, or one that reports on every call why it is not active. */
function guarded(repository: RepositoryConfig, world: ResolveWorld): SkillSource {
  try {
    return build(repository, world);
  } catch (error) {
    return refusing(repository, error);
  }
}

function build(repository: RepositoryConfig, world: ResolveWorld): SkillSource {
  if (repository.type === 'filesystem') {
    if (repository.level === 'project') return insideRepository(repository, world);
    return ownFolder(localPath(repository.path, repository.base, world), world.home ?? homedir());
  }
  if (repository.level === 'project') requireTrusted(repository, world);
  // No variable is sent to a URL that a repository names: the person must add such a source to their own file.
  const { auth_token: secret } = repository;
  const token = secret === undefined ? undefined : expandVariables(secret, world.env ?? process.env);
  return repository.type === 'http'
    ? lazySource(repository, async () => {
        const { httpSource } = await import('./sources/http.ts');
        const { auth_header: header } = repository;
        const named = header ? { header, value: token ?? '' } : { bearer: token ?? '' };
        return httpSource({
          url: repository.url,
          auth: token === undefined ? undefined : named,
          refreshSeconds: repository.refresh_seconds,
          get: world.get,
          allowHosts: world.allowHosts,
          log: world.log,
        });
      })
    : lazySource(repository, async () => {
        const { gitSource } = await import('./sources/git.ts');
        return gitSource({
          url: repository.url,
          ref: repository.git_ref,
          refType: repository.ref_type,
          scope: repository.level,
          skillsRoot: repository.skills_root,
          token,
          sshKey: repository.ssh_key
            ? { path: localPath(repository.ssh_key, repository.base, world) }
            : undefined,
          cacheRoot: world.cacheDirectory,
          allowHosts: world.allowHosts,
          allowFileRemotes: world.allowFileRemotes,
          log: world.log,
          pinAddress: repository.level === 'project',
          refreshSeconds: repository.refresh_seconds,
          depth: repository.depth === 0 ? undefined : repository.depth,
        });
      });
}

/** Loaded on first use: without such a source in the configuration its code never loads. */
function lazySource(repository: AddressedRepository, make: () => Promise<SkillSource>): SkillSource {
  let ready: SkillSource | undefined;
  const made = once(async () => {
    ready = await make();
    return ready;
  });
  const location = `${repository.url}${repository.type === 'git' ? `#${repository.git_ref}` : ''}`;
  const origin: SkillOrigin = { kind: repository.type, location, remote: true };
  return {
    ...delegating(made),
    refresh: async (options) => (await made()).refresh?.(options),
    origin: () => ready?.origin?.() ?? origin,
  };
}

function insideRepository(
  { name, path }: Extract<RepositoryConfig, { path: string }>,
  { projectRoot }: ResolveWorld,
): SkillSource {
  if (projectRoot === undefined || path.startsWith('~')) throw onlyInOwnFile(name, `reads ${path}`);
  return repositoryFolder(resolveInside(projectRoot, path), person.realPath(projectRoot));
}

/** The URL of a repository's own skills.toml as a person trusts it: every field is part of it. */
export function sourceItem({ level: _level, base: _base, ...entry }: RepositoryConfig): ContentItem {
  return contentItem(`skills.toml source ${entry.name}`, entry);
}

function requireTrusted(repository: AddressedRepository, { trustOf }: ResolveWorld): void {
  const { name, url, auth_token: token = '' } = repository;
  const [variable] = variablesIn(token);
  if (variable) throw onlyInOwnFile(name, `would send your variable ${variable} to ${url}`);
  if (repository.type === 'git' && repository.ssh_key)
    throw onlyInOwnFile(name, `would use your key ${repository.ssh_key}`);
  const state = trustOf?.(sourceItem(repository)) ?? 'new';
  if (state === 'trusted') return;
  const why = state === 'changed' ? 'it changed since you trusted it' : 'you have not trusted it';
  throw new SylkError(
    'APPROVAL_REQUIRED',
    `Source ${name} is not active: it connects to ${url}, and ${why}.`,
    {
      hint: 'Run `sylk trust` to review and decide.',
    },
  );
}

const onlyInOwnFile = (name: string, why: string): SylkError =>
  new SylkError('DENIED', `Source ${name} of this repository is not active: it ${visibleLine(why)}.`, {
    hint: `To use it, add the source ${name} to your own skills.toml.`,
  });

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
