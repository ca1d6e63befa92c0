import { Readable } from 'node:stream';
import type { Context, MiddlewareHandler } from 'hono';
import type { App } from '../../app.ts';
import { createOwnGit } from '../../base/git/index.ts';
import type { Effect } from '../../operations/operation.ts';
import { repositoryName, requireRight } from '../../operations/rights.ts';
import { refusal } from './guard.ts';
import type { Identify } from './identify.ts';
import { digestOf } from './tokens.ts';

/** What git's own programs ask for; nothing else of the hub is served. */
const asked = /^\/git\/hub\.git\/(?:info\/refs|git-upload-pack|git-receive-pack)$/;

/** Workers fetch and push with a token that opens nothing else; members with their own, as far as their rights go. */
export function hubGuard(token: string, identify: Identify, app: () => App): MiddlewareHandler {
  const digest = digestOf(token);
  return async (context, next) => {
    const given = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    if (given !== undefined && digestOf(given) === digest) return next();
    const access = given === undefined ? undefined : (await identify(given))?.access;
    if (access) {
      requireRight(hubOperation(context.req.url), access, repositoryName(app()));
      return next();
    }
    context.header('www-authenticate', 'Bearer');
    return context.json(
      refusal(
        'DENIED',
        'A token is required.',
        'Set SYLK_TEAM_TOKEN to what the server has in its hub-token file.',
      ),
      401,
    );
  };
}

/** To push is to write, to fetch and to look at figures is to read. */
const hubOperation = (url: string): { name: string; effect: Effect } =>
  url.includes('git-receive-pack')
    ? { name: 'git push', effect: 'write' }
    : { name: 'git fetch', effect: 'read' };

/** git's own http-backend over the hub of a team. */
export async function serveGit(context: Context, directory: string): Promise<Response> {
  const { pathname, search } = new URL(context.req.url);
  if (!asked.test(pathname)) return context.json(refusal('NOT_FOUND', 'Unknown route.', 'Use git.'), 404);
  const header = (name: string) => context.req.header(name) ?? '';
  const { child, end } = createOwnGit(directory, { protocols: 'none' }).stream(['http-backend'], {
    env: {
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname.slice('/git'.length),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: context.req.method,
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: 'worker',
    },
  });
  context.req.raw.signal.addEventListener('abort', end, { once: true });
  if (context.req.raw.body) Readable.fromWeb(context.req.raw.body as never).pipe(child.stdin);
  else child.stdin.end();
  return answerOf(child.stdout);
}

/** The headers of a CGI program, and the rest of its output as it comes. */
async function answerOf(output: Readable): Promise<Response> {
  const chunks = output[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const { value, done } = await chunks.next();
    if (done) return new Response('git gave no answer', { status: 502 });
    read = Buffer.concat([read, value]);
    end = read.indexOf('\r\n\r\n');
  }
  const headers = new Headers();
  for (const line of read.subarray(0, end).toString('latin1').split('\r\n')) {
    const at = line.indexOf(':');
    headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const status = Number.parseInt(headers.get('status') ?? '200', 10);
  headers.delete('status');
  const rest = async function* () {
    yield read.subarray(end + 4);
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return new Response(Readable.toWeb(Readable.from(rest())) as never, { status, headers });
}
