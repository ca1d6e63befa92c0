import { basename, resolve } from 'node:path';
import { type App, openApp } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { type Access, isTeam } from '../../operations/members.ts';
import { notServed, repositoryName } from '../../operations/rights.ts';

/** The repositories of one server. The first is used when a call names none. */
export interface Workspace {
  /** Short names to choose by; more than one only when several repositories were given. */
  names(): string[];
  app(name?: string): App;
  /** Adds a directory that a client named later, if no repository is served yet. */
  adopt(directory: string): boolean;
  /** The repository that a directory belongs to, opened where it is not yet. */
  appAt(directory: string): App;
  opened(): App[];
  /** What was wrong when a repository was opened, such as state that a clone brought: a server says it first, and ends with 1. */
  problems(): string[];
  close(): Promise<void>;
}

/** What a caller with rights sees of a workspace: a repository that is closed to it is not there. */
export function visibleTo(workspace: Workspace, access: Access | undefined): Workspace {
  if (!access) return workspace;
  const names = () =>
    workspace.names().filter((name) => access.rightIn(repositoryName(workspace.app(name))) !== undefined);
  return {
    ...workspace,
    names,
    app: (name) => {
      const open = names();
      const wanted = name ?? open[0];
      if (wanted === undefined || !open.includes(wanted)) throw notServed(name ?? '', open);
      return workspace.app(wanted);
    },
  };
}

export interface WorkspaceOptions {
  directories: string[];
  env: NodeJS.ProcessEnv;
  flags: string[];
  /** How long the apps live; see `openApp`. */
  mode?: 'command' | 'server';
  tell?: (line: string) => void;
  onOpen?: (app: App) => void;
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const apps = new Map<string, App>();
  const problems: string[] = [];
  // Each of several repositories of a team has a schema of its own.
  const isSeveral = options.directories.length > 1;
  const add = (directory: string) => {
    const app = openApp({
      directory,
      env: options.env,
      flags: isSeveral
        ? [...options.flags, `team.repository=${basename(resolve(directory))}`]
        : options.flags,
      mode: options.mode,
      tell: options.tell,
    });
    const known = [...apps.values()].find((other) => other.repository.root === app.repository.root);
    if (known) return known;
    const isTaken = [...apps.values()].some((other) => repositoryName(other) === repositoryName(app));
    if (isTeam(app) && isTaken)
      throw new SylkError('CONFLICT', `Two repositories of the team are called ${repositoryName(app)}.`, {
        hint: 'Rename the folder of one of them.',
      });
    let name = basename(app.repository.root) || 'repository';
    for (let n = 2; apps.has(name); n++) name = `${basename(app.repository.root)}-${n}`;
    apps.set(name, app);
    problems.push(...app.failures);
    options.onOpen?.(app);
    return app;
  };
  let missing: unknown;
  for (const directory of options.directories) {
    try {
      add(directory);
    } catch (error) {
      if (error instanceof SylkError && error.code === 'CONFLICT') throw error;
      missing = error;
    }
  }
  return {
    names: () => [...apps.keys()],
    app: (name) => {
      const app = name === undefined ? apps.values().next().value : apps.get(name);
      if (app) return app;
      if (name !== undefined)
        throw new SylkError('NOT_FOUND', `Repository ${JSON.stringify(name)} is not served here.`, {
          hint: `Served: ${[...apps.keys()].join(', ')}`,
        });
      if (missing && !(missing instanceof SylkError && missing.code === 'NOT_FOUND')) throw missing;
      throw new SylkError('NOT_FOUND', 'No repository: this server was not started in a git repository.', {
        hint: 'Start it as `sylk mcp --repo /path/to/repository`, or open the client inside the repository.',
      });
    },
    adopt: (directory) => {
      if (apps.size > 0) return false;
      try {
        add(directory);
        return true;
      } catch {
        return false;
      }
    },
    appAt: add,
    opened: () => [...apps.values()],
    problems: () => problems,
    close: async () => {
      for (const app of apps.values()) await app.close();
      apps.clear();
    },
  };
}
