import { describe, expect, test } from 'vitest';
import { databases } from '../../../tests/support/libraries.ts';
import { openStores, person } from '../../../tests/support/work-stores.ts';
import { workflowProblem, workflowsSchema } from './workflow-states.ts';

test.each([
  ['an unknown state', ['NEW', 'ACTIVE', 'DONE', 'CLOSED']],
  ['the exit state', ['NEW', 'ACTIVE', 'WILL_NOT_IMPLEMENT', 'CLOSED']],
  ['fewer than three states', ['NEW', 'CLOSED']],
  ['another start than NEW', ['ACTIVE', 'TO_BE_TESTED', 'CLOSED']],
  ['no ACTIVE', ['NEW', 'TO_BE_TESTED', 'CLOSED']],
  ['another end than CLOSED', ['NEW', 'ACTIVE', 'READY_TO_PROD']],
  ['another order than the catalogue', ['NEW', 'ACTIVE', 'READY_TO_PROD', 'TO_BE_TESTED', 'CLOSED']],
  ['a state twice', ['NEW', 'ACTIVE', 'ACTIVE', 'CLOSED']],
])('a task pipeline with %s is refused', (_name, states) => {
  expect(workflowProblem('task', states)).toBeTypeOf('string');
  expect(workflowsSchema.safeParse({ task: states, feature: ['NEW', 'ACTIVE', 'CLOSED'] }).success).toBe(
    false,
  );
});

test('a task may add TO_BE_TESTED and READY_TO_PROD, a feature READY_TO_PROD only', () => {
  expect(
    workflowProblem('task', ['NEW', 'ACTIVE', 'TO_BE_TESTED', 'READY_TO_PROD', 'CLOSED']),
  ).toBeUndefined();
  expect(workflowProblem('feature', ['NEW', 'ACTIVE', 'READY_TO_PROD', 'CLOSED'])).toBeUndefined();
  expect(workflowProblem('feature', ['NEW', 'ACTIVE', 'TO_BE_TESTED', 'CLOSED'])).toBeTypeOf('string');
});

const tested = { feature: ['NEW', 'ACTIVE', 'CLOSED'], task: ['NEW', 'ACTIVE', 'TO_BE_TESTED', 'CLOSED'] };

describe.each(databases)('on $name', ({ freshUrl }) => {
  test('pipelines are locked once data exists; sync adopts a change, maps states or refuses, with a backup', async () => {
    const first = openStores({ path: await freshUrl(), pipelines: tested });
    const t = await first.task('T');
    await first.work.advance(person, { kind: 'task', id: t.id, version: 1 });
    await first.work.advance(person, { kind: 'task', id: t.id, version: 2 });
    const second = openStores({ path: first.path });
    expect((await second.work.activeWorkflows()).task).toContain('TO_BE_TESTED');
    const look = await second.work.syncWorkflows(person, { override: false, mapping: {} });
    expect(look).toMatchObject({
      inSync: false,
      orphaned: [{ kind: 'task', status: 'TO_BE_TESTED', count: 1 }],
    });
    const wrong: Array<Record<string, string>> = [
      {},
      { TO_BE_TESTED: 'NOWHERE' },
      { TO_BE_TESTED: 'CLOSED' },
    ];
    for (const mapping of wrong)
      await expect(second.work.syncWorkflows(person, { override: true, mapping })).rejects.toMatchObject({
        code: 'INVALID_OPERATION',
      });
    expect((await second.work.activeWorkflows()).task).toContain('TO_BE_TESTED');
    const done = await second.work.syncWorkflows(person, {
      override: true,
      mapping: { TO_BE_TESTED: 'ACTIVE' },
    });
    expect({ backup: undefined, ...done }).toMatchObject({
      inSync: true,
      mapped: 1,
      orphaned: [],
      // The server of a library that is not a file has backups of its own.
      backup: second.library.embedded ? expect.stringMatching(/before-sync/) : undefined,
    });
    expect(await second.work.getContainer('task', t.id)).toMatchObject({ status: 'ACTIVE', version: 4 });
  });

  test('before there is data the configuration holds', async () => {
    const first = openStores({ path: await freshUrl(), pipelines: tested });
    await first.project();
    expect((await openStores({ path: first.path }).work.activeWorkflows()).task).not.toContain(
      'TO_BE_TESTED',
    );
  });
});
