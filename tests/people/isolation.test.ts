import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { type TeamServer, teamServer } from '../support/team-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const secret = 'zanzibar';

function repositories(...names: string[]): string[] {
  const place = temporaryDirectory('team');
  return names.map((name) => {
    const at = join(place, name);
    cpSync(fixtureRepository().path, at, { recursive: true });
    return at;
  });
}

/** Times, ids, places and ports differ from world to world. */
const steady = (text: string, { url, workspace, home }: TeamServer): string =>
  workspace
    .opened()
    .reduce((rest, app) => rest.replaceAll(app.repository.root, '<root>'), text.replaceAll(home, '<home>'))
    .replaceAll(url, '<url>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(/\b[a-z]{2,12}_0[0-9a-z]{28,}/g, '<id>')
    .replace(/\b[0-9a-f]{12}\b/g, '<token>')
    .replace(/"[a-z_]*(?:_ms|bytes|elapsed|pid)":[\d.]+/g, '<number>');

/** Everything that a member of one repository is told when it looks for another one. */
async function everythingTold(team: TeamServer, token: string, foreign: string): Promise<string[]> {
  const told: string[] = [];
  const keep = ({ status, text }: { status: number; text: string }) =>
    told.push(`${status} ${steady(text, team)}`);
  const inputs: Array<[string, unknown]> = [
    ['ask', { question: `what about ${secret}` }],
    ['search', { query: secret }],
    ['search_history', { query: secret }],
    ['search_all', { query: secret }],
    ['get_entry', { id: foreign }],
    ['get_sources', { ref: `entry:${foreign}` }],
    ['get_neighbourhood', { ref: `entry:${foreign}` }],
    ['get_briefing', {}],
    ['search_work', { query: secret }],
    ['changes_since', {}],
    ['list_sessions', {}],
    ['list_approvals', {}],
    ['list_people', {}],
    ['list_tokens', {}],
    ['get_cost', {}],
    ['list_budgets', {}],
    ['list_runs', {}],
    ['get_metrics', {}],
    ['list_audit', {}],
    ['create_token', { name: 'Eve' }],
    ['revoke_token', { id: '000000000000' }],
    ['who_am_i', {}],
  ];
  for (const [name, input] of inputs) keep(await team.call(token, name, input));
  for (const where of ['site', 'nowhere', '*', '', '../site'])
    keep({
      ...(await team.call(token, 'get_entry', { id: foreign }, where)),
      status: 0,
    });
  keep(await team.send(token, '/api/repositories', {}, { method: 'GET' }));
  keep(await team.send(token, '/api/openapi.json', {}, { method: 'GET' }));
  keep(await team.send(token, '/api/events?repository=site', {}, { method: 'GET' }));
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${team.url}/mcp`), { requestInit: { headers } }),
  );
  told.push(steady(JSON.stringify((await client.listTools()).tools), team));
  told.push(
    steady(JSON.stringify(await client.callTool({ name: 'search', arguments: { query: secret } })), team),
  );
  await client.close();
  return told;
}

test('a repository that is closed to a member is as if it did not exist', { timeout: 120_000 }, async () => {
  const worlds = [];
  let foreign = 'ent_0';
  for (const names of [['shop', 'site'], ['shop']]) {
    const team = await teamServer({ repositories: repositories(...names) });
    const token = await team.join('Ada', 'reader', { repository: 'shop' });
    if (names.includes('site')) {
      const eve = await team.join('Eve', 'writer', { repository: 'site' });
      const input = { content: `We moved the server to ${secret}.`, category: 'decision' };
      const stored = await team.call(eve, 'store_entry', input, 'site');
      expect(stored.status, stored.text).toBe(200);
      foreign = /"(ent_[0-9a-z]+)"/.exec(stored.text)?.[1] ?? '';
      expect(foreign).not.toBe('');
      expect((await team.call(eve, 'get_entry', { id: foreign }, 'site')).text).toContain(secret);
      expect((await team.call(eve, 'search_history', { query: secret })).text).toContain(secret);
    }
    worlds.push(await everythingTold(team, token, foreign));
  }
  const [withIt = [], without = []] = worlds;
  for (const [at, text] of withIt.entries()) expect(text, String(at)).toBe(without[at]);
  expect(withIt.join('\n')).not.toContain('moved the server');
});

test('an admin of one repository gains nothing in another', { timeout: 60_000 }, async () => {
  const team = await teamServer({ repositories: repositories('shop', 'site') });
  const admin = await team.join('Ada', 'admin', { repository: 'shop' });
  const root = await team.join('Root', 'admin');
  const codes = async (operation: string, input: unknown) =>
    (await team.call(admin, operation, input)).status;
  expect(await codes('change_right', { name: 'Ada', right: 'admin', repository: 'site' })).toBe(403);
  expect(await codes('change_right', { name: 'Ada', right: 'admin', repository: '*' })).toBe(403);
  expect(await codes('add_person', { name: 'Eve', right: 'admin', repository: '*' })).toBe(403);
  expect(await codes('create_token', { name: 'Root' })).toBe(404);
  expect(await codes('set_password', { name: 'Root' })).toBe(404);
  expect(await codes('remove_person', { name: 'Root' })).toBe(403);
  expect(await codes('add_person', { name: 'Bob', right: 'writer' })).toBe(200);
  expect((await team.call(admin, 'list_audit')).text).not.toContain('"repository":"site"');
  expect((await team.call(root, 'who_am_i', {}, 'site')).status).toBe(200);
});
