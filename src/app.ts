import { join } from 'node:path';
import { type Clock, systemClock } from './base/clock.ts';
import type { LoadedConfig } from './base/config/index.ts';
import { createEventLog, type EventLog } from './base/events.ts';
import { createGit, findRepository, type Git, type Repository } from './base/git/index.ts';
import type { Library } from './base/library/index.ts';
import { createLog, type Log } from './base/log.ts';
import { once } from './base/once.ts';
import { openOrQuarantine, quarantine, type Sqlite } from './base/sqlite/index.ts';
import { type UserDirectories, userDirectories } from './base/user-directory.ts';
import { type Config, fromUserFile, readConfig } from './config.ts';
import type { Clients } from './engines/clients/index.ts';
import { type Approvals, isTrusted, openApprovals } from './stores/approvals/index.ts';
import type { Conventions } from './stores/conventions/index.ts';
import { prepareSylkDirectory } from './sylk-directory.ts';

/**
 * Opens what is asked for, once, and introduces stores and engines to each other. Everything is lazy: a command
 * pays only for what it uses.
 */
export interface App {
  readonly repository: Repository;
  readonly git: Git;
  readonly user: UserDirectories;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Config;
  readonly loadedConfig: LoadedConfig;
  /** Things that happened and that a person should read once, such as a database that was set aside. */
  readonly notices: string[];
  /** What happens while a server runs: progress, changes, approvals. */
  readonly events: EventLog;
  /** Derived from git and files; may be deleted at any time. */
  index(): Sqlite;
  /** What people and agents wrote about this repository. */
  library(): Promise<Library>;
  /** What belongs to the person rather than to a repository. */
  userLibrary(): Promise<Library>;
  /** What a person was asked and answered, and which repositories are trusted. */
  approvals(): Promise<Approvals>;
  /** Makes `.sylk` with its .gitignore, once, and answers where it is. */
  prepareDirectory(): string;
  /** Coding clients of this machine and what they know of Sylk. */
  clients(): Promise<Clients>;
  /** How the project is written and run: style, components, dependencies, design tokens, tools, files read. */
  conventions(): Promise<Conventions>;
  /** Sets a damaged index aside so that the next use starts with an empty one. */
  healIndex(): Promise<void>;
  /** Keeps the index fresh for as long as the app is open; one process does it for all, by a lease. */
  startBackground(): Promise<void>;
  /** Runs when the app closes, last registered first. */
  onClose(work: () => void | Promise<void>): void;
  close(): Promise<void>;
}

export interface AppOptions {
  directory: string;
  env?: NodeJS.ProcessEnv;
  clock?: Clock;
  flags?: string[];
  /** Where warnings are told, besides the log file. */
  tell?: (line: string) => void;
}

export function openApp(options: AppOptions): App {
  const env = options.env ?? process.env;
  const clock = options.clock ?? systemClock;
  const repository = findRepository(options.directory, env);
  const user = userDirectories(env);
  const userLibraryPath = join(user.data, 'sylk.db');
  const git = createGit(repository.root, repository.bare ? { gitDirectory: repository.gitDirectory } : {});
  const { config, loaded } = readConfig({
    repository,
    user,
    trusted: () => isTrusted(userLibraryPath, repository.mainRoot),
    env,
    flags: options.flags ?? [],
  });
  const log = createLog({
    level: config.log.level,
    file: join(repository.sylkDirectory, 'run', 'sylk.log'),
    maxBytes: config.log.max_bytes,
    clock,
    ...(options.tell ? { tell: options.tell } : {}),
  });
  const notices: string[] = [];
  const notice = (line: string) => {
    notices.push(line);
    log.warn(line);
  };
  const closers: Array<() => void | Promise<void>> = [];
  const directory = once(() => prepareSylkDirectory(repository.sylkDirectory));
  const indexPath = () => join(directory(), 'index.db');

  let openIndex: Sqlite | undefined;
  const index = () => {
    if (!openIndex) {
      const opened = openOrQuarantine(indexPath(), { durability: 'normal', cacheMegabytes: 32 });
      if (opened.quarantined)
        notice(`The index was damaged: set aside as ${opened.quarantined}, rebuilt from git and files.`);
      openIndex = opened.sqlite;
    }
    return openIndex;
  };

  const openLibraryAt = async (path: string) => {
    const { openLibrary } = await import('./base/library/index.ts');
    const library = openLibrary(path);
    if (library.notice) notice(library.notice);
    closers.push(() => library.close());
    return library;
  };

  const userLibrary = once(() => openLibraryAt(userLibraryPath));
  const library = once(() => openLibraryAt(join(directory(), 'sylk.db')));

  const conventions = once(async () => {
    const { openConventions, treeFiles, worktreeFiles } = await import('./stores/conventions/index.ts');
    const files = repository.bare ? treeFiles(git) : worktreeFiles(git, repository.root);
    return openConventions({
      index,
      library,
      files,
      root: repository.root,
      clock,
      searchPath: env.PATH ?? '',
    });
  });

  return {
    repository,
    git,
    user,
    env,
    clock,
    log,
    config,
    loadedConfig: loaded,
    notices,
    events: createEventLog(clock.now),
    index,
    library,
    conventions,
    userLibrary,
    approvals: once(async () => {
      const { rules, restrict, expire_hours } = config.approvals;
      // A flag or a variable is within reach of every program; a rule that answers for a person is not taken from there.
      const policy = { rules: fromUserFile(loaded, user, 'approvals.rules') ? rules : [], restrict };
      return openApprovals({ library: await userLibrary(), clock, policy, expireHours: expire_hours });
    }),
    prepareDirectory: directory,
    clients: once(async () => {
      const { createClients } = await import('./engines/clients/index.ts');
      return createClients({ env, repository: repository.mainRoot, directory: join(user.data, 'clients') });
    }),
    healIndex: async () => {
      openIndex?.close();
      openIndex = undefined;
      notice(`The index was damaged: set aside as ${quarantine(indexPath())}, rebuilt from git and files.`);
    },
    startBackground: async () => {},
    onClose: (work) => closers.push(work),
    close: async () => {
      for (const work of closers.splice(0).reverse()) await work();
      openIndex?.close();
      openIndex = undefined;
    },
  };
}
