// owns: the HTTP face of the registry, its tokens and its pages. knows: operations, the MCP face. must not know: stores, engines.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { SylkError } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/files.ts';
import type { ToolSelection } from '../mcp/index.ts';
import type { Workspace } from '../shared/workspace.ts';
import { createTokens } from './guard.ts';
import { createRoutes } from './routes.ts';

export interface HttpServer {
  url: string;
  /** Opens the dashboard once; the code is in the fragment, which is never sent or logged. */
  link(): string;
  tokenFile: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  workspace: Workspace;
  selection: ToolSelection;
  /** 0 takes any free port. */
  port: number;
}

export async function serveHttp({ workspace, selection, port }: ServeOptions): Promise<HttpServer> {
  const tokens = createTokens();
  let bound = port;
  const routes = createRoutes({ workspace, tokens, selection, port: () => bound });
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const started = serve({ fetch: routes.fetch, hostname: '127.0.0.1', port }, (info) => {
      bound = info.port;
      resolve(started);
    });
    started.on('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken
          ? new SylkError('UNAVAILABLE', `Port ${port} is in use.`, {
              hint: 'Give another with --port, or --port 0 for any.',
            })
          : error,
      );
    });
  });
  const url = `http://127.0.0.1:${bound}`;
  const tokenFile = join(workspace.app().prepareDirectory(), 'run', 'http.json');
  writeFileAtomic(tokenFile, `${JSON.stringify({ url, token: tokens.api, pid: process.pid }, null, 2)}\n`, {
    mode: 0o600,
  });
  return {
    url,
    link: () => `${url}/#code=${tokens.issueCode()}`,
    tokenFile,
    close: async () => {
      if (existsSync(tokenFile) && readFileSync(tokenFile, 'utf8').includes(tokens.api))
        rmSync(tokenFile, { force: true });
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        (server as { closeAllConnections?: () => void }).closeAllConnections?.();
      });
    },
  };
}
