import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ErrorReport } from '../../base/errors.ts';

/** Who a token stands for: the API's token acts over the network, the dashboard's token is the person at the screen. */
export type Identity = 'network' | 'person';

export interface Tokens {
  readonly api: string;
  readonly dashboard: string;
  /** A code for the link that is shown in the terminal; it buys the dashboard's token once. */
  issueCode(): string;
  redeemCode(code: string): string | undefined;
  identify(token: string | undefined): Identity | undefined;
}

const codeLifeMs = 10 * 60_000;

export function createTokens(now: () => number = Date.now): Tokens {
  const api = randomBytes(32).toString('base64url');
  const dashboard = randomBytes(32).toString('base64url');
  const codes = new Map<string, number>();
  return {
    api,
    dashboard,
    issueCode: () => {
      const code = randomBytes(18).toString('base64url');
      codes.set(code, now() + codeLifeMs);
      return code;
    },
    redeemCode: (code) => {
      const expires = codes.get(code);
      codes.delete(code);
      return expires !== undefined && expires > now() ? dashboard : undefined;
    },
    identify: (token) => {
      if (!token) return undefined;
      if (same(token, api)) return 'network';
      return same(token, dashboard) ? 'person' : undefined;
    },
  };
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

export type GuardedEnv = { Variables: { identity: Identity } };

const refusal = (code: ErrorReport['code'], message: string, hint: string) => ({
  error: { code, message, hint },
});

/** Only a browser page or a program that speaks to this very address: other names and other origins get nothing. */
export function hostGuard(port: () => number): MiddlewareHandler<GuardedEnv> {
  return async (context, next) => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`);
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (!hosts.includes(host))
      return context.json(
        refusal('DENIED', 'This host name is not served.', `Use http://127.0.0.1:${port()}`),
        403,
      );
    const origin = context.req.header('origin')?.toLowerCase();
    if (origin !== undefined && !hosts.some((known) => origin === `http://${known}`)) {
      return context.json(
        refusal('DENIED', 'Other origins are not served.', 'Open the dashboard from its own address.'),
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

/** A token in the Authorization header, never in an address. Guessing is slowed down for everybody at once. */
export function tokenGuard(tokens: Tokens, now: () => number = Date.now): MiddlewareHandler<GuardedEnv> {
  let failures: number[] = [];
  return async (context, next) => {
    const given = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    const identity = tokens.identify(given);
    if (!identity) {
      failures = failures.filter((at) => at > now() - window);
      if (failures.length >= maxFailures)
        return context.json(refusal('DENIED', 'Too many wrong tokens.', 'Wait a minute.'), 429);
      if (given) failures.push(now());
      context.header('www-authenticate', 'Bearer');
      return context.json(
        refusal(
          'DENIED',
          'A token is required.',
          'Send `Authorization: Bearer <token>`; it is in .sylk/run/http.json.',
        ),
        401,
      );
    }
    context.set('identity', identity);
    await next();
  };
}
