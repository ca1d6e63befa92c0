import { onTestFinished } from 'vitest';
import { printCode, printedCodes } from '../../src/surfaces/http/printed-codes.ts';
import { createRoutes } from '../../src/surfaces/http/routes.ts';
import { createTokens } from '../../src/surfaces/http/tokens.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from './fixture-repository.ts';
import { temporaryDirectory } from './temporary.ts';

const port = 7717;
const url = `http://127.0.0.1:${port}`;

/** Every route of a server without its socket; time is ours. */
export function servedRoutes() {
  let at = Date.now();
  const now = () => at;
  const home = temporaryDirectory('person');
  const workspace = createWorkspace({
    directories: [fixtureRepository().path],
    env: { ...process.env, SYLK_HOME: home },
    flags: [],
  });
  onTestFinished(() => workspace.close());
  const tokens = createTokens(
    printedCodes(home, () => url),
    now,
  );
  const selection = { toolsets: ['all'], allow: [], deny: [], readOnly: false, structured: true };
  const routes = createRoutes({ workspace, tokens, skillsToken: 'skills', selection, port: () => port, now });
  const send = async (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Response> =>
    routes.fetch(
      new Request(`${url}${path}`, {
        method,
        headers: { host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    url,
    home,
    routes,
    tokens,
    app: workspace.app(),
    send,
    bearer,
    wait: (milliseconds: number) => {
      at += milliseconds;
    },
    printCode: () => printCode(home, url, now()),
    /** As the dashboard does with a code. */
    redeem: (code: string) => send('POST', '/api/session', { body: { code } }),
    signIn: async (): Promise<string> => {
      const reply = await send('POST', '/api/session', { body: { code: tokens.issueCode() } });
      return ((await reply.json()) as { token: string }).token;
    },
  };
}

export type ServedRoutes = ReturnType<typeof servedRoutes>;
