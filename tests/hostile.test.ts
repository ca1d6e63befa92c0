import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApp } from '../src/app.ts';
import { allOperations } from '../src/operations/list.ts';
import { isForPersons } from '../src/operations/operation.ts';
import { runOperation } from '../src/operations/run.ts';
import { hostileRepository } from './support/hostile-repository.ts';
import { launcher } from './support/program.ts';
import { testRepository } from './support/repository.ts';
import { sylk } from './support/sylk.ts';
import { temporaryDirectory } from './support/temporary.ts';

/** Every database, log and cache that was made, as one text. */
const writtenUnder = (directory: string): string =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('\n')
    : '';

test('everything an agent can ask of a malicious repository runs no command of it, reads nothing outside, opens no connection', async () => {
  const repository = hostileRepository();
  const home = temporaryDirectory('home');
  let connections = 0;
  const sink = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const { port } = sink.address() as { port: number };
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    http_proxy: `http://127.0.0.1:${port}`,
    https_proxy: `http://127.0.0.1:${port}`,
  };
  const app = openApp({ directory: repository.path, env });
  expect(app.loadedConfig.warnings.join('\n')).toMatch(/never read from a repository/);
  expect(app.config.network.allow_hosts).toEqual([]);
  const answers: string[] = [];
  const ask = async (name: string, input: object) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'agent', name: 'hostile' } });
    answers.push(JSON.stringify(outcome.ok ? outcome.output : outcome.error));
    if (!outcome.ok)
      expect(outcome.error.code, `${name} ${JSON.stringify(input)}: ${outcome.error.message}`).not.toBe(
        'INTERNAL_ERROR',
      );
  };
  const operations = (await allOperations()).filter(
    (operation) => !isForPersons(operation) && operation.effect !== 'fetch',
  );
  if (operations.some((operation) => operation.name === 'index')) await ask('index', {});
  for (const operation of operations)
    for (const example of operation.examples.slice(0, 1)) await ask(operation.name, example);
  const paths = [
    'link-to-file.txt',
    'link-to-directory/secret.txt',
    'environ.ts',
    'loop-a',
    '../../etc/passwd',
    '/etc/passwd',
    '--upload-pack=x',
    'src/$(touch pwned).ts',
    'vendor/bare/config',
  ];
  for (const path of paths)
    for (const name of ['get_artifact', 'get_provenance', 'get_cochange', 'get_file'])
      if (operations.some((operation) => operation.name === name)) await ask(name, { path });
  for (const ref of [
    `--output=${join(repository.canaries, 'output.hit')}`,
    '-x',
    'HEAD:../x',
    '$(touch pwned)',
    'refs/heads/--upload-pack=touch',
  ])
    await ask('get_artifact', { path: 'src/a.ts', ref });
  await app.close();
  sink.close();
  expect(repository.hits()).toEqual([]);
  expect(connections).toBe(0);
  const said = answers.join('\n') + writtenUnder(join(repository.path, '.git', 'sylk')) + writtenUnder(home);
  expect(said).not.toContain(repository.secret);
  expect(said).not.toContain('hostile-env-value-123456');
});

test('no program of a clone runs because PATH leads into it, whether by a relative entry or its path, or has nothing else', () => {
  const { path } = testRepository();
  const hit = join(temporaryDirectory('hits'), 'hit');
  for (const name of ['git', 'node', 'dirname', 'readlink', 'uname']) {
    writeFileSync(join(path, name), `#!/bin/sh\necho ${name} >> '${hit}'\nexit 1\n`);
    chmodSync(join(path, name), 0o755);
  }
  // npm installs the launcher as a link.
  const link = join(temporaryDirectory('bin'), 'sylk');
  symlinkSync(launcher(), link);
  for (const PATH of [`.:${process.env.PATH}`, `${path}:${process.env.PATH}`, '.']) {
    const { code, err } = sylk(path, ['status'], { env: { PATH }, start: ['/bin/sh', link] });
    expect([PATH, code, err, existsSync(hit)]).toEqual([PATH, 0, '', false]);
  }
});
