import { createMcpHandler } from '@modelcontextprotocol/server';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type ErrorReport, errorTable, reportOf } from '../../base/errors.ts';
import { findOperation } from '../../operations/list.ts';
import type { Caller } from '../../operations/operation.ts';
import { readerOf } from '../../operations/resolve.ts';
import { runOperation } from '../../operations/run.ts';
import { createMcpServer, type ToolSelection } from '../mcp/index.ts';
import type { Workspace } from '../shared/workspace.ts';
import { runDetached } from './detached.ts';
import { eventStream, runStream } from './events.ts';
import { hubGuard, serveGit } from './git-hub.ts';
import { type GuardedEnv, hostGuard, skillsGuard, tokenGuard } from './guard.ts';
import { metricsText, serveHealth } from './health.ts';
import { openApiDocument } from './openapi.ts';
import { servePages } from './pages.ts';
import { managePersonSessions, openSessions } from './sessions.ts';
import type { Identity, Tokens } from './tokens.ts';

export interface HttpOptions {
  workspace: Workspace;
  tokens: Tokens;
  /** Reads skills and nothing else; the same at every start. */
  skillsToken: string;
  selection: ToolSelection;
  /** For a team: the directory of its hub, and the token that opens it. */
  hub?: { directory: string; token: string } | undefined;
  /** Where a proxy with TLS serves it, besides loopback. */
  publicUrl?: string | undefined;
  /** Set once the socket is bound. */
  port: () => number;
  now: () => number;
}

/** Every route of the server. Pages carry no data and need no token; everything else does. */
export function createRoutes({
  workspace,
  tokens,
  skillsToken,
  selection,
  hub,
  publicUrl,
  port,
  now,
}: HttpOptions): Hono<GuardedEnv> {
  const routes = new Hono<GuardedEnv>();
  const guarded = tokenGuard(tokens, now);
  const mcp = createMcpHandler((context) =>
    createMcpServer({ workspace, selection, callerKind: 'network' }, context),
  );

  if (hub) serveHealth(routes, () => workspace.app());
  routes.use('*', hostGuard(port, publicUrl));
  if (hub) {
    routes.get('/metrics', hubGuard(hub.token), () => metricsText(workspace.app()));
    routes.use('/git/*', hubGuard(hub.token));
    routes.all('/git/*', (context) => serveGit(context, hub.directory));
  }
  routes.use('*', bodyLimit({ maxSize: 4 * 1024 * 1024 }));

  openSessions(routes, tokens, now);
  serveSkills(routes, workspace, skillsGuard(skillsToken, guarded));
  routes.use('/api/*', guarded);
  routes.use('/mcp', guarded);

  routes.all('/mcp', (context) => mcp.fetch(context.req.raw));
  routes.get('/api/openapi.json', async (context) => context.json((await openApiDocument()) as object));
  routes.get('/api/repositories', (context) =>
    context.json({
      repositories: workspace.names().map((name) => ({ name, root: workspace.app(name).repository.root })),
    }),
  );
  routes.get('/api/events', (context) =>
    eventStream(workspace.app(context.req.query('repository')), context, () =>
      isOpen(context.get('identity')),
    ),
  );
  managePersonSessions(routes, tokens);
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
    const name = context.req.param('operation');
    try {
      if (identity.kind === 'person' && (await findOperation(name, readerOf(input))).effect === 'decide')
        tokens.useGesture(context.req.header('x-sylk-gesture'), identity.session, name, input);
    } catch (error) {
      return failed(context, reportOf(error));
    }
    const app = workspace.app(context.req.query('repository'));
    const caller = { ...callerOf(identity), readOnly: selection.readOnly };
    const request = { name, input, caller, signal: context.req.raw.signal };
    if (context.req.header('accept')?.includes('text/event-stream')) {
      // Where a client was cut off, as the protocol of server-sent events says it.
      const after = context.req.header('last-event-id');
      const goneOn = after === undefined ? request : { ...request, input: { ...Object(input), after } };
      return runStream(app, context, goneOn);
    }
    const isDetached = context.req.header('prefer')?.includes('respond-async') ?? false;
    const outcome = await (isDetached ? runDetached(app, request) : runOperation(app, request));
    if ('call' in outcome) return context.json(outcome, 202);
    if (!outcome.ok) return failed(context, outcome.error, outcome.output);
    const headers =
      outcome.notes.length > 0 ? { 'x-sylk-note': headerText(outcome.notes.join(' ')) } : undefined;
    return context.json(outcome.output as object, 200, headers);
  });
  routes.all('/api/*', (context) =>
    failed(context, {
      code: 'NOT_FOUND',
      message: 'Unknown route.',
      hint: 'Use POST /api/<operation>; GET /api/openapi.json lists the operations.',
    }),
  );
  servePages(routes);
  return routes;
}

/** A header has one line of plain characters; a note may name a file. */
const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

const isOpen = (identity: Identity): boolean => identity.kind === 'network' || identity.isOpen();

const callerOf = ({ kind }: Identity): Caller => ({ kind, name: kind === 'person' ? 'dashboard' : 'api' });

export function failed(
  context: { json(body: object, status: never): Response },
  error: ErrorReport,
  body: unknown = { error },
): Response {
  return context.json(body as object, errorTable[error.code].http as never);
}

/** The wire format by which one Sylk reads the skills of another. */
function serveSkills(
  routes: Hono<GuardedEnv>,
  workspace: Workspace,
  guard: MiddlewareHandler<GuardedEnv>,
): void {
  for (const path of ['/api/skills', '/api/skills/*', '/api/skill-collections'])
    routes.get(path, guard, async (context) => {
      const { pathname, searchParams } = new URL(context.req.url);
      const outcome = await runOperation(workspace.app(), {
        name: 'answer_skills_request',
        input: {
          path: pathname.slice('/api'.length),
          collection: searchParams.get('collection') ?? undefined,
          query: searchParams.get('query') ?? undefined,
        },
        caller: callerOf(context.get('identity')),
      });
      if (!outcome.ok) return failed(context, outcome.error);
      const { status, json } = outcome.output as { status: number; json: object };
      return context.json(json, status as never);
    });
}
