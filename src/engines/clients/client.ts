import type { StdioServer } from '../../base/mcp-handshake.ts';
import type { Places } from './places.ts';

export type Scope = 'user' | 'project';

/** Where an entry stands in a file: the keys that lead to the table of servers. */
export interface Target {
  /** The repository, for a file that is part of it; without it the file is the person's own. */
  root?: string;
  path: string;
  format: 'json' | 'toml';
  table: string[];
}

/** A coding client that takes MCP servers from a file. */
export interface Client {
  id: string;
  title: string;
  /** Program names and paths whose presence says that the client is used here. */
  programs: string[];
  traces(places: Places): string[];
  /** The person's own file. */
  user(places: Places): Target;
  /** The file in a repository that a team shares, where the client has one. */
  project?(root: string): Target;
  /**
   * `repository` when the client starts servers in the directory it was opened in; otherwise the entry has to name
   * the repository itself.
   */
  startsIn: 'repository' | 'elsewhere';
  /** A variable of the client that stands for the opened folder in a project file. */
  folderVariable?: string;
  entry(server: StdioServer): Record<string, unknown>;
  /** What the person has to do before the client sees the change. */
  afterwards: string;
}
