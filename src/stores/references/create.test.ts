import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishBare, silentBackend } from '../../../tests/support/local-forge.ts';
import { draft, failure, testReferences } from '../../../tests/support/references.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { testGitServer, testSite } from '../../../tests/support/site.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openGitRemote } from './sources/git-remote.ts';
import { sizesOnGitHub } from './sources/github.ts';
import { sizesOf } from './sources/object-info.ts';
import { readTopicFile } from './topic-file.ts';

const library = {
  'README.md': '# dioxus\n\nA framework for interfaces in Rust.\n',
  'docs/guide/index.md':
    '# Guide\n\n## Lifecycle\n\nUse the `use_effect` hook to run code when a component mounts.\n',
  'docs/signals.md': '# Signals\n\nState lives in signals: call `use_signal` inside of a component.\n',
  'examples/hello_world.rs':
    'fn main() {\n    launch(app);\n}\n\nfn app() -> Element {\n    rsx! { "Hello" }\n}\n',
  'src/lib.rs': '//! The core.\npub fn launch(app: fn() -> Element) {}\n',
  'assets/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
  '.env': 'TOKEN=very-secret-value-123\n',
};

const bytesOf = (...paths: Array<keyof typeof library>): number =>
  paths.reduce((sum, path) => sum + Buffer.byteLength(library[path]), 0);

async function forge(files: Record<string, string | Uint8Array> = library) {
  const repository = testRepository();
  const commit = repository.commit('first', files);
  const root = temporaryDirectory('forge');
  publishBare(repository.path, root, 'DioxusLabs/dioxus');
  const server = await testGitServer(root);
  return {
    repository,
    commit,
    server,
    url: `${server.url}/DioxusLabs/dioxus.git`,
    bare: join(root, 'DioxusLabs/dioxus.git'),
  };
}

test('a repository is counted without its contents, fetched, shelved with its commit, and found', async () => {
  const { server, url, commit } = await forge();
  const { create, asked, store, root } = await testReferences({ allowHosts: [server.host] });
  const report = await create({ sources: [{ type: 'git', url, ref: 'main' }] });
  expect(report).toMatchObject({ topic_id: 'topic-dioxus-rust-ui-framework', file_count: 5, problems: [] });
  expect(report.chunk_count).toBeGreaterThanOrEqual(5);
  expect(report.embedded).toEqual({ static: report.chunk_count, model: 0, of: report.chunk_count });
  expect(asked[0]).toMatchObject({
    summary: 'DioxusLabs/dioxus: 5 files, ~1 KB, Rust',
    files: 5,
    bytes: bytesOf(
      'README.md',
      'docs/guide/index.md',
      'docs/signals.md',
      'examples/hello_world.rs',
      'src/lib.rs',
    ),
    targets: [{ kind: 'git', target: url, resolved: commit, note: 'the entire repository' }],
  });
  const directory = join(root, 'dioxus-rust-ui-framework');
  const topic = readTopicFile(readFileSync(join(directory, 'topic.md'), 'utf8'), 'topic.md');
  expect(topic).toMatchObject({
    title: 'Dioxus - Rust UI Framework',
    status: 'active',
    fetched_at: '2025-06-15T10:00:00.000Z',
    max_age_days: 30,
    trust_score: 8,
    created_by: { agent: 'client', model: 'test' },
    sources: [{ type: 'git', url, ref: 'main', commit }],
    files: ['README.md', 'docs/guide/index.md', 'docs/signals.md', 'examples/hello_world.rs', 'src/lib.rs'],
  });
  expect(existsSync(join(directory, '.git'))).toBe(false);
  expect(existsSync(join(directory, '.env'))).toBe(false);
  const [hit] = await store.search({ question: 'component lifecycle hooks', topic: 'dioxus' });
  expect(hit).toMatchObject({ file: 'docs/guide/index.md', heading: 'Guide › Lifecycle', commit, trust: 70 });
});

test('looking at a repository asks for no contents', async () => {
  const big = { ...library, 'src/big.rs': `// ${'x'.repeat(150_000)}\n` };
  const { server, url } = await forge(big);
  const { store, root } = await testReferences({ allowHosts: [server.host] });
  const refused = failure(
    store.create({
      draft: draft({ sources: [{ type: 'git', url }] }),
      author: { agent: 'a', model: '' },
      answered: false,
      permit: async ({ files }) => {
        expect(files).toBe(6);
        const stage = readdirSync(join(root, '.staging')).filter((name) => /^\d/.test(name))[0]!;
        expect(readdirSync(join(root, '.staging', stage, 'scratch'))).toEqual([]);
        throw new Error('not now');
      },
    }),
  );
  expect((await refused).message).toBe('not now');
  expect(readdirSync(root)).not.toContain('dioxus-rust-ui-framework');
  expect(readdirSync(join(root, '.staging'))).toEqual(['.gitignore']);
});

test('sizes are told exactly when several requests are needed, and none for a file that is missing', async () => {
  const { server, url, bare } = await forge();
  const outside = { allowHosts: [server.host], gh: '' };
  const remote = await openGitRemote(url, outside);
  const listed = spawnSync('git', ['-C', bare, 'ls-tree', '-r', '-l', 'main'], { encoding: 'utf8' }).stdout;
  const expected = listed
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
    .map(([, , object, size]) => [object!, Number(size)] as const);
  const objects = expected.map(([object]) => object);
  expect(await sizesOf(remote, objects, outside, 2)).toEqual(new Map(expected));
  expect(server.requests.filter((path) => path.endsWith('/git-upload-pack'))).toHaveLength(4);
  expect(await sizesOf(remote, [...objects, '1'.repeat(40)], outside)).toEqual(new Map(expected));
});

test('GitHub is asked for sizes without a login; what it cuts off or refuses stays unknown', async () => {
  const [whole, cut, refused] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [
    string,
    string,
    string,
  ];
  const tree = [
    { path: 'a.md', mode: '100644', type: 'blob', sha: '1'.repeat(40), size: 42 },
    { path: 'docs', mode: '040000', type: 'tree', sha: '2'.repeat(40) },
  ];
  const site = await testSite((request, response) => {
    if (request.url?.includes(refused)) return void response.writeHead(403).end();
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ tree, truncated: request.url?.includes(cut) }));
  });
  const sizes = (commit: string) =>
    sizesOnGitHub('https://github.com/DioxusLabs/dioxus.git', commit, {
      allowHosts: [site.host],
      gitHubApi: site.url,
    });
  expect(await sizes(whole)).toEqual(new Map([['1'.repeat(40), 42]]));
  expect(site.requests).toEqual([`/repos/DioxusLabs/dioxus/git/trees/${whole}?recursive=1`]);
  expect(await sizes(cut)).toBeUndefined();
  expect(await sizes(refused)).toBeUndefined();
});

test('a server that does not tell sizes gets none made up for it', async () => {
  const repository = testRepository();
  repository.commit('first', library);
  const root = temporaryDirectory('forge');
  publishBare(repository.path, root, 'silent');
  const server = await testSite(silentBackend(root));
  const { create, asked } = await testReferences({ allowHosts: [server.host] });
  await create({ sources: [{ type: 'git', url: `${server.url}/silent.git` }] });
  expect(asked[0]?.summary).toBe('silent: 5 files, size unknown until fetched (at most 50 MB), Rust');
  // So that no rule about sizes lets it pass.
  expect(asked[0]!.bytes).toBeUndefined();
});

test('a server that cannot leave contents out is not asked for them before approval', async () => {
  const repository = testRepository();
  repository.commit('first', library);
  const root = temporaryDirectory('forge');
  publishBare(repository.path, root, 'plain', false);
  const server = await testGitServer(root);
  const { create, asked } = await testReferences({ allowHosts: [server.host] });
  const report = await create({ sources: [{ type: 'git', url: `${server.url}/plain.git` }] });
  expect(asked[0]?.summary).toBe(
    'plain: unknown number of files, size unknown until fetched (at most 50 MB)',
  );
  expect(server.requests.filter((path) => path.endsWith('git-upload-pack')).length).toBeGreaterThan(0);
  expect(report.file_count).toBe(5);
});

test('paths select: a directory with everything below, a single file, omitted the whole repository', async () => {
  const { server, url } = await forge();
  const { create, asked, root } = await testReferences({ allowHosts: [server.host] });
  await create({ title: 'Filtered', sources: [{ type: 'git', url, paths: ['README.md', 'docs/'] }] });
  expect(asked[0]?.summary).toBe('3 files, ~1 KB (filtered from DioxusLabs/dioxus)');
  expect(asked[0]?.bytes).toBe(bytesOf('README.md', 'docs/guide/index.md', 'docs/signals.md'));
  expect(readdirSync(join(root, 'filtered')).sort()).toEqual(['README.md', 'docs', 'topic.md']);
  const nothing = failure(create({ title: 'None', sources: [{ type: 'git', url, paths: ['nowhere/'] }] }));
  expect((await nothing).data?.['reason']).toBe('nothing_there');
});

test('web pages become Markdown under web/, named after their address, cited with their anchor', async () => {
  const text = 'It runs before the first paint and again whenever a signal it reads has changed. '.repeat(4);
  const site = await testSite({
    '/learn/0.6/': `<html><head><title>Learn</title></head><body><nav>Home</nav><main><h1>Learn</h1><p>${text}</p><h2 id="effects">Effects</h2><p>Use <code>use_effect</code> for side effects. ${text}</p></main></body></html>`,
  });
  const { create, asked, store, root } = await testReferences({ allowHosts: [site.host] });
  await create({ sources: [{ type: 'web', url: `${site.url}/learn/0.6/` }] });
  expect(asked[0]?.summary).toBe('1 web page');
  const [name] = readdirSync(join(root, 'dioxus-rust-ui-framework', 'web'));
  expect(name).toMatch(/^127-0-0-1-\d+-learn-0-6\.md$/);
  expect(readFileSync(join(root, 'dioxus-rust-ui-framework', 'web', name!), 'utf8')).not.toContain('Home');
  const hits = await store.search({ question: 'side effects use_effect' });
  expect(hits[0]).toMatchObject({ url: `${site.url}/learn/0.6/#effects`, heading: 'Learn › Effects' });
});

test('a page that offers Markdown is taken as Markdown', async () => {
  const site = await testSite({
    '/guide':
      '<html><head><link rel="alternate" type="text/markdown" href="/guide.md"></head><body><main>drawn by a program</main></body></html>',
    '/guide.md': '# Guide\n\nWritten by hand, with `use_signal`.\n',
  });
  const { create, store } = await testReferences({ allowHosts: [site.host] });
  await create({ sources: [{ type: 'web', url: `${site.url}/guide` }] });
  expect((await store.search({ question: 'written by hand' }))[0]?.text).toContain('Written by hand');
});

test('a crawl stays on its host, within depth and pages, and where robots.txt lets it', async () => {
  const other = await testSite({ '/': 'canary' });
  const page = (title: string, ...links: string[]) =>
    `<html><body><main><h1>${title}</h1><p>${`${title} explains itself at some length. `.repeat(12)}</p>${links.map((link) => `<a href="${link}">x</a>`).join('')}</main></body></html>`;
  const site = await testSite({
    '/robots.txt': 'User-agent: *\nDisallow: /private\n',
    '/': page('Start', '/one', '/private/x', other.url, '/logo.png'),
    '/one': page('One', '/two', '/'),
    '/two': page('Two', '/three'),
    '/three': page('Three'),
    '/private/x': page('Private'),
  });
  const { create, asked } = await testReferences({ allowHosts: [site.host, other.host] });
  const report = await create({
    title: 'Crawled',
    sources: [{ type: 'crawl', url: `${site.url}/`, depth: 2, max_pages: 50 }],
  });
  expect(report.file_count).toBe(3);
  expect(report.problems).toMatchObject([{ reason: 'robots' }]);
  expect(asked[0]?.summary).toBe(`up to 50 pages of ${site.host}`);
  expect(other.connections()).toBe(0);
  expect(site.requests).not.toContain('/private/x');
  const few = await create({
    title: 'Few',
    sources: [{ type: 'crawl', url: `${site.url}/one`, depth: 3, max_pages: 2 }],
  });
  expect(few.file_count).toBe(2);
});

test('llms.txt is a site’s own choice of pages', async () => {
  const site = await testSite({
    '/llms.txt': '# Site\n- [Guide](/guide.md)\n- [Elsewhere](https://example.org/)\n',
    '/guide.md': '# Guide\n\nAll there is to know.\n',
    '/': '<a href="/other">x</a>',
  });
  const { create } = await testReferences({ allowHosts: [site.host] });
  const report = await create({ sources: [{ type: 'crawl', url: `${site.url}/`, depth: 2, max_pages: 10 }] });
  expect(report.file_count).toBe(1);
  expect(site.requests).not.toContain('/other');
});

test('a topic can be made from local files, with no network at all, and searched', async () => {
  const repository = testRepository();
  repository.commit('x', library);
  const { create, store, asked } = await testReferences();
  const report = await create({ sources: [{ type: 'local', path: repository.path }] });
  expect(report.file_count).toBe(5);
  expect(asked[0]?.targets).toMatchObject([{ kind: 'local', target: repository.path }]);
  expect((await store.search({ question: 'use_signal state' }))[0]?.file).toBe('docs/signals.md');
});

test('with several repositories each has a directory of its own, and pages context beside them', async () => {
  const one = testRepository();
  const two = testRepository();
  for (const [at, repository] of [one, two].entries())
    repository.commit('x', { 'README.md': `# number ${at}\n` });
  const root = temporaryDirectory('forge');
  publishBare(one.path, root, 'ada/one');
  publishBare(two.path, root, 'ada/two');
  const server = await testGitServer(root);
  const site = await testSite({ '/p.md': '# Page\n\nText.\n' });
  const { create, root: shelf, store } = await testReferences({ allowHosts: [server.host, site.host] });
  await create({
    sources: [
      { type: 'git', url: `${server.url}/ada/one.git` },
      { type: 'git', url: `${server.url}/ada/two.git` },
      { type: 'web', url: `${site.url}/p.md` },
    ],
  });
  expect(readdirSync(join(shelf, 'dioxus-rust-ui-framework')).sort()).toEqual([
    'ada-one',
    'ada-two',
    'topic.md',
    'web',
  ]);
  const commits = new Set(
    (await store.search({ question: 'number', limit: 10 })).map(({ commit }) => commit),
  );
  expect([...commits].filter(Boolean)).toHaveLength(2);
});

test('a source that fails is a problem; all failing, or nothing fetched, is an error', async () => {
  const site = await testSite({ '/good.md': '# Good\n\nIt is here.\n' });
  const { create, root } = await testReferences({ allowHosts: [site.host] });
  const report = await create({
    sources: [
      { type: 'web', url: `${site.url}/good.md` },
      { type: 'web', url: `${site.url}/gone` },
    ],
  });
  expect(report).toMatchObject({
    file_count: 1,
    problems: [{ reason: 'http_status', source: `${site.url}/gone` }],
  });
  const both = failure(
    create({
      title: 'All gone',
      sources: [
        { type: 'web', url: `${site.url}/gone` },
        { type: 'web', url: `${site.url}/gone-too` },
      ],
    }),
  );
  expect((await both).data?.['reason']).toBe('all_sources_failed');
  expect(readdirSync(root)).not.toContain('all-gone');
});

test('the same title or the same sources is refused, with the topic that is there', async () => {
  const site = await testSite({ '/a.md': 'text of a\n', '/b.md': 'text of b\n' });
  const { create } = await testReferences({ allowHosts: [site.host] });
  const { topic_id } = await create({ sources: [{ type: 'web', url: `${site.url}/a.md` }] });
  const title = failure(create({ sources: [{ type: 'web', url: `${site.url}/b.md` }] }));
  expect(await title).toMatchObject({ code: 'CONFLICT', data: { topic_id, same: 'title' } });
  const sources = failure(create({ title: 'Another', sources: [{ type: 'web', url: `${site.url}/a.md` }] }));
  expect(await sources).toMatchObject({ code: 'CONFLICT', data: { topic_id, same: 'sources' } });
  const second = await create(
    { sources: [{ type: 'web', url: `${site.url}/b.md` }] },
    { allowDuplicate: true },
  );
  expect(second.topic_id).toBe(`${topic_id}-2`);
});

test('what is approved is the request and everything it resolved to', async () => {
  const { repository, server, url, bare } = await forge();
  const { create, asked } = await testReferences({ allowHosts: [server.host] });
  const ask = (change: object) =>
    failure(
      create(change, {
        permit: async (question) => {
          asked.push(question);
          throw new Error('asked');
        },
      }),
    );
  const sources = [{ type: 'git' as const, url, ref: 'main' }];
  await ask({ sources });
  await ask({ sources });
  await ask({ sources, body: 'another body' });
  repository.commit('second', { 'NEW.md': 'new\n' });
  repository.git('push', '-q', bare, 'main');
  await ask({ sources });
  const [first, same, changed, moved] = asked.map(({ digest }) => digest);
  expect(same).toBe(first);
  expect(changed).not.toBe(first);
  expect(moved).not.toBe(first);
});
