import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { launcher } from '../support/program.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies of several operations are looked at
type Reply = { success: boolean; data: any; error?: { code: string; data?: Record<string, unknown> } };

test('a real client drives plan → claim → context → advance → changelog over stdio', async () => {
  const client = new Client({ name: 'flow', version: '1' });
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const args = [launcher(), 'mcp', '--toolsets', 'work,areas', '--structured'];
  await client.connect(
    new StdioClientTransport({ command: 'sh', args, cwd: fixtureRepository().path, env, stderr: 'ignore' }),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>): Promise<Reply> =>
    (await client.callTool({ name, arguments: input })).structuredContent as unknown as Reply;

  const plan = await call('create_work_tree', {
    project: { name: 'Shop', summary: 'The shop.' },
    tasks: [
      {
        ref: 't',
        title: 'Lock out for a minute',
        summary: 'After ten attempts a user waits.',
        priority: 'HIGH',
        complexity: '3',
        sections: [
          {
            title: 'Context Files',
            usageDescription: 'files',
            content: '- src/auth/rate-limit.ts\n- src/auth/new.ts',
          },
        ],
      },
      { title: 'Tell the user', summary: 'Show how long.', priority: 'LOW', complexity: 1, blockedBy: ['t'] },
    ],
  });
  expect(plan.success).toBe(true);
  const taskId = plan.data.ids.t as string;

  const claimed = await call('claim_task', { claimant: 'flow' });
  expect(claimed.data.task).toMatchObject({ id: taskId, claim: { by: 'flow', live: true } });
  expect((await call('get_next_task', {})).data.task).toBeNull();

  const atom = await call('manage_graph', {
    operation: 'create',
    entityType: 'atom',
    name: 'Login limits',
    paths: ['src/auth/rate-limit.ts'],
    knowledge: 'Counts live in memory.',
    createdByTaskId: taskId,
  });
  const context = await call('query_container', {
    operation: 'get',
    containerType: 'task',
    id: taskId,
    includeGraphContext: true,
  });
  expect(context.data.graphContext).toMatchObject({
    orphanAtoms: [{ name: 'Login limits' }],
    unmatchedPaths: ['src/auth/new.ts'],
  });

  const { claimToken } = claimed.data;
  const begun = await call('advance', { containerType: 'task', id: taskId, version: 2, claimToken });
  expect(begun.data.transition).toEqual({ from: 'NEW', to: 'ACTIVE' });
  expect(await call('advance', { containerType: 'task', id: taskId, version: 2, claimToken })).toMatchObject({
    success: false,
    error: { code: 'CONFLICT', data: { currentVersion: 3 } },
  });
  const done = await call('advance', { containerType: 'task', id: taskId, version: 3, claimToken });
  expect(done.data).toMatchObject({
    transition: { to: 'CLOSED' },
    unblockedEntities: [{ name: 'Tell the user' }],
    graphHints: { message: expect.stringContaining('knowledge graph') },
  });

  const parent = { parentType: 'atom', parentId: atom.data.atom.id };
  await call('manage_changelog', {
    operation: 'append',
    ...parent,
    taskId,
    summary: 'Lock-out lasts a minute now.',
  });
  const told = await call('manage_changelog', { operation: 'search', ...parent });
  expect(told.data.items).toMatchObject([{ taskId, summary: 'Lock-out lasts a minute now.' }]);
  expect((await call('get_next_task', {})).data.task.title).toBe('Tell the user');
});
