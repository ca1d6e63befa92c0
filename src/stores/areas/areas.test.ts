import { describe, expect, test } from 'vitest';
import { allRows, databases } from '../../../tests/support/libraries.ts';
import { agent, openStores, person } from '../../../tests/support/work-stores.ts';
import type { AreaTables } from './tables.ts';

const overwrite = { knowledgeMode: 'overwrite' as const };
const append = { knowledgeMode: 'append' as const };
const shallow = { changelogLimit: 5 };

describe.each(databases)('on $name', ({ freshUrl }) => {
  async function world() {
    const stores = openStores({ path: await freshUrl() });
    const project = await stores.project();
    const task = await stores.task('Build it', { projectId: project.id });
    const atom = (name: string, paths: string[], more: Record<string, unknown> = {}) =>
      stores.areas.createAtom(agent, {
        projectId: project.id,
        name,
        paths,
        createdByTaskId: task.id,
        ...more,
      });
    const molecule = (name: string, more: Record<string, unknown> = {}) =>
      stores.areas.createMolecule(agent, { projectId: project.id, name, createdByTaskId: task.id, ...more });
    return { ...stores, projectId: project.id, taskId: task.id, atom, molecule };
  }

  describe('Path pattern validation', () => {
    test.each([
      ['an absolute pattern', ['/src/**'], 'VALIDATION_ERROR'],
      ['a .. segment', ['src/../secret/**'], 'VALIDATION_ERROR'],
      ['an unclosed bracket', ['src/[ab'], 'VALIDATION_ERROR'],
      ['an unclosed brace', ['src/{a,b'], 'VALIDATION_ERROR'],
      ['an empty pattern', ['  '], 'VALIDATION_ERROR'],
      ['more than 20 patterns', Array.from({ length: 21 }, (_, at) => `src/${at}/**`), 'VALIDATION_ERROR'],
      ['more than 512 characters', [`src/${'a'.repeat(509)}`], 'VALIDATION_ERROR'],
      ['an empty array', [], 'INVARIANT_VIOLATION'],
    ])('%s is refused on create and on update', async (_name, paths, code) => {
      const { atom, areas } = await world();
      await expect(atom('A', paths)).rejects.toMatchObject({ code });
      const there = await atom('B', ['src/**']);
      await expect(
        areas.updateAtom(agent, { id: there.id, version: 1, paths, ...overwrite }),
      ).rejects.toMatchObject({ code });
      expect((await areas.getAtom(there.id, shallow)).version).toBe(1);
    });

    test('the limits themselves are allowed: 20 patterns, 512 characters, two dots within a name', async () => {
      const { atom } = await world();
      const paths = [
        `src/${'a'.repeat(508)}`,
        'foo..bar/**',
        ...Array.from({ length: 18 }, (_, at) => `src/${at}/**`),
      ];
      expect((await atom('A', paths)).paths).toEqual(paths);
    });
  });

  describe('Text field bounds', () => {
    test('knowledge is trimmed and has at most 32 KB, counted in bytes', async () => {
      const { atom } = await world();
      expect((await atom('A', ['a'], { knowledge: '  \n known \n' })).knowledge).toBe('known');
      const full = 'ä'.repeat(16 * 1024);
      expect((await atom('B', ['a'], { knowledge: full })).knowledge).toBe(full);
      await expect(atom('C', ['a'], { knowledge: `${full}x` })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    test('appending cannot exceed 32 KB either, and a refused append changes nothing', async () => {
      const { atom, areas } = await world();
      const there = await atom('A', ['a'], { knowledge: 'x'.repeat(32 * 1024 - 10) });
      await expect(
        areas.updateAtom(agent, { id: there.id, version: 1, knowledge: 'more', ...append }),
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(await areas.getAtom(there.id, shallow)).toMatchObject({
        version: 1,
        knowledge: there.knowledge,
      });
    });

    test('name is non-empty and has at most 255 characters', async () => {
      const { atom, molecule } = await world();
      await expect(atom('  ', ['a'])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(molecule('n'.repeat(256))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect((await molecule('😀'.repeat(255))).name).toHaveLength(510);
    });

    test('summary of the changelog is non-empty and has at most 4 KB', async () => {
      const { atom, areas, taskId } = await world();
      const parent = { parentType: 'atom' as const, parentId: (await atom('A', ['a'])).id, taskId };
      const put = (summary: string) => areas.appendChangelog(agent, { ...parent, summary });
      await expect(put('   ')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(put('x'.repeat(4097))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect((await put('x'.repeat(4096))).summary).toHaveLength(4096);
    });

    test('relatedAtoms and relatedMolecules have at most 50 entries', async () => {
      const { atom, molecule, taskId } = await world();
      const many = (field: string, count: number) =>
        Array.from({ length: count }, () => ({ [field]: taskId, reason: 'because' }));
      expect((await atom('A', ['a'], { relatedAtoms: many('atomId', 50) })).relatedAtoms).toHaveLength(50);
      await expect(atom('B', ['a'], { relatedAtoms: many('atomId', 51) })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await expect(molecule('M', { relatedMolecules: many('moleculeId', 51) })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    test('a secret in knowledge is not kept', async () => {
      const { atom } = await world();
      const { knowledge } = await atom('A', ['a'], { knowledge: `key is ghp_${'a1B2'.repeat(9)} here` });
      expect(knowledge).toBe('key is [redacted:github-token] here');
    });
  });

  describe('Business logic — Create', () => {
    test('a molecule and an atom start at version 1 and need an existing project', async () => {
      const { atom, molecule, taskId } = await world();
      expect(await molecule('M')).toMatchObject({ version: 1, createdByTaskId: taskId, lastTaskId: taskId });
      expect(await atom('A', ['a'])).toMatchObject({ version: 1, moleculeId: null });
      await expect(molecule('M', { projectId: taskId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(atom('A', ['a'], { projectId: taskId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('the molecule of an atom must exist, and in the same project', async () => {
      const { atom, molecule, project, taskId } = await world();
      const other = await project('Other');
      const foreign = await molecule('M', { projectId: other.id });
      await expect(atom('A', ['a'], { moleculeId: taskId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(atom('A', ['a'], { moleculeId: foreign.id })).rejects.toMatchObject({
        code: 'INVARIANT_VIOLATION',
      });
    });

    test('an agent names an existing task; a person may leave it out', async () => {
      const { areas, projectId } = await world();
      const given = { projectId, name: 'M' };
      await expect(areas.createMolecule(agent, given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(
        areas.createMolecule(agent, { ...given, createdByTaskId: projectId }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await areas.createMolecule(person, given)).toMatchObject({
        createdByTaskId: '',
        lastTaskId: '',
      });
    });
  });

  describe('Business logic — Update', () => {
    test('a wrong version is refused with CONFLICT and the current version, on update and on delete', async () => {
      const { atom, molecule, areas } = await world();
      const [a, m] = [await atom('A', ['a']), await molecule('M')];
      const conflict = (id: string) => ({ code: 'CONFLICT', data: { id, currentVersion: 1 } });
      await expect(
        areas.updateAtom(agent, { id: a.id, version: 2, name: 'B', ...overwrite }),
      ).rejects.toMatchObject(conflict(a.id));
      await expect(
        areas.updateMolecule(agent, { id: m.id, version: 0, name: 'B', ...overwrite }),
      ).rejects.toMatchObject(conflict(m.id));
      await expect(areas.deleteAtom(agent, { id: a.id, version: 2 })).rejects.toMatchObject(conflict(a.id));
      await expect(
        areas.deleteMolecule(agent, { id: m.id, version: 2, cascade: true }),
      ).rejects.toMatchObject(conflict(m.id));
    });

    test('projectId cannot be changed', async () => {
      const { atom, molecule, areas, project } = await world();
      const other = await project('Other');
      const [a, m] = [await atom('A', ['a']), await molecule('M')];
      const change = { version: 1, projectId: other.id, ...overwrite };
      await expect(areas.updateAtom(agent, { id: a.id, ...change })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await expect(areas.updateMolecule(agent, { id: m.id, ...change })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    test('knowledgeMode overwrite replaces, append adds behind the separator with time and task', async () => {
      const { atom, areas, taskId, clock } = await world();
      const { id } = await atom('A', ['a'], { knowledge: 'first' });
      clock.advance(1000);
      const grown = await areas.updateAtom(agent, {
        id,
        version: 1,
        knowledge: ' second ',
        lastTaskId: taskId,
        ...append,
      });
      expect(grown.knowledge).toBe(`first\n\n---[2026-01-01T00:00:01.000Z task:${taskId}]---\nsecond`);
      const replaced = await areas.updateAtom(agent, { id, version: 2, knowledge: 'third', ...overwrite });
      expect(replaced).toMatchObject({ knowledge: 'third', version: 3, lastTaskId: taskId });
    });

    test('an atom can be given to another molecule and made an orphan', async () => {
      const { atom, molecule, areas } = await world();
      const m = await molecule('M');
      const a = await atom('A', ['a'], { moleculeId: m.id });
      expect(
        await areas.updateAtom(agent, { id: a.id, version: 1, moleculeId: null, ...overwrite }),
      ).toMatchObject({
        moleculeId: null,
      });
      expect(
        await areas.updateAtom(agent, { id: a.id, version: 2, moleculeId: m.id, ...overwrite }),
      ).toMatchObject({
        moleculeId: m.id,
      });
    });
  });

  describe('Business logic — Delete', () => {
    test('a molecule without cascade orphans its atoms and takes its own changelog only', async () => {
      const { atom, molecule, areas, taskId, task, projectId, clock } = await world();
      const m = await molecule('M');
      const a = await atom('A', ['a'], { moleculeId: m.id });
      await areas.appendChangelog(agent, { parentType: 'atom', parentId: a.id, taskId, summary: 'kept' });
      await areas.appendChangelog(agent, { parentType: 'molecule', parentId: m.id, taskId, summary: 'gone' });
      const later = await task('Later', { projectId });
      clock.advance(5000);
      const gone = await areas.deleteMolecule(agent, {
        id: m.id,
        version: 1,
        cascade: false,
        lastTaskId: later.id,
      });
      expect(gone).toMatchObject({ orphanedAtoms: 1, deletedAtoms: 0 });
      expect(await areas.getAtom(a.id, shallow)).toMatchObject({
        moleculeId: null,
        version: 2,
        lastTaskId: later.id,
        updatedAt: '2026-01-01T00:00:05.000Z',
        changelog: [{ summary: 'kept' }],
      });
      await expect(areas.getMolecule(m.id, shallow)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(
        areas.searchChangelog({ parentType: 'molecule', parentId: m.id, limit: 5, offset: 0 }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('without lastTaskId the orphans get the task of the molecule', async () => {
      const { atom, molecule, areas, task, projectId } = await world();
      const other = await task('Other', { projectId });
      const m = await molecule('M', { createdByTaskId: other.id });
      const a = await atom('A', ['a'], { moleculeId: m.id });
      await areas.deleteMolecule(agent, { id: m.id, version: 1, cascade: false });
      expect((await areas.getAtom(a.id, shallow)).lastTaskId).toBe(other.id);
    });

    test('a molecule with cascade takes its atoms and their changelog; an atom takes its own', async () => {
      const { atom, molecule, areas, taskId, library } = await world();
      const m = await molecule('M');
      const a = await atom('A', ['a'], { moleculeId: m.id });
      const alone = await atom('B', ['b']);
      for (const id of [a.id, alone.id])
        await areas.appendChangelog(agent, { parentType: 'atom', parentId: id, taskId, summary: 'entry' });
      expect(await areas.deleteMolecule(agent, { id: m.id, version: 1, cascade: true })).toMatchObject({
        deletedAtoms: 1,
      });
      await areas.deleteAtom(agent, { id: alone.id, version: 1 });
      expect(await allRows(library, 'graph_changelog')).toEqual([]);
      expect(await allRows(library, 'graph_atoms')).toEqual([]);
    });
  });

  describe('Changelog', () => {
    test('append needs an existing parent and an existing task', async () => {
      const { atom, areas, taskId, projectId } = await world();
      const a = await atom('A', ['a']);
      const put = (parentId: string, task: string) =>
        areas.appendChangelog(agent, { parentType: 'atom', parentId, taskId: task, summary: 's' });
      await expect(put(projectId, taskId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(put(a.id, projectId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('search pages by createdAt DESC, and entries of one moment keep one order', async () => {
      const { atom, areas, taskId, clock } = await world();
      const parent = { parentType: 'atom' as const, parentId: (await atom('A', ['a'])).id };
      for (let at = 0; at < 7; at++) {
        if (at % 3 === 0) clock.advance(1000);
        await areas.appendChangelog(agent, { ...parent, taskId, summary: `entry ${at}` });
      }
      const pages = [];
      for (let offset = 0; offset < 7; offset += 2)
        pages.push(...(await areas.searchChangelog({ ...parent, limit: 2, offset })).items);
      expect(pages.map((entry) => entry.summary)).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `entry ${at}`));
    });

    test('an entry can never be edited', async () => {
      const { atom, areas, taskId, library } = await world();
      const a = await atom('A', ['a']);
      await areas.appendChangelog(agent, { parentType: 'atom', parentId: a.id, taskId, summary: 's' });
      const edit = library.tables<AreaTables>().updateTable('graph_changelog').set({ summary: 'x' });
      await expect(edit.execute()).rejects.toThrow(/never edited/);
    });

    test('No auto-changelog: creating and updating write no entry', async () => {
      const { atom, areas } = await world();
      const a = await atom('A', ['a'], { knowledge: 'k' });
      await areas.updateAtom(agent, { id: a.id, version: 1, knowledge: 'more', ...append });
      expect((await areas.getAtom(a.id, shallow)).changelog).toEqual([]);
    });

    test('Shallow: the last 5 entries come along, or as many as asked for', async () => {
      const { atom, areas, taskId } = await world();
      const a = await atom('A', ['a']);
      for (let at = 0; at < 8; at++)
        await areas.appendChangelog(agent, { parentType: 'atom', parentId: a.id, taskId, summary: `${at}` });
      expect((await areas.getAtom(a.id, shallow)).changelog!.map((entry) => entry.summary)).toEqual([
        '7',
        '6',
        '5',
        '4',
        '3',
      ]);
      expect((await areas.getAtom(a.id, { changelogLimit: 2 })).changelog).toHaveLength(2);
      expect((await areas.getAtom(a.id, { changelogLimit: 0 })).changelog).toBeUndefined();
    });
  });

  describe('query_graph get and search', () => {
    test('a molecule comes with its member atoms in order of name', async () => {
      const { atom, molecule, areas } = await world();
      const m = await molecule('M');
      for (const name of ['b', 'a', 'B']) await atom(name, ['x'], { moleculeId: m.id });
      const found = await areas.getMolecule(m.id, shallow);
      expect(found.atoms.map((one) => one.name)).toEqual(['B', 'a', 'b']);
    });

    test('search filters by molecule, orphans and words of name or knowledge, in pages by name', async () => {
      const { atom, molecule, areas, projectId } = await world();
      const m = await molecule('M', { knowledge: 'Talks to Stripe' });
      await atom('Checkout', ['a'], { moleculeId: m.id, knowledge: 'Idempotent webhooks' });
      await atom('Retry', ['b'], { knowledge: '100% backoff' });
      const search = async (more: Record<string, unknown>) =>
        (await areas.searchAtoms({ projectId, changelogLimit: 0, limit: 20, offset: 0, ...more })).items.map(
          (one) => one.name,
        );
      expect(await search({})).toEqual(['Checkout', 'Retry']);
      expect(await search({ moleculeId: m.id })).toEqual(['Checkout']);
      expect(await search({ orphansOnly: true })).toEqual(['Retry']);
      expect(await search({ query: 'IDEMPOTENT web' })).toEqual(['Checkout']);
      expect(await search({ query: '0%' })).toEqual(['Retry']);
      expect(await search({ query: '%' })).toEqual(['Retry']);
      expect(await search({ limit: 1, offset: 1 })).toEqual(['Retry']);
      const molecules = await areas.searchMolecules({
        projectId,
        changelogLimit: 0,
        limit: 20,
        offset: 0,
        query: 'stripe',
      });
      expect(molecules).toMatchObject({ total: 1, items: [{ name: 'M' }] });
    });

    test('relatedAtoms carry the name of the other end as it is now, and null when it is gone', async () => {
      const { atom, areas } = await world();
      const other = await atom('Gateway', ['g']);
      const a = await atom('A', ['a'], { relatedAtoms: [{ atomId: other.id, reason: 'calls it' }] });
      expect((await areas.getAtom(a.id, shallow)).relatedAtoms).toEqual([
        { atomId: other.id, reason: 'calls it', name: 'Gateway' },
      ]);
      await areas.deleteAtom(agent, { id: other.id, version: 1 });
      expect((await areas.getAtom(a.id, shallow)).relatedAtoms[0]!.name).toBeNull();
    });
  });

  describe('query_graph context', () => {
    test('returns all matching atoms under their molecules, orphans apart, and unmatched paths', async () => {
      const { atom, molecule, areas, projectId, taskId } = await world();
      const payments = await molecule('Payments', { knowledge: 'event sourcing' });
      const gateway = await atom('Stripe', ['src/payments/gateway/**', 'src/payments/stripe-*.ts'], {
        moleculeId: payments.id,
      });
      const hooks = await atom('Webhooks', ['src/payments/**'], {
        moleculeId: payments.id,
        relatedAtoms: [{ atomId: gateway.id, reason: 'calls gateway' }],
      });
      await atom('Retry', ['src/shared/retry.ts']);
      await areas.appendChangelog(agent, {
        parentType: 'atom',
        parentId: hooks.id,
        taskId,
        summary: 'made idempotent',
      });
      const paths = [
        'src/payments/stripe-api.ts',
        'src/shared/retry.ts',
        'src/new.ts',
        'src/payments/hook.ts',
      ];
      const found = await areas.pathContext({ projectId, paths, changelogLimit: 5 });
      expect(found).toMatchObject({
        molecules: [
          {
            name: 'Payments',
            knowledge: 'event sourcing',
            atoms: [
              { name: 'Stripe', matchedPaths: ['src/payments/stripe-api.ts'] },
              {
                name: 'Webhooks',
                matchedPaths: ['src/payments/stripe-api.ts', 'src/payments/hook.ts'],
                relatedAtoms: [{ atomId: gateway.id, name: 'Stripe', reason: 'calls gateway' }],
                changelog: [{ summary: 'made idempotent', taskId }],
              },
            ],
          },
        ],
        orphanAtoms: [{ name: 'Retry', matchedPaths: ['src/shared/retry.ts'] }],
        unmatchedPaths: ['src/new.ts'],
      });
    });

    test('the order is deterministic: molecules by name, atoms by name within, by code point, then by id', async () => {
      const { atom, molecule, areas, projectId } = await world();
      for (const name of ['zeta', 'Alpha', 'äther', '😀', '\uFF01']) {
        const m = await molecule(name);
        for (const part of ['b', 'a']) await atom(`${name} ${part}`, ['**'], { moleculeId: m.id });
      }
      const { molecules } = await areas.pathContext({ projectId, paths: ['x.ts'], changelogLimit: 0 });
      expect(molecules.map((one) => one.name)).toEqual(['Alpha', 'zeta', 'äther', '\uFF01', '😀']);
      expect(molecules[0]!.atoms.map((one) => one.name)).toEqual(['Alpha a', 'Alpha b']);
    });

    test('a change of paths, a new atom and a deletion are seen by the next question', async () => {
      const { atom, areas, projectId } = await world();
      const ask = async (path: string) =>
        (await areas.pathContext({ projectId, paths: [path], changelogLimit: 0 })).orphanAtoms.map(
          (one) => one.name,
        );
      const a = await atom('A', ['src/a/**']);
      expect(await ask('src/a/x.ts')).toEqual(['A']);
      await areas.updateAtom(agent, { id: a.id, version: 1, paths: ['src/b/**'], ...overwrite });
      expect([await ask('src/a/x.ts'), await ask('src/b/x.ts')]).toEqual([[], ['A']]);
      await atom('B', ['src/b/*.ts']);
      expect(await ask('src/b/x.ts')).toEqual(['A', 'B']);
      await areas.deleteAtom(agent, { id: a.id, version: 2 });
      expect(await ask('src/b/x.ts')).toEqual(['B']);
    });

    test('another process that writes is seen too', async () => {
      const first = await world();
      const second = openStores({ path: first.path });
      const ask = async () =>
        (await first.areas.pathContext({ projectId: first.projectId, paths: ['a/b'], changelogLimit: 0 }))
          .orphanAtoms.length;
      expect(await ask()).toBe(0);
      await second.areas.createAtom(person, { projectId: first.projectId, name: 'A', paths: ['a/**'] });
      expect(await ask()).toBe(1);
    });

    test('an unknown project is NOT_FOUND', async () => {
      const { areas, taskId } = await world();
      await expect(
        areas.pathContext({ projectId: taskId, paths: ['a'], changelogLimit: 0 }),
      ).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });
  });

  test('Graph write timing: areas can be written whatever the status of the task', async () => {
    const { work, areas, task, projectId } = await world();
    const done = await task('Done', { projectId });
    await work.advance(person, { kind: 'task', id: done.id, version: 1 });
    await work.advance(person, { kind: 'task', id: done.id, version: 2 });
    const given = { projectId, name: 'M', createdByTaskId: done.id };
    expect((await areas.createMolecule(agent, given)).version).toBe(1);
  });
});
