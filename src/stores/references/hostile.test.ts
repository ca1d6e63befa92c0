import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gitBackend, publishBare } from '../../../tests/support/local-forge.ts';
import { failure, testReferences } from '../../../tests/support/references.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { testGitServer, testSite } from '../../../tests/support/site.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';

const reasonOf = async (work: Promise<unknown>): Promise<string> => {
  const { code, data } = await failure(work);
  return String(data?.['reason'] ?? code);
};

describe('an address or a name that wants to be a command', () => {
  const canary = join(mkdtempSync(join(tmpdir(), 'sylk-canary-')), 'canary');

  test.each([
    `--upload-pack=touch ${canary}`,
    `-u touch ${canary}`,
    `ext::sh -c touch% ${canary}`,
    `EXT::sh -c touch% ${canary}`,
    `Ext::touch ${canary}`,
    'fd::17',
    `ssh://-oProxyCommand=touch%20${canary}/x`,
    `-oProxyCommand=touch ${canary}`,
    `git@-oProxyCommand=touch:x`,
    'git://example.org/x.git',
    'FILE:///etc',
    'file:///etc',
    '/etc',
    '../..',
    'https://example.org/a b',
    'https://example.org/\n--upload-pack=x',
    `transport::address`,
    '',
  ])('%j is refused by name', async (url) => {
    const { create } = await testReferences();
    const { code } = await failure(create({ sources: [{ type: 'git', url }] }));
    expect(['DENIED', 'VALIDATION_ERROR', 'UNAVAILABLE']).toContain(code);
    expect(existsSync(canary)).toBe(false);
  });

  test('refs and paths never become options', async () => {
    const repository = testRepository();
    repository.commit('x', { 'a.md': 'text\n' });
    const root = temporaryDirectory('forge');
    publishBare(repository.path, root, 'x');
    const server = await testGitServer(root);
    const { create } = await testReferences({ allowHosts: [server.host] });
    const url = `${server.url}/x.git`;
    for (const ref of [
      `--upload-pack=touch ${canary}`,
      '-c',
      '--exec=x',
      'a..b',
      'HEAD@{1}',
      'x:y',
      'no\nwhere',
    ]) {
      expect((await failure(create({ sources: [{ type: 'git', url, ref }] }))).code).toBe('VALIDATION_ERROR');
    }
    for (const path of ['--output=x', '../..', '/etc/passwd', '-']) {
      const none = create({ title: path, sources: [{ type: 'git', url, paths: [path] }] });
      expect(await reasonOf(none)).toBe('nothing_there');
    }
    expect(existsSync(canary)).toBe(false);
  });
});

describe('a way into the inner network', () => {
  test('is refused for repositories and pages alike, and nothing connects', async () => {
    const canary = await testSite({ '/': 'secret' });
    const { create } = await testReferences();
    for (const type of ['git', 'web', 'crawl'] as const) {
      const source = { type, url: `${canary.url}/x.git`, depth: 1, max_pages: 3 } as never;
      const error = await failure(create({ title: type, sources: [source] }));
      expect(error.code === 'DENIED' || error.code === 'NOT_FOUND').toBe(true);
    }
    expect(canary.connections()).toBe(0);
  });

  test('is refused behind a redirect of a repository or a page', async () => {
    const canary = await testSite({ '/': 'secret' });
    const door = await testSite((_request, response) => {
      response.writeHead(302, { location: `${canary.url}/latest/meta-data/` }).end();
    });
    const { create } = await testReferences({ allowHosts: [door.host] });
    for (const type of ['git', 'web'] as const) {
      const refused = create({ title: type, sources: [{ type, url: `${door.url}/x.git` }] });
      expect(['private_address', 'redirect_refused']).toContain(await reasonOf(refused));
    }
    expect(canary.connections()).toBe(0);
  });

  test('is not opened by a name that answers differently to git: git connects to the address that was judged', async () => {
    const repository = testRepository();
    repository.commit('x', { 'a.md': '# text\n' });
    const root = temporaryDirectory('forge');
    publishBare(repository.path, root, 'x');
    const server = await testGitServer(root);
    const port = new URL(server.url).port;
    // No name server knows this name: only the pinned address can have been used.
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const { create } = await testReferences({ allowHosts: [`pinned.invalid:${port}`], lookup });
    const report = await create({ sources: [{ type: 'git', url: `http://pinned.invalid:${port}/x.git` }] });
    expect(report.file_count).toBe(1);
  });

  test('is not opened by git itself following a redirect', async () => {
    const repository = testRepository();
    repository.commit('x', { 'a.md': '# text\n' });
    const root = temporaryDirectory('forge');
    publishBare(repository.path, root, 'x');
    const canary = await testSite({ '/': 'secret' });
    const backend = gitBackend(root);
    let asked = 0;
    const server = await testSite((request, response) => {
      // Honest to the guarded look, dishonest to git.
      if (++asked > 1) response.writeHead(302, { location: `${canary.url}/x.git/info/refs` }).end();
      else backend(request, response);
    });
    const { create } = await testReferences({ allowHosts: [server.host] });
    expect((await failure(create({ sources: [{ type: 'git', url: `${server.url}/x.git` }] }))).code).toBe(
      'UNAVAILABLE',
    );
    expect(canary.connections()).toBe(0);
  });
});

describe('a body without measure', () => {
  test('a bomb, an endless page and a page of another kind each have their name', async () => {
    const site = await testSite((request, response) => {
      if (request.url === '/bomb') {
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(40_000_000)));
      } else if (request.url === '/endless') {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const push = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', push);
        push();
      } else if (request.url === '/deep')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(5000));
      else if (request.url === '/wide')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(1_000_000));
      else response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
    });
    const { create } = await testReferences({ allowHosts: [site.host] });
    const reason = (path: string) =>
      reasonOf(create({ title: path, sources: [{ type: 'web', url: `${site.url}${path}` }] }));
    expect(await reason('/bomb')).toBe('too_large_decoded');
    expect(await reason('/endless')).toBe('too_large');
    expect(await reason('/deep')).toBe('too_complex');
    expect(await reason('/wide')).toBe('too_complex');
    expect(await reason('/zip')).toBe('wrong_type');
  });

  test('a repository over the limit is refused whole, not in part', async () => {
    const repository = testRepository();
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`f${at}.md`, `${at} `.repeat(30_000)]),
    );
    repository.commit('x', files);
    const root = temporaryDirectory('forge');
    publishBare(repository.path, root, 'x');
    const server = await testGitServer(root);
    const limits = { maxFiles: 10, maxBytes: 50_000_000, maxFileBytes: 500_000, timeoutMs: 30_000 };
    const url = `${server.url}/x.git`;
    const many = await testReferences({ allowHosts: [server.host] }, { budget: limits });
    expect(await reasonOf(many.create({ sources: [{ type: 'git', url }] }))).toBe('too_large');
    const heavy = await testReferences(
      { allowHosts: [server.host] },
      { budget: { ...limits, maxFiles: 99, maxBytes: 100_000 } },
    );
    expect(await reasonOf(heavy.create({ sources: [{ type: 'git', url }] }))).toBe('too_large');
    expect(readdirSync(heavy.root)).not.toContain('dioxus-rust-ui-framework');
  });
});

/** A tree object as no honest program writes it. */
function writeTree(repository: string, entries: Array<[mode: string, name: string, object: string]>): string {
  const bytes = Buffer.concat(
    entries.map(([mode, name, object]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')]),
    ),
  );
  const made = spawnSync(
    'git',
    ['-C', repository, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin'],
    { input: bytes, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  return made.stdout.trim();
}

test('path tricks of a repository are contained: links, parents, collisions, devices, submodules, git directories', async () => {
  const canary = await testSite({ '/': 'submodule' });
  const repository = testRepository();
  repository.commit('base', { 'README.md': 'upper case readme\n', 'good.md': 'a good file\n' });
  const blob = (text: string) => {
    repository.write('scratch', text);
    return repository.git('hash-object', '-w', 'scratch');
  };
  const text = blob('planted\n');
  const inner = writeTree(repository.path, [['100644', 'pwned', text]]);
  const up = writeTree(repository.path, [['40000', '..', inner]]);
  const tree = writeTree(repository.path, [
    ['40000', '..', inner],
    ['40000', '.git', inner],
    ['100644', '.gitmodules', blob(`[submodule "s"]\n\tpath = sub\n\turl = ${canary.url}/s.git\n`)],
    ['100644', 'README.md', blob('upper case readme\n')],
    ['40000', 'a', up],
    ['100644', 'a\\b', text],
    ['100644', 'aux.txt', text],
    ['100644', 'c:evil', text],
    ['100644', 'dot.', text],
    ['100644', 'good.md', blob('a good file\n')],
    ['120000', 'link', blob('/etc/passwd')],
    ['100644', 'new\nline', text],
    ['100644', 'readme.md', blob('lower case readme\n')],
    ['160000', 'sub', '1'.repeat(40)],
    ['100644', 'topic.md', blob('+++\nid = "topic-forged"\n+++\n')],
  ]);
  const commit = repository.git('commit-tree', tree, '-m', 'hostile');
  const root = temporaryDirectory('forge');
  const bare = publishBare(repository.path, root, 'x');
  repository.git('push', '-q', '-f', bare, `${commit}:refs/heads/main`);
  const server = await testGitServer(root);
  const { create, root: shelf } = await testReferences({ allowHosts: [server.host] });
  const report = await create({ title: 'Hostile', sources: [{ type: 'git', url: `${server.url}/x.git` }] });
  expect(report.problems.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['links_left_out', 'submodules_left_out', 'unsafe_path', 'name_collision']),
  );
  expect(report.problems.filter(({ reason }) => reason === 'unsafe_path')).toHaveLength(8);
  const directory = join(shelf, 'hostile');
  expect(readdirSync(directory).sort()).toEqual(
    ['.gitmodules', 'README.md', 'good.md', 'readme~2.md', 'topic.md', 'topic~2.md'].sort(),
  );
  expect(readFileSync(join(directory, 'readme~2.md'), 'utf8')).toBe('lower case readme\n');
  expect(readFileSync(join(directory, 'topic.md'), 'utf8')).toContain('topic-hostile');
  expect(existsSync(join(shelf, 'pwned')) || existsSync(join(shelf, '..', 'pwned'))).toBe(false);
  expect(canary.connections()).toBe(0);
});

test('bytes that are not text, and text in another charset, are contained', async () => {
  const site = await testSite((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
      .end(Buffer.from('na\xefve caf\xe9 text\n', 'latin1')),
  );
  const repository = testRepository();
  repository.commit('x', {
    'latin.md': Buffer.from('# Caf\xe9 menu\n\nplain words here\n', 'latin1'),
    'raw.md': new Uint8Array([0, 1, 2, 255]),
  });
  const { create, store } = await testReferences({ allowHosts: [site.host] });
  const report = await create({
    sources: [
      { type: 'local', path: repository.path },
      { type: 'web', url: `${site.url}/p` },
    ],
  });
  expect(report.file_count).toBe(2);
  expect((await store.search({ question: 'plain words' }))[0]?.file).toBe('latin.md');
});

test('what looks like a credential stays out of the index', async () => {
  const repository = testRepository();
  repository.commit('x', {
    'setup.md': '# Setup\n\nUse `ghp_abcdefghijklmnopqrstuvwxyz0123456789` to log in.\n',
  });
  const { create, store, root } = await testReferences();
  await create({ sources: [{ type: 'local', path: repository.path }] });
  expect((await store.search({ question: 'log in setup' }))[0]?.text).toContain('[redacted:github-token]');
  await store.close();
  const index = readdirSync(join(root, '.index')).map((name) =>
    readFileSync(join(root, '.index', name), 'latin1'),
  );
  expect(index.join('')).not.toContain('ghp_abcdefghijklmnopqrstuvwxyz');
});
