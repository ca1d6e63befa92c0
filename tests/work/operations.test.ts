import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import { embeddedOf } from '../../src/base/library/index.ts';
import { allOperations } from '../../src/operations/list.ts';
import type { Caller } from '../../src/operations/operation.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

interface Envelope {
  success: boolean;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data of every operation is looked at
  data?: any;
  error?: { code: string; data?: Record<string, unknown> };
  metadata: { timestamp: string; version: string; replayed?: boolean };
}

const person: Caller = { kind: 'person', name: 'ada' };
const agent: Caller = { kind: 'agent', name: 'client' };

function world(options: { flags?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  const repository = fixtureRepository();
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  const app = openApp({ directory: repository.path, clock, ...options });
  onTestFinished(() => app.close());
  const call = async (name: string, input: unknown, caller: Caller = person): Promise<Envelope> => {
    const outcome = await runOperation(app, { name, input, caller });
    return (outcome.ok ? outcome.output : (outcome as { output: unknown }).output) as Envelope;
  };
  const plan = async () => {
    const { data } = await call('create_work_tree', {
      project: { name: 'Shop', summary: 's' },
      features: [
        {
          name: 'F',
          summary: 's',
          priority: 'HIGH',
          tasks: [{ ref: 't', title: 'T', summary: 's', priority: 'HIGH', complexity: '3' }],
        },
      ],
    });
    return { projectId: data.created[0].id as string, taskId: data.ids.t as string };
  };
  return { app, clock, call, plan, repository };
}

test('every example of work and areas succeeds, one after the other, for a person', async () => {
  const { call } = world();
  for (const operation of (await allOperations()).filter(
    (one) => one.toolset === 'work' || one.toolset === 'areas',
  ))
    for (const example of operation.examples) {
      const reply = await call(operation.name, example);
      expect(reply.success, `${operation.name}: ${JSON.stringify(reply.error)}`).toBe(true);
      expect(operation.render?.(reply as never, { verbose: false })).toBeTypeOf('string');
    }
});

test('an agent that goes by a name of the person is not taken for the person', async () => {
  const { call, plan } = world({ env: { ...process.env, USER: 'ada' } });
  const { taskId: id } = await plan();
  const { data } = await call('claim_work', { id });
  expect(data.task.claim.by).toBe('ada');
  const { version } = data.task;
  for (const actor of ['ada', ' ADA', 'person', 'ａｄａ'])
    expect(await call('advance', { id, version, actor }, agent)).toMatchObject({
      error: { code: 'CONFLICT' },
    });
  await call('claim_work', { id, claim_token: data.claimToken, release: true });
  const claimed = await call('claim_work', { id, claimant: 'ada' }, agent);
  expect(claimed.data.task.claim.by).toBe('agent ada');
  const unattended: Caller = { kind: 'person', name: 'ada', unattended: true };
  await call('claim_work', { id, claim_token: claimed.data.claimToken, release: true }, agent);
  expect((await call('claim_work', { id }, unattended)).data.task.claim.by).toBe('command line');
});

test('a section of one’s own takes the place of the template’s section with its title', async () => {
  const { call } = world();
  const section = { title: 'context files', usageDescription: 'u', content: 'src/a.ts', ordinal: 1 };
  const further = { title: 'Notes of mine', usageDescription: 'u', content: 'n' };
  const { data } = await call('create_work_tree', {
    project: { name: 'Shop', summary: 's' },
    tasks: [
      {
        ref: 't',
        title: 'T',
        summary: 's',
        priority: 'HIGH',
        complexity: 3,
        template: 'Standard Task',
        sections: [section, further],
      },
    ],
  });
  const { data: found } = await call('get_work', { id: data.ids.t, sections: true });
  const sections = found.sections as Array<{ title: string; content: string }>;
  const titles = sections.map(({ title }) => title.toLowerCase());
  expect(titles.filter((title) => title === 'context files')).toEqual(['context files']);
  expect(titles.at(-1)).toBe('notes of mine');
  expect(new Set(titles).size).toBe(titles.length);
  expect(sections.find(({ title }) => title === 'context files')?.content).toBe('src/a.ts');
});

describe('the envelope', () => {
  test('holds success, message, data and metadata, and for failures error with its code', async () => {
    const { call } = world();
    expect(await call('get_next_task', {})).toEqual({
      success: true,
      message: 'No task is ready.',
      data: { task: null },
      metadata: { timestamp: '2026-01-01T00:00:00.000Z', version: '1.0' },
    });
    const id = '10000000-0000-4000-8000-000000000000';
    expect(await call('advance', { id, version: 1 })).toMatchObject({
      success: false,
      error: { code: 'NOT_FOUND' },
      metadata: { version: '1.0' },
    });
    expect(await call('advance', {})).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    expect(
      await call('manage_container', {
        operation: 'update',
        containerType: 'task',
        id,
        version: 1,
        status: 'CLOSED',
      }),
    ).toMatchObject({
      success: false,
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  test('numbers as strings, lists as JSON text, and ids with or without dashes are accepted', async () => {
    const { call, plan } = world();
    const { projectId, taskId } = await plan();
    const dashless = taskId.replaceAll('-', '').toUpperCase();
    const other = await call('manage_container', {
      operation: 'create',
      containerType: 'task',
      title: 'B',
      summary: 's',
      priority: 'low',
      complexity: '1',
      tags: 'X, y',
      projectId,
    });
    expect(other.data.task).toMatchObject({ complexity: 1, tags: ['x', 'y'], priority: 'LOW' });
    const blocked = await call('block', {
      containerType: 'task',
      id: other.data.task.id,
      version: '1',
      blockedBy: JSON.stringify([dashless]),
    });
    expect(blocked.data.task.blockedBy).toEqual([taskId]);
    const atom = await call('manage_graph', {
      operation: 'create',
      entityType: 'atom',
      name: 'A',
      paths: '["src/**"]',
      relatedAtoms: '[]',
    });
    expect(atom.data.atom.paths).toEqual(['src/**']);
    expect(
      await call('query_graph', { operation: 'context', paths: 'src/index.ts, lib/x.ts', limit: '5' }),
    ).toMatchObject({
      data: { orphanAtoms: [{ name: 'A' }], unmatchedPaths: ['lib/x.ts'] },
    });
  });

  test('old names of the tag operations work', async () => {
    const { call } = world();
    expect(await call('get_tag_usage', { tag: 'x' })).toMatchObject({ success: true });
    expect(await call('rename_tag', { oldTag: 'x', newTag: 'y', dryRun: 'true' })).toMatchObject({
      success: true,
      data: { affected: 0 },
    });
  });

  test('the same idempotency key writes once and answers the same; with another input it is CONFLICT', async () => {
    const { call } = world();
    const input = {
      operation: 'create',
      containerType: 'project',
      name: 'P',
      summary: 's',
      idempotencyKey: 'k1',
    };
    const first = await call('manage_container', input);
    const again = await call('manage_container', input);
    expect(again.data).toEqual(first.data);
    expect(again.metadata.replayed).toBe(true);
    expect(await call('manage_container', { ...input, name: 'Q' })).toMatchObject({
      error: { code: 'CONFLICT' },
    });
    expect(
      (await call('query_container', { operation: 'search', containerType: 'project' })).data.total,
    ).toBe(1);
  });
});

describe('query_container includeGraphContext', () => {
  test('resolves the Context Files of a task; without them there is none', async () => {
    const { call, plan } = world();
    const { taskId } = await plan();
    const get = () =>
      call('query_container', {
        operation: 'get',
        containerType: 'task',
        id: taskId,
        includeGraphContext: true,
      });
    expect((await get()).data.graphContext).toBeUndefined();
    await call('manage_sections', {
      operation: 'add',
      entityType: 'TASK',
      entityId: taskId,
      title: 'Context Files',
      usageDescription: 'u',
      content: 'src/auth/session.ts, src/new.ts\nsome prose',
    });
    await call('manage_graph', {
      operation: 'create',
      entityType: 'atom',
      name: 'Auth',
      paths: ['src/auth/**'],
      knowledge: 'Sessions.',
    });
    const { data } = await get();
    expect(data.graphContext).toMatchObject({
      molecules: [],
      orphanAtoms: [{ name: 'Auth', knowledge: 'Sessions.', matchedPaths: ['src/auth/session.ts'] }],
      unmatchedPaths: ['src/new.ts'],
    });
    expect(data.sections).toBeUndefined();
  });
});

describe('advance', () => {
  test('graphHints come when a task reaches a terminal status, and only then; terminate has none', async () => {
    const { call, plan } = world();
    const { taskId } = await plan();
    const step = (version: number) => call('advance', { containerType: 'task', id: taskId, version });
    expect((await step(1)).data.graphHints).toBeUndefined();
    expect((await step(2)).data.graphHints).toEqual({
      message: 'Task completed. Consider updating the knowledge graph.',
      suggestedActions: [
        'Update atom knowledge for areas affected by this task',
        'Update atom paths if files were moved or new directories created',
        'Append changelog entries for significant changes',
      ],
    });
    const other = (
      await call('manage_container', {
        operation: 'create',
        containerType: 'task',
        title: 'B',
        summary: 's',
        priority: 'LOW',
        complexity: 1,
      })
    ).data.task;
    expect((await call('terminate', { id: other.id, version: 1 })).data.graphHints).toBeUndefined();
  });

  test('Tools NOT Modified: get_next_task and get_next_feature read nothing of areas', async () => {
    const { app, call, plan } = world();
    await plan();
    await call('get_next_task', {});
    const sqlite = embeddedOf(await app.library());
    const asked: string[] = [];
    const prepare = sqlite.prepare;
    sqlite.prepare = (sql) => {
      asked.push(sql);
      return prepare(sql);
    };
    await call('get_next_task', {});
    await call('get_next_feature', {});
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((sql) => sql.includes('graph_'))).toEqual([]);
  });
});

describe('areas', () => {
  test('agents name the task they work on; persons need not', async () => {
    const { call, plan } = world();
    const { taskId } = await plan();
    const input = { operation: 'create', entityType: 'molecule', name: 'M' };
    expect(await call('manage_graph', input, agent)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(await call('manage_graph', { ...input, createdByTaskId: taskId }, agent)).toMatchObject({
      success: true,
    });
    expect(await call('manage_graph', input)).toMatchObject({ data: { molecule: { createdByTaskId: '' } } });
  });

  test('projectId may be left out with one project or work.default_project, and must be given otherwise', async () => {
    const { call, plan } = world();
    expect(await call('list_areas', {})).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    await plan();
    expect(await call('list_areas', {})).toMatchObject({ success: true });
    await call('manage_container', {
      operation: 'create',
      containerType: 'project',
      name: 'Other',
      summary: 's',
    });
    expect(await call('list_areas', {})).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    const named = world({ flags: ['work.default_project=Other'] });
    await named.call('manage_container', {
      operation: 'create',
      containerType: 'project',
      name: 'Other',
      summary: 's',
    });
    await named.call('manage_container', {
      operation: 'create',
      containerType: 'project',
      name: 'More',
      summary: 's',
    });
    expect(await named.call('list_areas', {})).toMatchObject({ success: true });
  });

  test('"null" as moleculeId makes an orphan', async () => {
    const { call, plan } = world();
    await plan();
    const molecule = (await call('manage_graph', { operation: 'create', entityType: 'molecule', name: 'M' }))
      .data.molecule;
    const atom = (
      await call('manage_graph', {
        operation: 'create',
        entityType: 'atom',
        name: 'A',
        paths: ['a'],
        moleculeId: molecule.id,
      })
    ).data.atom;
    const update = { operation: 'update', entityType: 'atom', id: atom.id, version: 1, moleculeId: 'null' };
    expect((await call('manage_graph', update)).data.atom.moleculeId).toBeNull();
  });

  test('deleting a project with cascade deletes its areas; without, they are counted and nothing goes', async () => {
    const { call, plan } = world();
    const { projectId } = await plan();
    const atom = (
      await call('manage_graph', { operation: 'create', entityType: 'atom', name: 'A', paths: ['a'] })
    ).data.atom;
    const request = { operation: 'delete', containerType: 'project', id: projectId };
    expect(await call('manage_container', request)).toMatchObject({
      error: { code: 'INVALID_OPERATION', data: { atoms: 1 } },
    });
    expect(await call('manage_container', { ...request, cascade: true })).toMatchObject({
      data: { deleted: { projects: 1, tasks: 1, atoms: 1 } },
    });
    expect(await call('query_graph', { operation: 'get', entityType: 'atom', id: atom.id })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });

  test('context reports how stale an atom is by real commits, and get_stale_areas and suggest_areas follow', async () => {
    const { call, plan, repository, clock } = world();
    await plan();
    await call('manage_graph', {
      operation: 'create',
      entityType: 'atom',
      name: 'Auth',
      paths: ['src/auth/**'],
      knowledge: 'k',
    });
    const ask = async () =>
      (await call('get_area_context', { paths: ['src/auth/session.ts'] })).data.orphanAtoms[0].staleness;
    expect(await ask()).toMatchObject({ state: 'fresh', commits: 0 });
    clock.advance(3600_000);
    repository.commit(
      'fix: lock out later',
      { 'src/auth/session.ts': 'changed' },
      { date: Date.UTC(2026, 0, 1, 1) / 1000 },
    );
    expect(await ask()).toMatchObject({
      state: 'stale',
      commits: 1,
      latest: [{ subject: 'fix: lock out later' }],
    });
    expect((await call('get_stale_areas', {})).data.atoms).toMatchObject([{ name: 'Auth' }]);
    for (const name of ['a', 'b', 'c']) repository.write(`src/cart/${name}.ts`, name);
    repository.commit('feat: cart', {}, { date: Date.UTC(2026, 0, 1, 2) / 1000 });
    expect(
      (await call('suggest_areas', {})).data.suggestions.map((one: { paths: string[] }) => one.paths),
    ).toContainEqual(['src/cart/**']);
  });

  test('areas are suggested before there is a project', async () => {
    const { call, repository } = world();
    for (const name of ['a', 'b', 'c']) repository.write(`src/cart/${name}.ts`, name);
    repository.commit('feat: cart', {}, { date: Date.UTC(2026, 0, 1, 2) / 1000 });
    expect(
      (await call('suggest_areas', {})).data.suggestions.map((one: { paths: string[] }) => one.paths),
    ).toContainEqual(['src/cart/**']);
  });

  test('long knowledge is cut to the budget, says so, and every area stays', async () => {
    const { call, plan } = world();
    await plan();
    for (const name of ['A', 'B', 'C'])
      await call('manage_graph', {
        operation: 'create',
        entityType: 'atom',
        name,
        paths: ['**'],
        knowledge: 'many words here '.repeat(1500),
      });
    const { data } = await call('query_graph', { operation: 'context', paths: ['x'], max_tokens: 1000 });
    expect(data.orphanAtoms.map((one: { knowledgeTruncated: boolean }) => one.knowledgeTruncated)).toEqual([
      true,
      true,
      true,
    ]);
    expect(JSON.stringify(data).length).toBeLessThan(6000);
  });

  test('an area is edited as text: the version that was read must still hold', async () => {
    const { call, plan } = world();
    await plan();
    const { id } = (
      await call('manage_graph', {
        operation: 'create',
        entityType: 'atom',
        name: 'A',
        paths: ['a'],
        knowledge: 'old',
      })
    ).data.atom;
    const { text, version } = (await call('read_area_text', { id })).data;
    const edited = text.replace('old', 'new');
    expect((await call('write_area_text', { text: edited, version })).data).toMatchObject({
      changed: true,
      version: 2,
    });
    expect(await call('write_area_text', { text: edited, version })).toMatchObject({
      error: { code: 'CONFLICT', data: { currentVersion: 2 } },
    });
    expect(
      (await call('query_graph', { operation: 'get', entityType: 'atom', id })).data.atom.knowledge,
    ).toBe('new');
  });
});

test('changes_since answers what happened after a cursor, with who did it, and nothing twice', async () => {
  const { call, plan } = world();
  const { taskId } = await plan();
  const { cursor } = (await call('changes_since', {})).data;
  await call('advance', { id: taskId, version: 1, actor: 'agent-7' });
  const seen = [];
  let at = cursor;
  for (let more = true; more; ) {
    const { data } = await call('changes_since', { cursor: at, limit: 1 });
    seen.push(...data.changes);
    [at, more] = [data.cursor, data.more];
  }
  expect(seen).toMatchObject([
    { action: 'advance', ref: `task:${taskId}`, actor: 'agent-7', detail: { from: 'NEW', to: 'ACTIVE' } },
    { action: 'advance', detail: { because: 'tasks' } },
  ]);
  expect((await call('changes_since', { cursor: at })).data.changes).toEqual([]);
  expect(await call('changes_since', { cursor: 'nonsense' })).toMatchObject({
    error: { code: 'VALIDATION_ERROR' },
  });
});

test('search_work finds tasks, sections and atoms together', async () => {
  const { call, plan } = world();
  const { taskId } = await plan();
  await call('manage_sections', {
    operation: 'add',
    entityType: 'TASK',
    entityId: taskId,
    title: 'Plan',
    usageDescription: 'u',
    content: 'Count the attempts in Redis.',
  });
  await call('manage_graph', {
    operation: 'create',
    entityType: 'atom',
    name: 'Limits',
    paths: ['a'],
    knowledge: 'Attempts are counted per user.',
  });
  const kinds = async (input: object) =>
    (await call('search_work', input)).data.results.map((hit: { kind: string }) => hit.kind).sort();
  expect(await kinds({ query: 'attempts count' })).toEqual(['atom', 'section']);
  expect(await kinds({ query: 'attempts', kinds: 'atom' })).toEqual(['atom']);
});

test('pages of a search walk the whole set once, and a cursor of another question is refused', async () => {
  const { call, plan } = world();
  const { projectId } = await plan();
  for (let at = 0; at < 30; at++)
    await call('manage_container', {
      operation: 'create',
      containerType: 'task',
      title: `Task ${at} ${'word '.repeat(40)}`.slice(0, 250),
      summary: 'x'.repeat(400),
      priority: 'LOW',
      complexity: 1,
      projectId,
    });
  const question = { operation: 'search', containerType: 'task', limit: 100, max_tokens: 1000 };
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data } = await call('query_container', { ...question, ...(cursor ? { cursor } : {}) });
    seen.push(...data.items.map((item: { id: string }) => item.id));
    cursor = data.next_cursor;
    if (!cursor) break;
    expect(await call('query_container', { ...question, query: 'other', cursor })).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
  }
  expect([seen.length, new Set(seen).size]).toEqual([31, 31]);
});
