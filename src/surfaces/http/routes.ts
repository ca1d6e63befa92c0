import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { type ErrorReport, errorTable, reportOf } from '../../base/errors.ts';
import { findOperation } from '../../operations/list.ts';
import type { Access } from '../../operations/members.ts';
import type { Caller } from '../../operations/operation.ts';
import { readerOf } from '../../operations/resolve.ts';
import { runOperation } from '../../operations/run.ts';
import { createMcpServer, type ToolSelection } from '../mcp/index.ts';
import { visibleTo, type Workspace } from '../shared/workspace.ts';
import { runDetached } from './detached.ts';
import { eventStream, runStream } from './events.ts';
import { hubGuard, serveGit } from './git-hub.ts';
import { type GuardedEnv, hostGuard, skillsGuard, tokenGuard } from './guard.ts';
import { metricsText, serveHealth } from './health.ts';
import { createIdentify } from './identify.ts';
import { loginWays, serveLogin } from './login.ts';
import { serveOidc } from './oidc.ts';
import { openApiDocument } from './openapi.ts';
import { servePages } from './pages.ts';
import { createPersonRepositories } from './person-repositories.ts';
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
  /** For a team: of each member. */
  callsPerMinute?: number | undefined;
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
  callsPerMinute = Number.POSITIVE_INFINITY,
  port,
  now,
}: HttpOptions): Hono<GuardedEnv> {
  const routes = new Hono<GuardedEnv>();
  const identify = createIdentify(tokens, () => workspace.app());
  const guarded = tokenGuard(identify, callsPerMinute, now);
  const others = createPersonRepositories(workspace);
  // A team shares what it serves and nothing else.
  const isAlone = ({ kind, access }: Identity) =>
    kind === 'person' && access === undefined && hub === undefined;
  const appOf = (context: Context<GuardedEnv>) => {
    const identity = context.get('identity');
    const name = context.req.query('repository');
    const own = name !== undefined && isAlone(identity) ? others.find(name) : undefined;
    return own ?? visibleTo(workspace, identity.access).app(name);
  };
  const mcpFor = (access: Access | undefined) =>
    createMcpHandler((context) => {
      const seen = visibleTo(workspace, access);
      return createMcpServer({ workspace: seen, selection, callerKind: 'network', access }, context);
    });
  const mcp = mcpFor(undefined);

  routes.onError((error, context) =>
    error instanceof HTTPException ? error.getResponse() : failed(context, reportOf(error)),
  );
  if (hub) serveHealth(routes, () => workspace.app());
  routes.use('*', hostGuard(port, publicUrl));
  if (hub) {
    const ofHub = hubGuard(hub.token, identify, () => workspace.app());
    routes.get('/metrics', ofHub, () => metricsText(workspace.app()));
    routes.use('/git/*', ofHub);
    routes.all('/git/*', (context) => serveGit(context, hub.directory));
  }
  routes.use('*', bodyLimit({ maxSize: 4 * 1024 * 1024 }));

  openSessions(routes, tokens, now);
  routes.get('/api/login', (context) => context.json({ ways: loginWays(workspace.app()) }));
  if (hub) {
    const address = () => publicUrl ?? `http://127.0.0.1:${port()}`;
    serveLogin(routes, () => workspace.app(), tokens, now);
    serveOidc(routes, { app: () => workspace.app(), tokens, address, now });
  }
  serveSkills(routes, workspace, skillsGuard(skillsToken, guarded));
  routes.use('/api/*', guarded);
  routes.use('/mcp', guarded);

  routes.all('/mcp', (context) => {
    const { access } = context.get('identity');
    return (access ? mcpFor(access) : mcp).fetch(context.req.raw);
  });
  routes.get('/api/openapi.json', async (context) => context.json((await openApiDocument()) as object));
  routes.get('/api/repositories', (context) => {
    const identity = context.get('identity');
    const { names, app } = visibleTo(workspace, identity.access);
    return context.json({
      repositories: names().map((name) => ({ name, root: app(name).repository.root })),
      others: isAlone(identity) ? others.list() : [],
      team: hub !== undefined,
    });
  });
  routes.get('/api/events', (context) =>
    eventStream(appOf(context), context, context.get('identity').isOpen),
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
    const app = appOf(context);
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

const callerOf = ({ kind, access }: Identity): Caller => ({
  kind,
  name: access?.name ?? (kind === 'person' ? 'dashboard' : 'api'),
  access,
});

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
      const identity = context.get('identity');
      const outcome = await runOperation(visibleTo(workspace, identity.access).app(), {
        name: 'answer_skills_request',
        input: {
          path: pathname.slice('/api'.length),
          collection: searchParams.get('collection') ?? undefined,
          query: searchParams.get('query') ?? undefined,
        },
        caller: callerOf(identity),
      });
      if (!outcome.ok) return failed(context, outcome.error);
      const { status, json } = outcome.output as { status: number; json: object };
      return context.json(json, status as never);
    });
}
