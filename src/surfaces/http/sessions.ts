import type { Hono, MiddlewareHandler } from 'hono';
import { objectOf } from '../../base/json.ts';
import { failureLimit, type GuardedEnv, refusal } from './guard.ts';
import type { Identity, Tokens } from './tokens.ts';

/** The only way to a person's session: a one-time code printed by a terminal. */
export function openSessions(routes: Hono<GuardedEnv>, tokens: Tokens, now: () => number): void {
  const limit = failureLimit(now);
  routes.post('/api/session', async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    const code = body && typeof body === 'object' && 'code' in body ? body.code : undefined;
    const token =
      typeof code === 'string'
        ? tokens.openSession(code, context.req.header('user-agent') ?? 'unknown browser')
        : undefined;
    if (token) return context.json({ token });
    if (limit.isExceeded())
      return context.json(refusal('DENIED', 'Too many wrong codes.', 'Wait a minute.'), 429);
    limit.count();
    return context.json(
      refusal(
        'DENIED',
        'The link was used or has expired.',
        'Run `sylk up --link` in a terminal for a new one.',
      ),
      401,
    );
  });
}

/** A person sees and ends sessions, and confirms each decision. The API token allows none of it. */
export function managePersonSessions(routes: Hono<GuardedEnv>, tokens: Tokens): void {
  for (const path of ['/api/sessions', '/api/sessions/*', '/api/gesture']) routes.use(path, personOnly);
  routes.get('/api/sessions', (context) => {
    const identity = context.get('identity');
    const own = identity.kind === 'person' ? identity.session : '';
    return context.json({
      sessions: tokens
        .sessions(memberOf(identity))
        .map((session) => ({ ...session, this_one: session.id === own })),
    });
  });
  routes.delete('/api/sessions/:id', (context) =>
    tokens.endSession(context.req.param('id'), memberOf(context.get('identity')))
      ? context.json({ ended: true })
      : context.json(refusal('NOT_FOUND', 'Unknown session.', 'Reload the list.'), 404),
  );
  routes.post('/api/gesture', async (context) => {
    const identity = context.get('identity');
    const { operation, input } = objectOf(await context.req.json().catch(() => ({})));
    if (identity.kind !== 'person' || typeof operation !== 'string')
      return context.json(
        refusal('VALIDATION_ERROR', 'Missing operation.', 'Name the operation to confirm.'),
        400,
      );
    return context.json({ gesture: tokens.issueGesture(identity.session, operation, input) });
  });
}

/** Whose sessions a caller sees: a member's own, and all for whoever runs the server. */
const memberOf = ({ access }: Identity): string | undefined =>
  access === undefined || access.name === 'operator' ? undefined : access.name;

const personOnly: MiddlewareHandler<GuardedEnv> = async (context, next) => {
  if (context.get('identity').kind !== 'person')
    return context.json(
      refusal(
        'DENIED',
        'Only a person can do this, not the holder of the API token.',
        'Open the link that `sylk up` prints.',
      ),
      403,
    );
  await next();
};
