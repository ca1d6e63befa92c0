import { expect, test } from 'vitest';
import { browser, freePort, identityProvider } from '../support/oidc.ts';
import { type TeamServer, teamServer } from '../support/team-server.ts';

const json = (text: string) => JSON.parse(text) as Record<string, string>;

test('a name and a password open a session or make a token; everything else is refused alike', async () => {
  const team = await teamServer();
  await team.people.add({ name: 'Ada', kind: 'person', by: 'test' });
  await team.people.giveRight({ name: 'Ada', repository: '*', right: 'writer', by: 'test' });
  await team.people.setPassword('Ada', 'correct horse battery');
  const login = (body: unknown) => team.send(undefined, '/api/login', body);
  const wrong = await login({ name: 'Ada', password: 'wrong horse battery' });
  const unknown = await login({ name: 'Nobody', password: 'wrong horse battery' });
  expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
  const { token = '' } = json(
    (await login({ name: 'ada', password: 'correct horse battery', label: 'laptop' })).text,
  );
  expect(json((await team.call(token, 'who_am_i')).text)).toMatchObject({ name: 'Ada', right: 'writer' });
  const { code = '' } = json((await login({ name: 'Ada', password: 'correct horse battery' })).text);
  const { token: session = '' } = json((await team.send(undefined, '/api/session', { code })).text);
  expect(json((await team.call(session, 'who_am_i')).text)).toMatchObject({ name: 'Ada', kind: 'person' });
  expect((await team.send(undefined, '/api/session', { code })).status).toBe(401);
  await team.people.end('Ada');
  expect([
    (await team.call(token, 'who_am_i')).status,
    (await team.call(session, 'who_am_i')).status,
  ]).toEqual([401, 401]);
  const { items } = await (await team.app.audit()).list({ operation: 'login', offset: 0, limit: 10 });
  expect(items.map(({ outcome }) => outcome)).toEqual(['began', 'began', 'refused', 'refused']);
});

/** A team whose people log in at a provider, which has to know the address of the server beforehand. */
async function withProvider(options: { verified?: boolean } = {}) {
  const port = await freePort();
  const { issuer } = await identityProvider(() => `http://127.0.0.1:${port}/login/callback`, options);
  const secret = 'team.oidc_client_secret=a secret of the test';
  const team = await teamServer({
    settings: [`team.oidc_issuer=${issuer}`, 'team.oidc_client_id=sylk', secret],
    port,
  });
  await team.people.add({ name: 'Ada', kind: 'person', email: 'ada@example.org', by: 'test' });
  await team.people.giveRight({ name: 'Ada', repository: '*', right: 'writer', by: 'test' });
  return { team };
}

const atCallback = (url: string) => url.includes('/login/callback');
const atEnd = (url: string) => url.includes('/#');

async function finish(team: TeamServer, url: string) {
  const code = /#code=(.+)$/.exec(url)?.[1];
  if (code === undefined) return undefined;
  return json((await team.send(undefined, '/api/session', { code })).text).token;
}

test('a person logs in at the provider, and only those whom an admin added by a verified email', {
  timeout: 60_000,
}, async () => {
  const { team } = await withProvider();
  const end = await browser().follow(`${team.url}/login/oidc`, 'ada@example.org', atEnd);
  const session = await finish(team, end);
  expect(json((await team.call(session, 'who_am_i')).text)).toMatchObject({ name: 'Ada' });
  // Known by the provider's own name from now on: another address finds the same person.
  const stranger = await browser().follow(`${team.url}/login/oidc`, 'eve@example.org', atEnd);
  expect(decodeURIComponent(stranger)).toMatch(/login_failed=Nobody of this team/);

  // Begun in one browser, answered in another: the answer of a stranger's login opens nothing here.
  const own = browser();
  const answer = await own.follow(`${team.url}/login/oidc`, 'ada@example.org', atCallback);
  const other = await browser().visit(answer);
  expect(decodeURIComponent(other.headers.get('location') ?? '')).toMatch(/not begun in this browser/);
  const victim = browser();
  await victim.visit(`${team.url}/login/oidc`);
  expect((await victim.visit(answer)).headers.get('location')).toMatch(/login_failed/);

  // Another issuer, no issuer, another state: refused, and the login is used up.
  const twists: Array<(url: string) => string> = [
    (url) => url.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.example')}`),
    (url) => url.replace(/&iss=[^&]+/, ''),
    (url) => url.replace(/state=[^&]+/, 'state=other'),
  ];
  for (const twist of twists) {
    const each = browser();
    const fresh = await each.follow(`${team.url}/login/oidc`, 'ada@example.org', atCallback);
    expect(twist(fresh)).not.toBe(fresh);
    for (const url of [twist(fresh), fresh])
      expect((await each.visit(url)).headers.get('location'), url).toMatch(/login_failed/);
  }
  const done = await own.visit(answer);
  expect(done.headers.get('location')).toMatch(/#code=/);
  expect((await own.visit(answer)).headers.get('location')).toMatch(/login_failed/);
});

test('an email that the provider did not verify names nobody', { timeout: 60_000 }, async () => {
  const { team } = await withProvider({ verified: false });
  const end = await browser().follow(`${team.url}/login/oidc`, 'ada@example.org', atEnd);
  expect(decodeURIComponent(end)).toMatch(/Nobody of this team/);
});
