import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** A provider on loopback. Who logs in there is named by the login itself: `sub` is their email. */
export async function identityProvider(redirect: () => string, { verified = true } = {}) {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = [{ client_id: 'sylk', client_secret: 'a secret of the test', redirect_uris: [redirect()] }];
  const provider = new Provider(issuer, {
    clients,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: verified }),
    }),
  });
  server.on('request', provider.callback());
  return { issuer };
}

/** A browser without pages: keeps cookies by origin and follows redirects until `stop`. */
export function browser() {
  const jars = new Map<string, Map<string, string>>();
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const reply = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return reply;
  };
  /** Where a redirect leads; pages of the provider are answered as a person does who logs in as `email`. */
  const follow = async (start: string, email: string, stop: (url: string) => boolean): Promise<string> => {
    let url = start;
    for (let step = 0; step < 20; step++) {
      if (stop(url)) return url;
      let reply = await visit(url);
      if (reply.status === 200) {
        const page = await reply.text();
        const action = /action="([^"]+)"/.exec(page)?.[1] ?? url;
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login';
        reply = await visit(new URL(action, url).href, { prompt, login: email, password: 'any' });
      }
      const next = reply.headers.get('location');
      if (next === null) throw new Error(`${url} answered ${reply.status} ${await reply.text()}`);
      url = new URL(next, url).href;
    }
    throw new Error('too many redirects');
  };
  return { visit, follow };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
