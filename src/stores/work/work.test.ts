import { describe, expect, test } from 'vitest';
import { databases } from '../../../tests/support/libraries.ts';
import { openStores, person } from '../../../tests/support/work-stores.ts';
import type { FeatureRecord, TaskRecord } from './index.ts';

const advance = (
  stores: ReturnType<typeof openStores>,
  kind: 'task' | 'feature',
  id: string,
  version: number,
) => stores.work.advance(person, { kind, id, version });

describe.each(databases)('on $name', ({ freshUrl }) => {
  describe('containers', () => {
    test('a feature needs a priority, a task also a complexity from 1 to 10, all need name and summary', async () => {
      const { task, feature, work } = openStores({ path: await freshUrl() });
      await expect(feature('F', { priority: undefined })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      for (const complexity of [undefined, 0, 11, 2.5])
        await expect(task('T', { complexity })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      for (const bad of [
        { name: ' ' },
        { name: 'x'.repeat(256) },
        { summary: '' },
        { description: 'x'.repeat(32 * 1024 + 1) },
      ])
        await expect(
          work.createContainer(person, { kind: 'project', name: 'P', summary: 'S', ...bad }),
        ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    });

    test('tags are lower-cased, de-duplicated and ordered', async () => {
      const { task } = openStores({ path: await freshUrl() });
      expect((await task('T', { tags: ['Beta', 'alpha', 'BETA', ' '] })).tags).toEqual(['alpha', 'beta']);
    });

    test('a task takes the project of its feature; another project is INVARIANT_VIOLATION', async () => {
      const { project, feature, task } = openStores({ path: await freshUrl() });
      const [p, other] = [await project(), await project('Other')];
      const f = await feature('F', { projectId: p.id });
      expect(await task('T', { featureId: f.id })).toMatchObject({ projectId: p.id, featureId: f.id });
      await expect(task('T', { featureId: f.id, projectId: other.id })).rejects.toMatchObject({
        code: 'INVARIANT_VIOLATION',
      });
    });

    test('no task can be created under a terminal feature', async () => {
      const stores = openStores({ path: await freshUrl() });
      const f = await stores.feature('F');
      await stores.work.terminate(person, { kind: 'feature', id: f.id, version: 1 });
      await expect(stores.task('T', { featureId: f.id })).rejects.toMatchObject({
        code: 'INVALID_OPERATION',
      });
    });

    test('update needs the current version and answers CONFLICT with it', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      const t = await task('T');
      const change = { kind: 'task' as const, id: t.id, summary: 'new' };
      expect(await work.updateContainer(person, { ...change, version: 1 })).toMatchObject({
        version: 2,
        summary: 'new',
      });
      await expect(work.updateContainer(person, { ...change, version: 1 })).rejects.toMatchObject({
        code: 'CONFLICT',
        data: { currentVersion: 2 },
      });
    });

    test('delete without cascade counts the children and deletes nothing; with cascade all go', async () => {
      const { project, feature, task, work } = openStores({ path: await freshUrl() });
      const p = await project();
      const f = await feature('F', { projectId: p.id });
      const t = await task('T', { featureId: f.id });
      const waiting = await task('Waiting');
      await work.block(person, { kind: 'task', id: waiting.id, version: 1, blockedBy: [t.id] });
      const request = { kind: 'project' as const, id: p.id };
      await expect(work.removeContainer(person, { ...request, cascade: false })).rejects.toMatchObject({
        code: 'INVALID_OPERATION',
        data: { features: 1, tasks: 1 },
      });
      const gone = await work.removeContainer(person, { ...request, cascade: true });
      expect(gone).toMatchObject({
        deleted: { projects: 1, features: 1, tasks: 1 },
        unblockedEntities: [{ id: waiting.id, stillBlocked: false }],
      });
      expect((await work.nextTask({}))?.title).toBe('Waiting');
    });

    test('relations hold in both directions and are replaced by an update', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      const [a, b, c] = [await task('A'), await task('B'), await task('C')];
      await work.updateContainer(person, { kind: 'task', id: a.id, version: 1, relatedTo: [b.id] });
      const related = async (id: string) => ((await work.getContainer('task', id)) as TaskRecord).relatedTo;
      expect([await related(a.id), await related(b.id)]).toEqual([[b.id], [a.id]]);
      await work.updateContainer(person, { kind: 'task', id: a.id, version: 2, relatedTo: [c.id] });
      expect([await related(a.id), await related(b.id), await related(c.id)]).toEqual([[c.id], [], [a.id]]);
    });
  });

  describe('search', () => {
    test('filters take several values and ! negation; tags must all be there', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      await task('Login form', { priority: 'HIGH', tags: ['ui', 'auth'] });
      const api = await task('Login API', { priority: 'LOW', tags: ['auth'] });
      await task('Billing', { priority: 'MEDIUM' });
      await work.advance(person, { kind: 'task', id: api.id, version: 1 });
      const names = async (more: Record<string, unknown>) =>
        (await work.searchContainers({ kind: 'task', limit: 20, offset: 0, ...more })).items
          .map((item) => (item as TaskRecord).title)
          .sort();
      expect(await names({ priority: ['HIGH', 'LOW'] })).toEqual(['Login API', 'Login form']);
      expect(await names({ priority: ['!LOW'] })).toEqual(['Billing', 'Login form']);
      expect(await names({ status: ['!ACTIVE'] })).toEqual(['Billing', 'Login form']);
      expect(await names({ tags: ['auth', 'ui'] })).toEqual(['Login form']);
      expect(await names({ tags: ['auth', '!ui'] })).toEqual(['Login API']);
      expect(await names({ query: 'login AP' })).toEqual(['Login API']);
      expect(await names({ query: '100%' })).toEqual([]);
      await expect(names({ priority: ['urgent'] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    });

    test('text search finds containers and sections by stems, and never fails on odd input', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      const t = await task('Rate-limiting of logins');
      await work.addSections(person, { entityType: 'TASK', entityId: t.id }, [
        { title: 'Plan', usageDescription: 'how', content: 'Count attempts in a sliding window.' },
      ]);
      const find = async (query: string) =>
        (await work.searchText({ query, limit: 5 })).map((hit) => hit.kind);
      expect(await find('limit login')).toEqual(['task']);
      expect(await find('attempt sliding')).toEqual(['section']);
      for (const odd of ['AND', '"', 'a-b:*', '(', "'; DROP", '', '\u0000']) await find(odd);
    });
  });

  describe('sections', () => {
    const target = async (stores: ReturnType<typeof openStores>) => ({
      entityType: 'TASK' as const,
      entityId: (await stores.task('T')).id,
    });
    const section = (title: string, more: Record<string, unknown> = {}) => ({
      title,
      usageDescription: 'use',
      content: `content of ${title}`,
      ...more,
    });

    test('ordinals are unique per entity: a taken one is CONFLICT, a missing one is the next', async () => {
      const stores = openStores({ path: await freshUrl() });
      const at = await target(stores);
      await stores.work.addSections(person, at, [section('A', { ordinal: 3 }), section('B')]);
      await expect(stores.work.addSections(person, at, [section('C', { ordinal: 4 })])).rejects.toMatchObject(
        {
          code: 'CONFLICT',
        },
      );
      const all = await stores.work.querySections({ ...at, includeContent: false });
      expect(all.map((one) => [one.title, one.ordinal, one.content])).toEqual([
        ['A', 3, undefined],
        ['B', 4, undefined],
      ]);
    });

    test('bulkCreate writes all or nothing', async () => {
      const stores = openStores({ path: await freshUrl() });
      const at = await target(stores);
      await expect(stores.work.addSections(person, at, [section('A'), section('')])).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      expect(await stores.work.querySections({ ...at, includeContent: true })).toEqual([]);
    });

    test('update and updateText need the version; reorder names every section once; delete is strict, bulkDelete is not', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { work } = stores;
      const at = await target(stores);
      const [a, b] = await work.addSections(person, at, [section('A', { tags: ['x'] }), section('B')]);
      await expect(
        work.updateSection(person, { sectionId: a!.id, version: 2, content: 'n' }),
      ).rejects.toMatchObject({
        code: 'CONFLICT',
        data: { currentVersion: 1 },
      });
      expect(await work.updateSection(person, { sectionId: a!.id, version: 1, content: 'n' })).toMatchObject({
        version: 2,
        content: 'n',
      });
      await expect(work.reorderSections(person, at, [a!.id])).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      const order = await work.reorderSections(person, at, [b!.id, a!.id]);
      expect(order.map((one) => [one.title, one.ordinal])).toEqual([
        ['B', 0],
        ['A', 1],
      ]);
      expect(
        (await work.querySections({ ...at, includeContent: true, tags: ['x'] })).map((one) => one.title),
      ).toEqual(['A']);
      await expect(work.removeSections(person, [at.entityId], { strict: true })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      expect(await work.removeSections(person, [a!.id, b!.id, at.entityId], { strict: false })).toBe(2);
    });
  });

  describe('templates', () => {
    test('the built-in task template has the five standard sections and is protected', async () => {
      const { work, task } = openStores({ path: await freshUrl() });
      const standard = await work.getTemplate('Standard Task', { includeSections: true });
      expect(standard.sections!.map((section) => section.title)).toEqual([
        'Implementation Plan',
        'Context Files',
        'Verification',
        'Dependencies and Constraints',
        'Recommended Agent',
      ]);
      await expect(work.updateTemplate(person, standard.id, { name: 'X' })).rejects.toMatchObject({
        code: 'PROTECTED_TEMPLATE',
      });
      await expect(work.deleteTemplate(person, standard.id)).rejects.toMatchObject({
        code: 'PROTECTED_TEMPLATE',
      });
      await work.switchTemplate(person, standard.id, false);
      const t = await task('T');
      const apply = { templateId: standard.id, entityType: 'TASK' as const, entityId: t.id };
      await expect(work.applyTemplate(person, apply)).rejects.toMatchObject({ code: 'TEMPLATE_DISABLED' });
      await work.switchTemplate(person, standard.id, true);
      expect(await work.applyTemplate(person, apply)).toHaveLength(5);
      expect(await work.applyTemplate(person, apply)).toHaveLength(5);
    });

    test('a name is taken once (DUPLICATE_NAME), and the target type must fit', async () => {
      const { work, task } = openStores({ path: await freshUrl() });
      const given = { name: 'Bug', description: 'd', targetEntityType: 'FEATURE' as const };
      const template = await work.createTemplate(person, given);
      await expect(work.createTemplate(person, given)).rejects.toMatchObject({ code: 'DUPLICATE_NAME' });
      const grown = await work.addTemplateSection(person, template.id, {
        title: 'Steps',
        usageDescription: 'u',
        contentSample: 's',
      });
      expect(grown.sections).toMatchObject([{ title: 'Steps', ordinal: 0 }]);
      const t = await task('T');
      await expect(
        work.applyTemplate(person, { templateId: template.id, entityType: 'TASK', entityId: t.id }),
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect((await work.listTemplates({ targetEntityType: 'FEATURE' })).map((one) => one.name)).toEqual([
        'Bug',
      ]);
      await work.deleteTemplate(person, template.id);
      await expect(work.getTemplate('Bug')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  test('tags are listed by use, then name; renaming merges, and dryRun changes nothing', async () => {
    const { task, feature, work } = openStores({ path: await freshUrl() });
    await task('A', { tags: ['api', 'http'] });
    await feature('F', { tags: ['api'] });
    expect(await work.listTags()).toEqual([
      { tag: 'api', count: 2 },
      { tag: 'http', count: 1 },
    ]);
    expect(await work.listTags('feature')).toEqual([{ tag: 'api', count: 1 }]);
    const rename = { oldTag: 'API', newTag: 'http' };
    expect(await work.renameTag(person, { ...rename, dryRun: true })).toHaveLength(2);
    expect(await work.tagUsage('api')).toHaveLength(2);
    expect(await work.renameTag(person, { ...rename, dryRun: false })).toHaveLength(2);
    expect(await work.listTags()).toEqual([{ tag: 'http', count: 2 }]);
    await expect(work.renameTag(person, { oldTag: 'a', newTag: 'A', dryRun: true })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  describe('get_next_task and get_next_feature', () => {
    test('NEW and unblocked; HIGH first, then the simplest, then the oldest', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work, clock } = stores;
      const order: string[] = [];
      for (const [title, priority, complexity] of [
        ['low', 'LOW', 1],
        ['medium', 'MEDIUM', 1],
        ['high hard', 'HIGH', 9],
        ['high easy', 'HIGH', 2],
        ['high easy younger', 'HIGH', 2],
      ] as const) {
        await task(title, { priority, complexity });
        clock.advance(1000);
      }
      const held = await task('blocked', { priority: 'HIGH', complexity: 1 });
      await work.block(person, {
        kind: 'task',
        id: held.id,
        version: 1,
        blockedBy: ['NO_OP'],
        reason: 'wait',
      });
      for (let next = await work.nextTask({}); next; next = await work.nextTask({})) {
        order.push(next.title);
        await advance(stores, 'task', next.id, next.version);
      }
      expect(order).toEqual(['high easy', 'high easy younger', 'high hard', 'medium', 'low']);
      expect((await work.blockedContainers('task', {})).map((one) => (one as TaskRecord).title)).toEqual([
        'blocked',
      ]);
    });

    test('project, feature and priority narrow the choice', async () => {
      const { project, feature, task, work } = openStores({ path: await freshUrl() });
      const p = await project();
      const f = await feature('F', { projectId: p.id });
      await task('elsewhere', { priority: 'HIGH' });
      await task('in project', { projectId: p.id, priority: 'HIGH' });
      await task('in feature', { featureId: f.id, priority: 'LOW' });
      const title = async (filter: Parameters<typeof work.nextTask>[0]) =>
        (await work.nextTask(filter))?.title;
      expect(await title({ projectId: p.id })).toBe('in project');
      expect(await title({ featureId: f.id, projectId: p.id })).toBe('in feature');
      expect(await title({ projectId: p.id, priority: 'LOW' })).toBe('in feature');
      expect(await title({ priority: 'MEDIUM' })).toBeUndefined();
    });

    test('the next feature is ACTIVE before NEW, then by priority, then the oldest', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { feature, work } = stores;
      await feature('new high', { priority: 'HIGH' });
      const active = await feature('active low', { priority: 'LOW' });
      await advance(stores, 'feature', active.id, 1);
      expect((await work.nextFeature({}))?.name).toBe('active low');
      expect((await work.nextFeature({ priority: 'HIGH' }))?.name).toBe('new high');
    });
  });

  describe('advance, revert, terminate', () => {
    test('advance moves one step and refuses a terminal state, a wrong version and a blocked task', async () => {
      const stores = openStores({ path: await freshUrl() });
      const [t, blocker] = [await stores.task('T'), await stores.task('Blocker')];
      await stores.work.block(person, {
        kind: 'task',
        id: t.id,
        version: 1,
        blockedBy: [blocker.id, 'NO_OP'],
        reason: 'a person decides',
      });
      await expect(advance(stores, 'task', t.id, 2)).rejects.toMatchObject({
        code: 'BLOCKED',
        data: { blockedBy: [blocker.id, 'NO_OP'].sort(), blockedReason: 'a person decides' },
      });
      await stores.work.unblock(person, {
        kind: 'task',
        id: t.id,
        version: 2,
        blockedBy: [blocker.id, 'NO_OP'],
      });
      await expect(advance(stores, 'task', t.id, 2)).rejects.toMatchObject({
        code: 'CONFLICT',
        data: { currentVersion: 3 },
      });
      expect(await advance(stores, 'task', t.id, 3)).toMatchObject({
        transition: { from: 'NEW', to: 'ACTIVE' },
        pipelinePosition: '2/3',
        terminal: false,
      });
      expect((await advance(stores, 'task', t.id, 4)).terminal).toBe(true);
      await expect(advance(stores, 'task', t.id, 5)).rejects.toMatchObject({ code: 'INVALID_OPERATION' });
    });

    test('on CLOSED it leaves every blockedBy and says whom it unblocked', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work } = stores;
      const [a, b, c] = [await task('A'), await task('B'), await task('C')];
      await work.block(person, { kind: 'task', id: c.id, version: 1, blockedBy: [a.id, b.id] });
      await advance(stores, 'task', a.id, 1);
      expect((await advance(stores, 'task', a.id, 2)).unblockedEntities).toEqual([
        { id: c.id, type: 'task', name: 'C', stillBlocked: true },
      ]);
      await advance(stores, 'task', b.id, 1);
      expect((await advance(stores, 'task', b.id, 2)).unblockedEntities).toMatchObject([
        { id: c.id, stillBlocked: false },
      ]);
      expect(((await work.getContainer('task', c.id)) as TaskRecord).blockedBy).toEqual([]);
    });

    test('a first active task activates its feature; when all are terminal it closes, or exits if all exited', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { feature, task, work } = stores;
      const status = async (id: string) => ((await work.getContainer('feature', id)) as FeatureRecord).status;
      const [mixed, dropped, after] = [
        await feature('Mixed'),
        await feature('Dropped'),
        await feature('After'),
      ];
      await work.block(person, { kind: 'feature', id: after.id, version: 1, blockedBy: [mixed.id] });
      const [a, b, c] = [
        await task('a', { featureId: mixed.id }),
        await task('b', { featureId: mixed.id }),
        await task('c', { featureId: dropped.id }),
      ];
      expect((await advance(stores, 'task', a.id, 1)).featureTransition).toBe('NEW → ACTIVE');
      await advance(stores, 'task', a.id, 2);
      expect(await status(mixed.id)).toBe('ACTIVE');
      const last = await work.terminate(person, { kind: 'task', id: b.id, version: 1 });
      expect(last).toMatchObject({
        featureTransition: 'ACTIVE → CLOSED',
        featureUnblockedEntities: [{ id: after.id }],
      });
      await work.terminate(person, { kind: 'task', id: c.id, version: 1 });
      expect(await status(dropped.id)).toBe('WILL_NOT_IMPLEMENT');
    });

    test('revert goes one step back, never from the first state and never from a terminal one', async () => {
      const stores = openStores({ path: await freshUrl() });
      const t = await stores.task('T');
      const revert = (version: number) => stores.work.revert(person, { kind: 'task', id: t.id, version });
      await expect(revert(1)).rejects.toMatchObject({ code: 'INVALID_OPERATION' });
      await advance(stores, 'task', t.id, 1);
      expect((await revert(2)).transition).toEqual({ from: 'ACTIVE', to: 'NEW' });
      await stores.work.terminate(person, { kind: 'task', id: t.id, version: 3 });
      await expect(revert(4)).rejects.toMatchObject({ code: 'INVALID_OPERATION' });
    });

    test('terminate ignores blocks, does not unblock, and reports the affected dependents', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      const [a, b] = [await task('A'), await task('B')];
      await work.block(person, { kind: 'task', id: b.id, version: 1, blockedBy: [a.id] });
      await work.block(person, { kind: 'task', id: a.id, version: 1, blockedBy: ['NO_OP'], reason: 'r' });
      const gone = await work.terminate(person, { kind: 'task', id: a.id, version: 2, reason: 'obsolete' });
      expect(gone).toMatchObject({
        transition: { to: 'WILL_NOT_IMPLEMENT' },
        affectedDependents: [{ id: b.id }],
        unblockedEntities: [],
      });
      expect(((await work.getContainer('task', b.id)) as TaskRecord).blockedBy).toEqual([a.id]);
    });

    test('query_workflow_state tells current, next and previous state, blockers and place', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      const t = await task('T');
      await work.advance(person, { kind: 'task', id: t.id, version: 1 });
      expect(await work.workflowState('task', t.id)).toMatchObject({
        currentStatus: 'ACTIVE',
        nextStatus: 'CLOSED',
        previousStatus: 'NEW',
        isTerminal: false,
        isBlocked: false,
        pipelinePosition: '2/3',
        version: 2,
      });
    });
  });

  describe('block, unblock and dependencies', () => {
    test('blockers must exist and not be terminal; NO_OP needs a reason; blocking twice adds nothing', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, project, work } = stores;
      const [t, done] = [await task('T'), await task('Done')];
      await work.terminate(person, { kind: 'task', id: done.id, version: 1 });
      const block = (version: number, blockedBy: string[], reason?: string) =>
        work.block(person, { kind: 'task', id: t.id, version, blockedBy, reason });
      await expect(block(1, ['NO_OP'])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(block(1, [])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(block(1, [done.id])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(block(1, [(await project()).id])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect((await block(1, ['NO_OP'], 'wait')).added).toEqual(['NO_OP']);
      expect((await block(2, ['NO_OP'], 'still')).added).toEqual([]);
      const free = await work.unblock(person, { kind: 'task', id: t.id, version: 3, blockedBy: ['NO_OP'] });
      expect(free.record).toMatchObject({ blockedBy: [], blockedReason: null });
      expect(
        (await work.unblock(person, { kind: 'task', id: t.id, version: 4, blockedBy: ['NO_OP'] })).removed,
      ).toEqual([]);
      await expect(
        work.block(person, { kind: 'task', id: done.id, version: 2, blockedBy: [t.id] }),
      ).rejects.toMatchObject({ code: 'INVALID_OPERATION' });
    });

    test('a BLOCKS cycle is refused with CIRCULAR_DEPENDENCY that names it, across tasks and features', async () => {
      const { task, feature, work } = openStores({ path: await freshUrl() });
      const [a, b, f] = [await task('A'), await task('B'), await feature('F')];
      const link = (fromId: string, toId: string) =>
        work.manageDependency(person, { operation: 'create', fromId, toId, type: 'BLOCKS' });
      await link(a.id, b.id);
      await link(b.id, f.id);
      await expect(link(f.id, a.id)).rejects.toMatchObject({
        code: 'CIRCULAR_DEPENDENCY',
        message: expect.stringMatching(/"A" blocks "B" blocks "F" blocks "A"/),
        data: { cycle: [a.id, b.id, f.id, a.id] },
      });
      await expect(
        work.block(person, { kind: 'task', id: a.id, version: 1, blockedBy: [f.id] }),
      ).rejects.toMatchObject({ code: 'CIRCULAR_DEPENDENCY' });
      await expect(link(a.id, a.id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    });

    test('manage_dependency raises the version of the target, RELATES_TO is symmetric, terminal ends are refused', async () => {
      const { task, work } = openStores({ path: await freshUrl() });
      const [a, b] = [await task('A'), await task('B')];
      const change = (operation: 'create' | 'delete', type: 'BLOCKS' | 'RELATES_TO') =>
        work.manageDependency(person, { operation, fromId: a.id, toId: b.id, type });
      expect(await change('create', 'BLOCKS')).toMatchObject({ changed: true, blockedBy: [a.id] });
      expect((await work.getContainer('task', b.id)).version).toBe(2);
      expect((await change('create', 'BLOCKS')).changed).toBe(false);
      await change('create', 'RELATES_TO');
      expect(await work.queryDependencies('task', a.id)).toMatchObject({
        dependencies: [{ type: 'RELATES_TO', toId: b.id, name: 'B' }],
        dependents: [
          { type: 'BLOCKS', toId: b.id, name: 'B' },
          { type: 'RELATES_TO', fromId: b.id },
        ],
      });
      await change('delete', 'BLOCKS');
      await work.terminate(person, {
        kind: 'task',
        id: a.id,
        version: (await work.getContainer('task', a.id)).version,
      });
      await expect(change('create', 'BLOCKS')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    });
  });
});
