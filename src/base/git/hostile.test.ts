import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { hostileRepository } from '../../../tests/support/hostile-repository.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { createGit, createOwnGit, findRepository, requireRemote, requireRevision } from './index.ts';

test('the traps are real: plain git springs them', () => {
  const { path, embedded, hits } = hostileRepository();
  spawnSync('git', ['-C', path, 'status']);
  spawnSync('git', ['-C', path, 'diff', 'HEAD~1']);
  spawnSync('git', ['-C', embedded, 'status']);
  expect(hits()).toEqual(expect.arrayContaining(['fsmonitor', 'external-diff']));
});

test('no program of a repository runs for any git verb that the product uses', async () => {
  const repository = hostileRepository();
  const git = createGit(repository.path);
  repository.write('src/a.ts', 'export const a = 2;\n');
  const verbs = [
    ['status', '--porcelain', '-z'],
    ['log', '--no-color', '-z', '--name-status', '-M', '--no-ext-diff', '--no-textconv', '--format=%H%x00%B'],
    ['log', '-p', '--no-ext-diff', '--no-textconv'],
    ['log', '--format=%G? %GK'],
    ['show', 'HEAD'],
    ['show', '--no-ext-diff', '--no-textconv', 'HEAD:src/a.ts'],
    ['diff', '--no-ext-diff', '--no-textconv', 'HEAD~1'],
    ['diff-tree', '-r', '-z', '--root', 'HEAD'],
    ['ls-files', '-z', '-s'],
    ['ls-tree', '-r', '-z', 'HEAD'],
    ['cat-file', '-p', 'HEAD'],
    ['rev-list', '--all'],
    ['for-each-ref'],
    ['blame', '--porcelain', 'src/a.ts'],
    ['grep', '-z', '-e', 'export'],
    ['check-ignore', '-z', '--stdin'],
    ['hash-object', '-w', '--no-filters', 'src/a.ts'],
    ['stash', 'list'],
    ['worktree', 'list', '--porcelain'],
    ['fetch', 'origin'],
    ['ls-remote', 'origin'],
    ['submodule', 'status'],
    ['var', 'GIT_EDITOR'],
  ];
  for (const verb of verbs) await git.run(verb, { accept: [1, 2, 128, 129] }).catch(() => undefined);
  expect(repository.hits()).toEqual([]);
});

test('a repository hidden inside of a working tree is never entered by chance', async () => {
  const repository = hostileRepository();
  const found = findRepository(join(repository.embedded, 'refs'));
  const git = createGit(repository.embedded);
  await git.run(['status'], { accept: [1, 128] });
  expect(repository.hits()).toEqual([]);
  expect(found.root).toBe(findRepository(repository.path).root);
});

const revisions = [
  '--upload-pack=touch x',
  '-x',
  '--output=/tmp/x',
  'HEAD..main',
  'a b',
  'main\n--x',
  'x:y',
  '@{upstream}',
  'HEAD^{/x}',
  '\u0000',
  '',
  'a\\b',
  'x?',
  'refs/*',
];
test.each(revisions)('%j is not a revision', (text) => {
  expect(() => requireRevision(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test.each(['main', 'HEAD', 'HEAD~3', 'v1.0', 'feature/x-1', 'a'.repeat(40), 'HEAD^'])(
  '%j is a revision',
  (text) => {
    expect(requireRevision(text)).toBe(text);
  },
);

const remotes = [
  'ext::sh -c touch% x',
  'EXT::sh',
  'Ext::sh',
  'fd::17',
  'file:///etc',
  'FILE:///etc',
  '/etc/passwd',
  '../other',
  '-oProxyCommand=touch x',
  '--upload-pack=touch x',
  'ssh://-oProxyCommand=x/y',
  'ssh://user@-oProxyCommand=x/y',
  'https://-x/y',
  'git://host/x',
  'http://host/x',
  'user@-oProxyCommand:x',
  'https://host/x\n--upload-pack=y',
  'https://host/ x',
  'transport::https://x',
  '',
];
test.each(remotes)('%j is not an address to fetch from', (url) => {
  expect(() => requireRemote(url)).toThrow(expect.objectContaining({ code: 'DENIED' }));
});

test.each(['https://example.org/a.git', 'ssh://git@example.org/a', 'git@example.org:a/b.git'])(
  '%j is an address',
  (url) => {
    expect(requireRemote(url)).toBe(url);
  },
);

test('even a hostile address that reaches git runs nothing: transports are closed', async () => {
  const repository = hostileRepository();
  const git = createGit(repository.path);
  const mark = join(repository.canaries, 'direct.hit');
  for (const url of [
    `ext::sh -c touch% ${mark}`,
    `EXT::sh -c touch% ${mark}`,
    `file://${repository.path}`,
    repository.path,
  ])
    await expect(git.run(['ls-remote', '--', url])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await git.run(['ls-remote', '--', `--upload-pack=touch ${mark};git-upload-pack`], {
    accept: [1, 2, 128, 129],
  });
  expect(existsSync(mark)).toBe(false);
  expect(repository.hits()).toEqual([]);
});

test('a glance answers all that git says at once, and nothing where git fails', () => {
  const { path } = hostileRepository();
  const git = createGit(path);
  expect(git.glance(['cat-file', '--batch-check=%(objecttype)'], 'HEAD\n')?.toString()).toBe('commit\n');
  expect(git.glance(['rev-parse', '--verify', 'no-such-name'], '')).toBeUndefined();
});

test('a server that never ends its list of references is stopped by a limit that the message names', async () => {
  const packet = `003f${'0'.repeat(40)} refs/heads/x\n`.padEnd(0x3f, 'x').repeat(1000);
  function* endless() {
    yield '001e# service=git-upload-pack\n0000';
    for (;;) yield packet;
  }
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    Readable.from(endless()).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const git = createOwnGit(temporaryDirectory('endless'), { protocols: 'http' });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/r.git`;
  try {
    await expect(git.run(['ls-remote', '--', url])).rejects.toThrow(/the limit of 64 MB/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a commit of a thousand million files is stopped by limits that the message names', async () => {
  const { path, git: plain } = testRepository();
  let tree = plain('write-tree');
  const blob = spawnSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: path,
    input: 'x',
    encoding: 'utf8',
  });
  const rowsOf = (kind: string) => Array.from({ length: 1000 }, (_, at) => `${kind}\tname${at}\n`).join('');
  let rows = rowsOf(`100644 blob ${blob.stdout.trim()}`);
  for (let level = 0; level < 3; level++) {
    tree = spawnSync('git', ['mktree'], { cwd: path, input: rows, encoding: 'utf8' }).stdout.trim();
    rows = rowsOf(`040000 tree ${tree}`);
  }
  const bomb = plain('commit-tree', '-m', 'bomb', tree);
  const git = createGit(path);
  const listed = git.run(['ls-tree', '-r', bomb], { maxOutputBytes: 1 << 20 });
  await expect(listed).rejects.toThrow(/git ls-tree was stopped: .* the limit of 1 MB of output/);
  const { child } = git.stream(['diff-tree', '--stdin', '--root', '-r']);
  child.stdin?.end(`${bomb}\n`);
  child.stdout?.resume();
  const [failure] = await once(child, 'error');
  expect(failure).toMatchObject({ message: expect.stringMatching(/the limit of 256 MB of memory/) });
});

test('patterns that keep git busy for ever are named as the reason', async () => {
  const repository = testRepository();
  repository.write(`d/${'a'.repeat(200)}.py`, '');
  repository.write('.gitignore', `${'**/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n'.repeat(200)}`);
  const git = createGit(repository.path);
  await expect(
    git.list(['ls-files', '-z', '--others', '--exclude-standard'], { timeoutMs: 500 }),
  ).rejects.toMatchObject({ code: 'TIMEOUT', hint: expect.stringContaining('.gitignore') });
});
