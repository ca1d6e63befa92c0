// Owns: the entries about Sylk in coding clients, the block in a repository's agent notes, and their records.
// Knows: where clients keep their settings, how to edit them without changing other bytes, how to test an MCP server.
// Must not know: what the server offers, or any store.

import { delimiter, join } from 'node:path';
import { messageOf, SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import { objectOf } from '../../base/json.ts';
import { findLauncher } from '../../base/launcher.ts';
import { type Handshake, probeServer, type StdioServer } from '../../base/mcp-handshake.ts';
import { type Client, clients, findClient, type Scope, type Target } from './catalogue.ts';
import { readEntryFile } from './entry-file.ts';
import { createHooks, hooksName } from './hooks.ts';
import { type Changed, installEntry, uninstallEntry } from './install.ts';
import { launcherWords, type Places, placesOf } from './places.ts';
import { openRecords } from './record.ts';

export { findLauncher } from '../../base/launcher.ts';
export { writeAgentsBlock } from './agents-block.ts';
export { hookClients, type Scope } from './catalogue.ts';
export { hookReply } from './hooks.ts';
export { packagingFiles } from './packaging.ts';
export { initialiseDirectory } from './repository-setup.ts';
export { uninstallRepository } from './repository-uninstall.ts';

export interface ClientState {
  id: string;
  title: string;
  detected: boolean;
  installed: Array<{ scope: Scope; path: string; command?: string }>;
  /** An unreadable file of the client. */
  problem?: string;
}

export interface ClientRequest {
  client: string;
  scope: Scope;
  name: string;
}

export interface Installed {
  client: string;
  scope: Scope;
  path: string;
  changed: Changed;
  backup?: string;
  handshake?: Handshake;
  notes: string[];
}

export interface ClientsOptions {
  env: NodeJS.ProcessEnv;
  /** The working tree of the entries. */
  repository: string;
  /** Directory of records and backups. */
  directory: string;
  platform?: NodeJS.Platform;
  launcher?: string;
  probe?: (server: StdioServer, options: { cwd: string }) => Promise<Handshake>;
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(options: ClientsOptions) {
  const places = placesOf(options.env, options.platform);
  const records = openRecords(options.directory);
  const launcher = options.launcher ?? findLauncher();
  const probe = options.probe ?? probeServer;

  const hooks = createHooks({
    records: openRecords(join(options.directory, 'hooks')),
    places,
    repository: options.repository,
    launcher,
  });

  const serverOf = (client: Client, scope: Scope) => serverFor(client, scope, options.repository, launcher);

  /** What would be written where, without writing it. */
  const preview = (request: ClientRequest) => {
    const client = findClient(request.client);
    const target = targetOf(client, request.scope, places, options.repository);
    const value = client.entry(serverOf(client, request.scope));
    const file = readEntryFile(
      { format: target.format, table: target.table, path: join(options.directory, 'no such file') },
      request.name,
    );
    return { client, target, value, snippet: file.withEntry(value).trimEnd() };
  };

  /** The server is tested before anything is written: a client never gets an entry that cannot start. */
  const install = async (request: ClientRequest, verify = true): Promise<Installed> => {
    const { client, target, value } = preview(request);
    const notes: string[] = [];
    let handshake: Handshake | undefined;
    if (verify) {
      const { args } = serverOf(client, request.scope);
      const mcpAt = args.indexOf('mcp');
      const own = args
        .slice(mcpAt)
        .map((word) => (word === client.folderVariable ? options.repository : word));
      handshake = await probe({ command: launcher, args: own }, { cwd: options.repository });
      if (!handshake.ok) throw failedHandshake(client, handshake.problem);
    }
    if (!isDetected(client, places))
      notes.push(`${client.title} was not detected on this machine; the entry is ready for it.`);
    if (request.scope === 'project' && !onPath('sylk', places))
      notes.push('The shared entry runs `sylk`, which is not on your PATH: npm install --global sylk.');
    const written = installEntry(records, { ...request, repository: options.repository, target }, value);
    if (written.changed !== 'unchanged') notes.push(client.afterwards);
    return {
      client: client.id,
      scope: request.scope,
      path: target.path,
      ...written,
      handshake,
      notes,
    };
  };

  const uninstall = (request: ClientRequest) => {
    if (request.name === hooksName) return hooks.uninstall(request.client, request.scope);
    const client = findClient(request.client);
    const target = targetOf(client, request.scope, places, options.repository);
    return { path: target.path, result: uninstallEntry(records, { target, name: request.name }) };
  };

  const stateOf = (client: Client, name: string): ClientState => {
    const state: ClientState = {
      id: client.id,
      title: client.title,
      detected: isDetected(client, places),
      installed: [],
    };
    for (const scope of ['user', 'project'] as const) {
      if (scope === 'project' && !client.project) continue;
      const target = targetOf(client, scope, places, options.repository);
      try {
        const { current } = readEntryFile(target, name);
        if (current !== undefined) state.installed.push({ scope, path: target.path, ...commandOf(current) });
      } catch (error) {
        state.problem = messageOf(error);
      }
    }
    return state;
  };

  return {
    preview,
    install,
    uninstall,
    hooks,
    list: (name = 'sylk'): ClientState[] => clients.map((client) => stateOf(client, name)),
    /** Entries and hooks of this repository: its shared files, and personal entries created from it. */
    ofRepository: () =>
      [...records.all(), ...hooks.installed()].filter((install) => install.repository === options.repository),
  };
}

function serverFor(client: Client, scope: Scope, repository: string, launcher: string): StdioServer {
  const own = client.startsInRepository ? undefined : repository;
  const folder = scope === 'project' ? client.folderVariable : own;
  const [command, ...rest] = launcherWords(scope, launcher);
  return { command, args: [...rest, 'mcp', ...(folder ? ['--repo', folder] : [])] };
}

function commandOf(entry: unknown): { command?: string } {
  const { command } = objectOf(entry);
  const first = Array.isArray(command) ? command[0] : command;
  return typeof first === 'string' ? { command: first } : {};
}

function targetOf(client: Client, scope: Scope, places: Places, root: string): Target {
  if (scope === 'user') return client.user(places);
  if (client.project) return { ...client.project(root), root };
  throw new SylkError('VALIDATION_ERROR', `${client.title} has no project file for MCP servers.`, {
    hint: 'Use --scope user.',
  });
}

function isDetected(client: Client, places: Places): boolean {
  return (
    client.traces(places).some((path) => person.exists(path)) ||
    client.programs.some((program) => onPath(program, places))
  );
}

const onPath = (program: string, { env, platform }: Places): boolean =>
  (env.PATH ?? '')
    .split(platform === 'win32' ? ';' : delimiter)
    .some((directory) =>
      ['', ...(platform === 'win32' ? ['.exe', '.cmd'] : [])].some(
        (ending) => directory !== '' && person.exists(join(directory, program + ending)),
      ),
    );

function failedHandshake(client: Client, problem: string): SylkError {
  return new SylkError(
    'UNAVAILABLE',
    `The server did not pass its handshake, so ${client.title} was not changed: ${problem}`,
    { hint: 'Run `sylk doctor`. Use --no-verify to write the entry anyway.' },
  );
}
