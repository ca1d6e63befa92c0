import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from './fixture-repository.ts';
import { freshPostgres } from './postgres.ts';
import { temporaryDirectory } from './temporary.ts';

/** The server of a team on PostgreSQL, reached over a socket; `repositories` are its directories. */
export async function teamServer({
  database,
  repositories = [fixtureRepository().path],
  settings = [],
  port = 0,
  now,
}: {
  database?: string;
  repositories?: string[];
  settings?: string[];
  port?: number;
  now?: () => number;
} = {}) {
  const url = database ?? (await freshPostgres());
  const home = temporaryDirectory('person');
  const env = { ...process.env, SYLK_HOME: home };
  const flags = [`team.database=${url}`, ...settings];
  const workspace = createWorkspace({ directories: repositories, env, flags });
  const selection = { toolsets: ['all'], allow: [], deny: [], readOnly: false };
  const server = await serveHttp({ workspace, selection, port, ...(now ? { now } : {}) });
  const close = async () => {
    await server.close();
    await workspace.close();
  };
  onTestFinished(close);
  const app = workspace.app();
  const people = await app.people();
  const send = async (
    token: string | undefined,
    path: string,
    body: unknown = {},
    { method = 'POST', ...more }: { method?: string } & Record<string, string> = {},
  ) => {
    const reply = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...more,
      },
      body: method === 'GET' || method === 'DELETE' ? null : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, text, headers: reply.headers };
  };
  return {
    url: server.url,
    home,
    database: url,
    workspace,
    app,
    people,
    link: server.link,
    api: (JSON.parse(readFileSync(server.tokenFile, 'utf8')) as { token: string }).token,
    hubToken: () => readFileSync(join(app.repository.state.directory, 'hub-token'), 'utf8').trim(),
    send,
    call: async (token: string | undefined, operation: string, input: unknown = {}, repository?: string) => {
      const query = repository === undefined ? '' : `?repository=${encodeURIComponent(repository)}`;
      return send(token, `/api/${operation}${query}`, input);
    },
    /** A member with one right, and a token. */
    join: async (
      name: string,
      right: 'none' | 'reader' | 'writer' | 'reviewer' | 'admin',
      {
        repository = '*',
        kind = 'person' as 'person' | 'agent' | 'service',
        person = undefined as string | undefined,
      } = {},
    ): Promise<string> => {
      await people.add({ name, kind, person, by: 'test' });
      await people.giveRight({ name, repository, right, by: 'test' });
      return (await people.createToken({ member: name, label: 'test', days: 1 })).token;
    },
    terminal: (name: string, input: unknown) =>
      runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } }),
    openApp: (directory: string) => openApp({ directory, env, flags }),
  };
}

export type TeamServer = Awaited<ReturnType<typeof teamServer>>;
