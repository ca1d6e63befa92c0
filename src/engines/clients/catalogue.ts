import { join } from 'node:path';
import { didYouMean } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { StdioServer } from '../../base/mcp-handshake.ts';
import rows from './catalogue.json' with { type: 'json' };
import { applicationData, type Places, xdgConfig } from './places.ts';

export type Scope = 'user' | 'project';

/** The location of an entry in a file: the keys that lead to the table of servers. */
export interface Target {
  /** The repository, for a file in it; otherwise the file is the person's own. */
  root?: string;
  path: string;
  format: 'json' | 'toml';
  table: string[];
}

/** What a client tells us of: a conversation begins, a person sends a prompt, a turn is over, a conversation ends. */
export type HookEvent = 'start' | 'prompt' | 'turn' | 'end';

/** A client in catalogue.json. `~`, `$config`, `$data` and `{VARIABLE|default}` start a path of the person. */
interface ClientRow {
  id: string;
  title: string;
  /** Program names and paths that show that the client is installed. */
  programs: string[];
  traces: string[];
  /** The person's own file. */
  user: string;
  userIfThere?: { there: string; path: string };
  /** The file in a repository that a team shares, if the client has one. */
  project?: string;
  /** The file may also be called `.jsonc`. */
  mayBeJsonc?: boolean;
  table: string;
  /** True if the client starts servers in the opened directory; otherwise the entry has to name the repository. */
  startsInRepository?: boolean;
  /** A variable of the client for the opened folder in a project file. */
  folderVariable?: string;
  /** One of `entryShapes`. */
  entry?: string;
  /** What the person must do before the client sees the change. */
  afterwards: string;
  /** For a client that runs commands on conversation events. */
  hooks?: {
    user: string;
    project: string;
    /** The names that the client uses with MCP servers: its sessions are the same. */
    callers: string[];
    /** The client's names of the events; absent if a file of our own listens. */
    events?: Partial<Record<HookEvent, string>>;
    /** How the client writes a time limit of five seconds. */
    timeout?: number;
    afterwards: string;
  };
}

export type Client = (typeof clients)[number];
export type HookClient = (typeof hookClients)[number];

type EntryShape = (server: StdioServer) => Record<string, unknown>;
const plainEntry: EntryShape = ({ command, args }) => ({ command, args });
const entryShapes: Record<string, EntryShape> = {
  stdio: ({ command, args }) => ({ type: 'stdio', command, args }),
  opencode: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
  copilot: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
};

const roots: Record<string, (places: Places) => string> = {
  '~': ({ home }) => home,
  $config: xdgConfig,
  $data: applicationData,
  $settings: (places) => (places.platform === 'win32' ? applicationData : xdgConfig)(places),
};

const expand = (template: string, places: Places): string =>
  join(
    template
      .replace(/^\{(\w+)\|([^}]*)\}/, (_all, name: string, other: string) => places.env[name] || other)
      .replace(/^(?:~|\$\w+)(?=\/|$)/, (root) => roots[root]?.(places) ?? root),
  );

function targetAt({ table, mayBeJsonc }: ClientRow, path: string): Target {
  const isOther = mayBeJsonc && !person.exists(path) && person.exists(`${path}c`);
  return {
    path: isOther ? `${path}c` : path,
    format: path.endsWith('.toml') ? 'toml' : 'json',
    table: [table],
  };
}

/** File locations and shapes from the clients' public documentation. */
export const clients = (rows as ClientRow[]).map((row) => {
  const { project, userIfThere } = row;
  return {
    ...row,
    traces: (places: Places) => row.traces.map((trace) => expand(trace, places)),
    user: (places: Places) => {
      const isThere = userIfThere && person.exists(expand(userIfThere.there, places));
      return targetAt(row, expand(isThere ? userIfThere.path : row.user, places));
    },
    project: project === undefined ? undefined : (root: string) => targetAt(row, join(root, project)),
    entry: entryShapes[row.entry ?? ''] ?? plainEntry,
  };
});

export const hookClients = clients.flatMap(({ id, title, hooks }) =>
  hooks
    ? {
        ...hooks,
        id,
        title,
        path: (scope: Scope, places: Places, root: string): string =>
          scope === 'project' ? join(root, hooks.project) : expand(hooks.user, places),
      }
    : [],
);

export const findClient = (id: string): Client => find(clients, id, 'Unknown client', 'Known clients');
export const findHookClient = (id: string): HookClient =>
  find(hookClients, id, 'No known hooks for', 'Clients with hooks');

function find<Row extends { id: string }>(all: Row[], id: string, none: string, known: string): Row {
  const found = all.find((row) => row.id === id);
  if (found) return found;
  const ids = all.map((row) => row.id);
  throw new SylkError('NOT_FOUND', `${none} ${JSON.stringify(id.slice(0, 60))}.`, {
    hint: didYouMean(id, ids, `${known}: ${ids.join(', ')}.`),
  });
}
