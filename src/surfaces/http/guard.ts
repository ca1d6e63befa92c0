import type { MiddlewareHandler } from 'hono';
import type { ErrorReport } from '../../base/errors.ts';
import type { Identify } from './identify.ts';
import { digestOf, type Identity } from './tokens.ts';

export type GuardedEnv = { Variables: { identity: Identity } };

export const refusal = (code: ErrorReport['code'], message: string, hint: string) => ({
  error: { code, message, hint },
});

/** Serves only pages and programs that use this exact address: other host names and origins are refused. */
export function hostGuard(port: () => number, publicUrl?: string): MiddlewareHandler<GuardedEnv> {
  const outside = publicUrl === undefined ? undefined : new URL(publicUrl);
  return async (context, next) => {
    const local = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`);
    const hosts = outside ? [...local, outside.host] : local;
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (!hosts.includes(host))
      return context.json(
        refusal('DENIED', 'This host name is not served.', `Use http://127.0.0.1:${port()}`),
        403,
      );
    const origin = context.req.header('origin')?.toLowerCase();
    if (
      origin !== undefined &&
      origin !== outside?.origin &&
      !local.some((known) => origin === `http://${known}`)
    ) {
      return context.json(
        refusal(
          'DENIED',
          'Requests from other origins are refused.',
          'Open the dashboard from its own address.',
        ),
        403,
      );
    }
    await next();
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'no-referrer');
    context.header('cross-origin-resource-policy', 'same-origin');
    context.header('x-frame-options', 'DENY');
    context.header(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
  };
}

const window = 60_000;
const maxFailures = 30;

/** Counts wrong secrets of the last minute. A correct one is checked first, so guessing locks nobody out. */
export function failureLimit(now: () => number): { isExceeded(): boolean; count(): void } {
  let failures: number[] = [];
  return {
    isExceeded: () => {
      failures = failures.filter((at) => at > now() - window);
      return failures.length >= maxFailures;
    },
    count: () => failures.push(now()),
  };
}

/** Counts the calls of each member in the minute that runs; answers the seconds to wait once there are too many. */
export function callLimit(most: number, now: () => number): (name: string) => number | undefined {
  let begun = now();
  const calls = new Map<string, number>();
  return (name) => {
    if (now() - begun >= window) {
      begun = now();
      calls.clear();
    }
    const count = (calls.get(name) ?? 0) + 1;
    calls.set(name, count);
    return count > most ? Math.ceil((begun + window - now()) / 1000) : undefined;
  };
}

/** A token in the Authorization header, never in a URL or a cookie. Guessing slows down for all callers at once. */
export function tokenGuard(
  identify: Identify,
  mostCalls: number,
  now: () => number,
): MiddlewareHandler<GuardedEnv> {
  const limit = failureLimit(now);
  const tooMany = callLimit(mostCalls, now);
  return async (context, next) => {
    const given = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    const identity = given === undefined ? undefined : await identify(given);
    if (!identity) {
      if (limit.isExceeded())
        return context.json(refusal('DENIED', 'Too many wrong tokens.', 'Wait a minute.'), 429);
      if (given) limit.count();
      context.header('www-authenticate', 'Bearer');
      return context.json(
        refusal(
          'DENIED',
          'A token is required.',
          'Send `Authorization: Bearer <token>`. `sylk up` prints the path of the token file; `sylk up --link` prints a dashboard link.',
        ),
        401,
      );
    }
    const wait = identity.access && tooMany(identity.access.name);
    if (wait !== undefined) {
      context.header('retry-after', String(wait));
      return context.json(
        refusal('DENIED', `More than ${mostCalls} calls in a minute.`, `Wait ${wait} seconds.`),
        429,
      );
    }
    context.set('identity', identity);
    await next();
  };
}

/** Lets the token for skills read skills; everything else goes to the other guard. */
export function skillsGuard(
  skillsToken: string,
  otherwise: MiddlewareHandler<GuardedEnv>,
): MiddlewareHandler<GuardedEnv> {
  const digest = digestOf(skillsToken);
  return async (context, next) => {
    const given = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    if (given === undefined || digestOf(given) !== digest) return otherwise(context, next);
    context.set('identity', { kind: 'network', isOpen: () => true });
    await next();
  };
}
