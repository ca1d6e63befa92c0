import { readFileSync } from 'node:fs';
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
