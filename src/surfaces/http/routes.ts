import { createMcpHandler } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type ErrorReport, errorTable } from '../../base/errors.ts';
import { runOperation } from '../../operations/run.ts';
import { createMcpServer, type ToolSelection } from '../mcp/index.ts';
import type { Workspace } from '../shared/workspace.ts';
import { eventStream } from './events.ts';
import { type GuardedEnv, hostGuard, type Tokens, tokenGuard } from './guard.ts';
import { openApiDocument } from './openapi.ts';
import { servePages } from './pages.ts';

export interface HttpOptions {
  workspace: Workspace;
  tokens: Tokens;
  selection: ToolSelection;
  /** Known once the socket is bound. */
  port: () => number;
}

/** Every route of the server. Pages carry no data and need no token; everything else does. */
export function createRoutes({ workspace, tokens, selection, port }: HttpOptions): Hono<GuardedEnv> {
  const routes = new Hono<GuardedEnv>();
  const guarded = tokenGuard(tokens);
  const mcp = createMcpHandler((context) =>
    createMcpServer({ workspace, selection, callerKind: 'network' }, context),
  );

  routes.use('*', hostGuard(port));
  routes.use('*', bodyLimit({ maxSize: 4 * 1024 * 1024 }));

  routes.post('/api/session', async (context) => {
    const { code } = (await context.req.json().catch(() => ({}))) as { code?: unknown };
    const token = typeof code === 'string' ? tokens.redeemCode(code) : undefined;
    if (token) return context.json({ token });
    return context.json(
      {
        error: {
          code: 'DENIED',
          message: 'The link was used or has expired.',
          hint: 'Run `sylk up --link` for a new one.',
        },
      },
      401,
    );
  });
  routes.use('/api/*', guarded);
  routes.use('/mcp', guarded);

  routes.all('/mcp', (context) => mcp.fetch(context.req.raw));
  routes.get('/api/openapi.json', async (context) => context.json((await openApiDocument()) as object));
  routes.get('/api/events', (context) =>
    eventStream(workspace.app(context.req.query('repository')), context),
  );
  routes.post('/api/link', (context) => {
    if (context.get('identity') !== 'network' && context.get('identity') !== 'person')
      return context.body(null, 401);
    return context.json({ url: `http://127.0.0.1:${port()}/#code=${tokens.issueCode()}` });
  });
  // The wire format by which one Sylk reads the skills of another.
  for (const path of ['/api/skills', '/api/skills/*', '/api/skill-collections']) {
    routes.get(path, async (context) => {
      const { pathname, searchParams } = new URL(context.req.url);
      const outcome = await runOperation(workspace.app(), {
        name: 'answer_skills_request',
        input: {
          path: pathname.slice('/api'.length),
          collection: searchParams.get('collection') ?? undefined,
          query: searchParams.get('query') ?? undefined,
        },
        caller: { kind: context.get('identity'), name: 'api' },
      });
      if (!outcome.ok) return failed(context, outcome.error);
      const { status, json } = outcome.output as { status: number; json: object };
      return context.json(json, status as never);
    });
  }
  routes.post('/api/:operation', async (context) => {
    const text = await context.req.text();
    let input: unknown;
    try {
      input = text.trim() === '' ? {} : JSON.parse(text);
    } catch {
      return failed(context, {
        code: 'VALIDATION_ERROR',
        message: 'The body is not valid JSON.',
        hint: 'Send the inputs of the operation as a JSON object.',
      });
    }
    const identity = context.get('identity');
    const outcome = await runOperation(workspace.app(context.req.query('repository')), {
      name: context.req.param('operation'),
      input,
      caller: {
        kind: identity,
        name: identity === 'person' ? 'dashboard' : 'api',
        readOnly: selection.readOnly,
      },
      signal: context.req.raw.signal,
    });
    return outcome.ok
      ? context.json(outcome.output as object)
      : failed(context, outcome.error, outcome.output);
  });
  routes.all('/api/*', (context) =>
    failed(context, {
      code: 'NOT_FOUND',
      message: 'There is no such route.',
      hint: 'POST /api/<operation>; GET /api/openapi.json lists them.',
    }),
  );
  servePages(routes);
  return routes;
}

function failed(
  context: { json(body: object, status: never): Response },
  error: ErrorReport,
  body: unknown = { error },
): Response {
  return context.json(body as object, errorTable[error.code].http as never);
}
