import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

interface Around {
  nodes: Array<{
    ref: string;
    kind: string;
    depth: number;
    trust: number;
    state: string;
    provenance: string;
  }>;
  links: Array<{ source: string; target: string; type: string; reason: string }>;
}

const task = 'a1000000-0000-4000-8000-000000000003';
let app: App;
let directory: string;
let repository: ReturnType<typeof fixtureRepository>;

const run = async <T>(name: string, input: object, kind: 'person' | 'agent' = 'agent', who = 'ada') => {
  const outcome = await runOperation(app, { name, input, caller: { kind, name: who } });
  if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
  return outcome.output as T;
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sylk-map-'));
  repository = fixtureRepository(join(directory, 'shop'));
  app = openApp({ directory: repository.path });
  await run('index_repository', {});
  await run('create_work_tree', {
    actor: 'ada',
    project: { name: 'Shop', summary: 'The shop.' },
    tasks: [
      { ref: 'limit', id: task, title: 'Add rate limiting', summary: 's', priority: 'HIGH', complexity: 4 },
      { title: 'Document the limits', summary: 's', priority: 'LOW', complexity: 1, blockedBy: ['limit'] },
    ],
  });
  await run('manage_graph', {
    actor: 'ada',
    operation: 'create',
    entityType: 'atom',
    createdByTaskId: task,
    name: 'Sessions',
    paths: ['src/auth/**'],
    knowledge: 'A session lives as long as the process.',
  });
  await run('create_session', { name: 'private' });
  await run('store_entry', {
    content: 'Attempts are counted in memory, because the shop has one process.',
    title: 'where attempts live',
    category: 'decision',
    code_references: ['src/auth/rate-limit.ts'],
  });
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

test('around a file: what changes with it, what it imports, the area and the decision about it, each with its source', async () => {
  const { nodes, links } = await run<Around>('get_neighbourhood', { ref: 'src/auth/rate-limit.ts' });
  const types = links
    .filter(({ source, target }) => [source, target].includes('file:src/auth/rate-limit.ts'))
    .map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['changes_with', 'imports', 'covers', 'about']));
  const kinds = Object.fromEntries(nodes.map((node) => [node.kind, node]));
  expect(kinds['file']).toMatchObject({ trust: 100, state: 'current' });
  expect(kinds['area']).toMatchObject({ trust: 60, state: 'current' });
  expect(kinds['entry']).toMatchObject({ trust: 30, provenance: 'written by ada' });
});

test('an area whose files changed since is stale and trusted less', async () => {
  const date = Math.floor(Date.now() / 1000) + 60;
  repository.commit('feat(auth): log out', { 'src/auth/logout.ts': 'export const logout = 1;\n' }, { date });
  await run('index_repository', {});
  const { nodes } = await run<Around>('get_neighbourhood', { ref: 'src/auth/session.ts', kinds: ['area'] });
  const area = nodes.find(({ kind }) => kind === 'area');
  expect(area).toMatchObject({ state: 'stale', trust: 40 });
});

test('symbols and commits come when they are asked for', async () => {
  const { nodes } = await run<Around>('get_neighbourhood', {
    ref: 'src/auth/rate-limit.ts',
    kinds: ['symbol', 'commit'],
  });
  expect(nodes.map(({ ref }) => ref)).toContain('symbol:src/auth/rate-limit.ts#allow');
  expect(nodes.filter(({ kind }) => kind === 'commit').length).toBe(2);
});

test('an entry of another session is not on an agent’s map, and is on the person’s', async () => {
  const refs = async (kind: 'person' | 'agent') =>
    (await run<Around>('get_neighbourhood', { ref: 'src/auth/rate-limit.ts' }, kind, 'eve')).nodes.filter(
      (node) => node.kind === 'entry',
    );
  expect(await refs('agent')).toEqual([]);
  expect(await refs('person')).toHaveLength(1);
});

test('the map of the repository names each living file once and links by position', async () => {
  const map = await run<{
    files: Array<{ path: string; commits: number }>;
    imports: Array<[number, number]>;
    together: Array<[number, number, number]>;
    total: number;
  }>('get_repository_map', {});
  const paths = map.files.map(({ path }) => path);
  expect(new Set(paths).size).toBe(map.total);
  const named = map.imports.map(([from, to]) => `${paths[from]} ${paths[to]}`);
  expect(named).toContain('src/auth/session.ts src/auth/rate-limit.ts');
  const [left, right] = map.together[0]!;
  expect([paths[left], paths[right]].sort()).toEqual(['src/auth/rate-limit.ts', 'src/auth/session.ts']);
});

test('coverage counts files below every folder, and those that only stale areas know', async () => {
  const { data } = await run<{
    data: {
      files: number;
      covered: number;
      folders: Array<{ path: string; covered: number; stale: number }>;
    };
  }>('get_area_coverage', {});
  expect(data.covered).toBe(3);
  expect(data.folders.find(({ path }) => path === 'src')).toMatchObject({ files: 4, covered: 3, stale: 3 });
});

test('the work graph leads from what comes first to what waits for it', async () => {
  const { data } = await run<{
    data: {
      nodes: Array<{ id: string; name: string; blocked: boolean }>;
      edges: Array<{ from: string; type: string }>;
    };
  }>('get_work_graph', {});
  expect(data.edges).toMatchObject([{ from: task, type: 'BLOCKS' }]);
  expect(data.nodes.find(({ name }) => name === 'Document the limits')).toMatchObject({ blocked: true });
});
