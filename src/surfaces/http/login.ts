import type { Context, Hono } from 'hono';
import type { App } from '../../app.ts';
import { objectOf } from '../../base/json.ts';
import { isTeam, loginToken, passwordLogin } from '../../operations/members.ts';
import { failureLimit, type GuardedEnv, refusal } from './guard.ts';
import type { Tokens } from './tokens.ts';

/** How people log in here; not at all where one person works alone, who has a link from the terminal. */
export function loginWays(app: App): string[] {
  if (!isTeam(app)) return [];
  return app.config.team.oidc_issuer === '' ? ['password'] : ['password', 'oidc'];
}

/** How a member of a team comes in without a token: a name and a password, for the dashboard or for a laptop. */
export function serveLogin(
  routes: Hono<GuardedEnv>,
  app: () => App,
  tokens: Tokens,
  now: () => number,
): void {
  const limits = new Map<string, ReturnType<typeof failureLimit>>();
  const limitOf = (name: string) => {
    const limit = limits.get(name) ?? failureLimit(now);
    if (limits.size > 1000) limits.clear();
    limits.set(name, limit);
    return limit;
  };
  /** `label`: a token for a laptop. Without it, a code that opens a session in the dashboard. */
  routes.post('/api/login', async (context) => {
    const { name, password, label } = objectOf(await context.req.json().catch(() => ({})));
    if (typeof name !== 'string' || typeof password !== 'string' || name === '' || password.length > 1000)
      return context.json(refusal('VALIDATION_ERROR', 'Missing name or password.', 'Send both.'), 400);
    const limit = limitOf(name.toLowerCase());
    // A guess costs memory and time, so here even the right password waits.
    if (limit.isExceeded()) return tooMany(context);
    const member = await passwordLogin(app(), name, password);
    if (!member) {
      limit.count();
      return context.json(
        refusal('DENIED', 'Name or password is wrong.', 'Ask an admin of the team for a new password.'),
        401,
      );
    }
    return context.json(
      typeof label === 'string' && label !== ''
        ? await loginToken(app(), member.name, label.slice(0, 100))
        : { code: tokens.issueCode(member) },
    );
  });
}

const tooMany = (context: Context) =>
  context.json(refusal('DENIED', 'Too many wrong passwords.', 'Wait a minute.'), 429);
