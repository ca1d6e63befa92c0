import { describe, expect, test } from 'vitest';
import { openStores, person } from '../../../tests/support/work-stores.ts';
import { importTasks, type TaskImport } from './import-tasks.ts';

async function world() {
  const stores = openStores();
  const { id: projectId } = await stores.project();
  const run = (text: unknown, more: Partial<TaskImport> = {}) =>
    importTasks(stores.work, person, {
      text: typeof text === 'string' ? text : JSON.stringify(text),
      projectId,
      done: false,
      dryRun: false,
      ...more,
    });
  const tasks = async () =>
    (await stores.work.searchContainers({ kind: 'task', limit: 100, offset: 0 })).items.map((task) => ({
      title: 'title' in task ? task.title : '',
      status: 'status' in task ? task.status : '',
      priority: 'priority' in task ? task.priority : '',
      tags: task.tags,
    }));
  return { ...stores, projectId, run, tasks };
}

describe('tasks of other tools', () => {
  test('GitHub issues: labels become tags and priority, pull requests and finished issues are left out', async () => {
    const { run, tasks } = await world();
    const report = await run([
      {
        number: 7,
        title: 'Login fails',
        body: 'On phones.\n\nSteps…',
        state: 'OPEN',
        labels: [{ name: 'Bug' }, { name: 'P1' }],
      },
      { number: 8, title: 'Done long ago', state: 'closed', labels: [] },
      { number: 9, title: 'A change', state: 'open', pull_request: {} },
    ]);
    expect(report).toMatchObject({ format: 'github', finished: 1, ignored: 1, problems: [] });
    expect(await tasks()).toEqual([
      { title: 'Login fails', status: 'NEW', priority: 'HIGH', tags: ['bug', 'p1'] },
    ]);
  });

  test('a TodoWrite list: what is in progress is active, what is completed comes only when asked for', async () => {
    const { run, tasks } = await world();
    const list = {
      todos: [
        { content: 'Write the parser', status: 'in_progress', activeForm: 'Writing the parser' },
        { content: 'Read the issue', status: 'completed', activeForm: 'Reading' },
      ],
    };
    expect(await run(list)).toMatchObject({ format: 'todowrite', finished: 1 });
    expect(await tasks()).toMatchObject([{ title: 'Write the parser', status: 'ACTIVE' }]);
    await run(list, { done: true });
    expect((await tasks()).map(({ status }) => status).sort()).toEqual(['ACTIVE', 'CLOSED']);
  });

  test('beads: an epic is a feature, its children hang under it, and what blocks blocks', async () => {
    const { run, work } = await world();
    const lines = [
      { id: 'bd-1', title: 'Payments', issue_type: 'epic', status: 'open', priority: 1 },
      {
        id: 'bd-2',
        title: 'Cards',
        issue_type: 'task',
        status: 'open',
        priority: 0,
        dependencies: [{ issue_id: 'bd-2', depends_on_id: 'bd-1', type: 'parent-child' }],
      },
      {
        id: 'bd-3',
        title: 'Refunds',
        issue_type: 'task',
        status: 'open',
        priority: 4,
        dependencies: [{ issue_id: 'bd-3', depends_on_id: 'bd-2', type: 'blocks' }],
      },
    ];
    const report = await run(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(report).toMatchObject({ format: 'beads', problems: [] });
    const ids = new Map(report.created.map(({ key, id }) => [key, id]));
    expect(await work.getContainer('task', ids.get('bd-2')!)).toMatchObject({
      featureId: ids.get('bd-1'),
      priority: 'HIGH',
    });
    expect(await work.getContainer('task', ids.get('bd-3')!)).toMatchObject({
      blockedBy: [ids.get('bd-2')],
      priority: 'LOW',
    });
  });

  test('any JSON list with titles, words alone included', async () => {
    const { run, tasks } = await world();
    const report = await run({
      tasks: ['First', { name: 'Second', tags: 'a, B', complexity: 99 }, { summary: 'no title' }],
    });
    expect(report).toMatchObject({ format: 'json', problems: [{ item: '3', message: 'It has no title.' }] });
    expect((await tasks()).map(({ title, tags }) => [title, tags])).toEqual([
      ['First', []],
      ['Second', ['a', 'b']],
    ]);
  });

  test('the same again adds only what is new, and a dry run adds nothing', async () => {
    const { run, tasks } = await world();
    const issues = [{ number: 1, title: 'One', state: 'open' }];
    expect(await run(issues, { dryRun: true })).toMatchObject({ created: [{ title: 'One' }] });
    expect(await tasks()).toEqual([]);
    await run(issues);
    const again = await run([...issues, { number: 2, title: 'Two', state: 'open' }]);
    expect(again).toMatchObject({ known: 1, created: [{ title: 'Two' }] });
    expect(await tasks()).toHaveLength(2);
  });

  test('one bad item never stops the rest: a cycle, a line that is no JSON', async () => {
    const { run, tasks } = await world();
    const line = (id: string, on: string) =>
      JSON.stringify({
        id,
        title: id,
        issue_type: 'task',
        dependencies: [{ depends_on_id: on, type: 'blocks' }],
      });
    const report = await run([line('a', 'b'), line('b', 'a'), '{"broken'].join('\n'));
    expect(report.problems.map(({ item }) => item).sort()).toEqual(['b', 'line 3']);
    expect(await tasks()).toHaveLength(2);
    await expect(run('not json at all')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
