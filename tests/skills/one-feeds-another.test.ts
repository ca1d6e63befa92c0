import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { httpSource } from '../../src/sdk.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { skillText, writeSkills } from '../support/skills.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { trustRepository } from '../support/trust.ts';

test('a running Sylk serves its skills to another: list, text, collections, and only to who has the token', async () => {
  const repository = fixtureRepository();
  writeSkills(join(repository.path, '.sylk/skills'), {
    'extraction/COLLECTION.md': 'Entity extraction\n',
    'extraction/email/SKILL.md': skillText('email', 'Reads mail', 'List the people.'),
  });
  const env = { ...process.env, SYLK_HOME: join(temporaryDirectory('home'), '.sylk') };
  await trustRepository(repository.path, env);
  const workspace = createWorkspace({ directories: [repository.path], env, flags: [] });
  const selection = { toolsets: ['all'], allow: [], deny: [], readOnly: true };
  const server = await serveHttp({ workspace, selection, port: 0 });
  onTestFinished(async () => {
    await server.close();
    await workspace.close();
  });
  const { token } = JSON.parse(readFileSync(server.tokenFile, 'utf8')) as { token: string };
  const options = { url: `${server.url}/api`, allowHosts: [new URL(server.url).host] };
  const source = httpSource({ ...options, auth: { bearer: token } });
  expect((await source.list({ collection: 'extraction' })).map((skill) => skill.id)).toEqual([
    'extraction/email',
  ]);
  expect((await source.load('extraction/email')).body).toBe('List the people.');
  expect(await source.collections!()).toEqual([
    { path: 'extraction', description: 'Entity extraction', count: 1 },
  ]);
  await expect(source.load('no/such')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(httpSource(options).list()).rejects.toMatchObject({ code: 'DENIED' });
  const filtered = await fetch(`${server.url}/api/skills?query=mail`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(((await filtered.json()) as { skills: unknown[] }).skills).toHaveLength(1);
});

test('the token for skills stays the same, reads skills only, and a server that reads itself shadows and asks nothing twice', async () => {
  const repository = fixtureRepository();
  writeSkills(join(repository.path, '.sylk/skills'), {
    'email/SKILL.md': skillText('email', 'Reads mail', 'List the people.'),
  });
  const home = join(temporaryDirectory('home'), '.sylk');
  const env = { ...process.env, SYLK_HOME: home };
  await trustRepository(repository.path, env);
  const start = async () => {
    const workspace = createWorkspace({ directories: [repository.path], env, flags: [] });
    const selection = { toolsets: ['all'], allow: [], deny: [], readOnly: true };
    const server = await serveHttp({ workspace, selection, port: 0 });
    const close = async () => {
      await server.close();
      await workspace.close();
    };
    return { server, close, token: readFileSync(server.skillsTokenFile, 'utf8').trim() };
  };
  const first = await start();
  await first.close();
  const { server, close, token } = await start();
  onTestFinished(close);
  expect(token).toBe(first.token);
  const ask = (path: string, method = 'GET') =>
    fetch(`${server.url}/api/${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  const list = async () => ((await (await ask('skills')).json()) as { skills: Array<{ id: string }> }).skills;
  expect((await list()).map(({ id }) => id)).toEqual(['email']);
  expect((await ask('get_briefing', 'POST')).status).toBe(401);
  const { host } = new URL(server.url);
  writeFileSync(join(home, 'config.yaml'), `network:\n  allow_hosts: ["${host}"]\n`);
  const entry = { name: 'itself', type: 'http', url: `${server.url}/api`, auth_token: token };
  writeFileSync(
    join(home, 'skills.toml'),
    `[[repositories]]\n${Object.entries(entry)
      .map(([key, value]) => `${key} = "${value}"`)
      .join('\n')}\n`,
  );
  expect((await list()).map(({ id }) => id)).toEqual([]);
});
