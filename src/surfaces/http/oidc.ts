import { createHash, randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Configuration } from 'openid-client';
import type { App } from '../../app.ts';
import { messageOf } from '../../base/errors.ts';
import { providerLogin } from '../../operations/members.ts';
import type { GuardedEnv } from './guard.ts';
import type { Tokens } from './tokens.ts';

const cookie = 'sylk_login';
const lifeMs = 10 * 60_000;
const mostOpen = 1000;

/** What one browser was sent to the provider with. */
interface Started {
  state: string;
  nonce: string;
  verifier: string;
  expires: number;
}

export interface OidcOptions {
  app: () => App;
  tokens: Tokens;
  /** Where browsers reach this server. */
  address: () => string;
  now: () => number;
}

/**
 * Login with the identity provider of the team (OpenID Connect: code flow, PKCE, state, nonce). The answer has to come back to the browser that
 * asked, once, from the issuer that was asked.
 */
export function serveOidc(routes: Hono<GuardedEnv>, { app, tokens, address, now }: OidcOptions): void {
  const started = new Map<string, Started>();
  const callback = () => `${address()}/login/callback`;
  let known: Promise<Configuration> | undefined;
  const provider = async () => {
    known ??= discover(app().config.team);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  const isOn = () => app().config.team.oidc_issuer !== '';

  routes.get('/login/oidc', async (context) => {
    if (!isOn()) return context.notFound();
    const client = await import('openid-client');
    const config = await provider();
    const login = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      expires: now() + lifeMs,
    };
    for (const [key, { expires }] of started)
      if (expires <= now() || started.size > mostOpen) started.delete(key);
    const browser = randomBytes(32).toString('base64url');
    started.set(digestOf(browser), login);
    setCookie(context, cookie, browser, {
      path: '/login',
      httpOnly: true,
      sameSite: 'Lax',
      secure: address().startsWith('https:'),
      maxAge: lifeMs / 1000,
    });
    const target = client.buildAuthorizationUrl(config, {
      redirect_uri: callback(),
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: 'S256',
      state: login.state,
      nonce: login.nonce,
    });
    return context.redirect(target.href);
  });

  routes.get('/login/callback', async (context) => {
    if (!isOn()) return context.notFound();
    const browser = getCookie(context, cookie);
    deleteCookie(context, cookie, { path: '/login' });
    const key = browser === undefined ? undefined : digestOf(browser);
    const login = key === undefined ? undefined : started.get(key);
    if (key !== undefined) started.delete(key);
    if (!login || login.expires <= now())
      return back(context, 'The login was not begun in this browser, or took too long.');
    try {
      const client = await import('openid-client');
      const answered = await client.authorizationCodeGrant(
        await provider(),
        new URL(`${callback()}${new URL(context.req.url).search}`),
        {
          pkceCodeVerifier: login.verifier,
          expectedState: login.state,
          expectedNonce: login.nonce,
          idTokenExpected: true,
        },
      );
      const claims = answered.claims();
      if (!claims) return back(context, 'The identity provider did not say who you are.');
      const email = claims['email_verified'] === true ? String(claims['email']) : undefined;
      const member = await providerLogin(app(), { issuer: claims.iss, subject: claims.sub, email });
      if (!member)
        return back(
          context,
          'Nobody of this team is known by that identity. Ask an admin to add your email.',
        );
      return context.redirect(`/#code=${tokens.issueCode(member)}`);
    } catch (error) {
      app().log.warn(`login with the identity provider failed: ${messageOf(error)}`);
      return back(context, 'The identity provider’s answer was refused. Log in again.');
    }
  });
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A reader of the log learns why; the browser only that it did not work. */
const back = (context: Context, reason: string): Response =>
  context.redirect(`/#login_failed=${encodeURIComponent(reason)}`);

async function discover(team: App['config']['team']): Promise<Configuration> {
  const client = await import('openid-client');
  const issuer = new URL(team.oidc_issuer);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(issuer.hostname);
  const secret = team.oidc_client_secret === '' ? undefined : team.oidc_client_secret;
  return client.discovery(issuer, team.oidc_client_id, secret, undefined, {
    execute: isLocal ? [client.allowInsecureRequests] : [],
  });
}
