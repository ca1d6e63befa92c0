// owns: the HTTP surface of the registry, its tokens and its pages. knows: operations, the MCP surface. must not know: stores, engines.
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { ToolSelection } from '../mcp/index.ts';
import type { Workspace } from '../shared/workspace.ts';
import { printedCodes } from './printed-codes.ts';
import { createRoutes } from './routes.ts';
import { createTokens, secret } from './tokens.ts';

export { newLink } from './new-link.ts';

export interface HttpServer {
  url: string;
  /** Opens the dashboard once; the code is in the URL fragment, which is never sent or logged. */
  link(): string;
  tokenFile: string;
  /** Holds the token by which another Sylk reads the skills. */
  skillsTokenFile: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  workspace: Workspace;
  selection: ToolSelection;
  /** 0 takes any free port. */
  port: number;
  /** Another address than loopback to listen on: only behind a proxy with TLS, which `publicUrl` names. */
  listen?: string | undefined;
  publicUrl?: string | undefined;
  now?: () => number;
}

/** Holds the address and the API token while a server runs. */
export const tokenFileOf = ({ repository }: App): string =>
  join(repository.state.directory, 'run', 'http.json');

/** Holds the token with which workers on other machines fetch from the hub and push to it. */
export const hubTokenFileOf = ({ repository }: App): string => join(repository.state.directory, 'hub-token');

/** The same at every start, so that a consumer's skills.toml stays valid. Delete the file for a new one. */
function keptToken(file: string): string {
  const kept = state.readText(file)?.trim();
  if (kept) return kept;
  const token = secret();
  state.write(file, `${token}\n`);
  return token;
}

/** For a team: commits of its workers come here, each under a token that stays the same at every start. */
const hubOf = (app: App) =>
  app.config.team.database === ''
    ? undefined
    : { directory: app.prepareDirectory(), token: keptToken(hubTokenFileOf(app)) };

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|localhost$)/.test(address);

function requireTls(listen: string, publicUrl: string | undefined): void {
  if (isLoopback(listen) || publicUrl?.startsWith('https://')) return;
  throw new SylkError(
    'DENIED',
    `${listen} can be reached from other machines, and tokens would cross the network in the clear.`,
    {
      hint: 'Put a proxy with TLS in front and name it: --public-url https://sylk.example.org',
    },
  );
}

export async function serveHttp({
  workspace,
  selection,
  port,
  listen = '127.0.0.1',
  publicUrl,
  now = Date.now,
}: ServeOptions): Promise<HttpServer> {
  let bound = port;
  const address = () => `http://127.0.0.1:${bound}`;
  const tokens = createTokens(printedCodes(workspace.app().user.data, address), now);
  const skillsTokenFile = join(workspace.app().user.data, 'skills-token');
  const skillsToken = keptToken(skillsTokenFile);
  requireTls(listen, publicUrl);
  const hub = hubOf(workspace.app());
  const routes = createRoutes({
    workspace,
    tokens,
    skillsToken,
    selection,
    hub,
    publicUrl,
    callsPerMinute: workspace.app().config.team.calls_per_minute,
    now,
    port: () => bound,
  });
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const started = serve({ fetch: routes.fetch, hostname: listen, port }, (info) => {
      bound = info.port;
      resolve(started);
    });
    started.on('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken
          ? new SylkError('UNAVAILABLE', `Port ${port} is in use.`, {
              hint: 'Choose another one with --port, or use --port 0 for any.',
            })
          : error,
      );
    });
  });
  const url = address();
  if (hub) await workspace.app().openHub(`${publicUrl ?? url}/git/hub.git`);
  workspace.app().prepareDirectory();
  const tokenFile = tokenFileOf(workspace.app());
  state.write(tokenFile, `${JSON.stringify({ url, token: tokens.api, pid: process.pid }, null, 2)}\n`);
  return {
    url,
    link: () => `${url}/#code=${tokens.issueCode()}`,
    tokenFile,
    skillsTokenFile,
    close: async () => {
      if (state.readText(tokenFile)?.includes(tokens.api)) state.remove(tokenFile);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        (server as { closeAllConnections?: () => void }).closeAllConnections?.();
      });
    },
  };
}
