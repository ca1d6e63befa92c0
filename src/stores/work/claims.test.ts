import { describe, expect, test } from 'vitest';
import { databases } from '../../../tests/support/libraries.ts';
import { agent, openStores, person } from '../../../tests/support/work-stores.ts';
import type { TaskRecord } from './index.ts';

describe.each(databases)('on $name', ({ freshUrl }) => {
  describe('claims', () => {
    const claim = (
      stores: ReturnType<typeof openStores>,
      claimant: string,
      more: Record<string, unknown> = {},
    ) => stores.work.claimTask({ actor: claimant }, { claimant, leaseSeconds: 60, ...more });

    test('a claimed task is offered to nobody; a lapsed lease gives it back, also when work had begun', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work, clock } = stores;
      await task('First', { priority: 'HIGH' });
      await task('Second');
      const first = (await claim(stores, 'a'))!;
      expect(first.task).toMatchObject({ title: 'First', version: 2, claim: { by: 'a', live: true } });
      expect((await work.nextTask({}))?.title).toBe('Second');
      expect((await claim(stores, 'b'))!.task.title).toBe('Second');
      expect(await claim(stores, 'c')).toBeUndefined();
      await work.advance(
        { actor: 'a' },
        { kind: 'task', id: first.task.id, version: 2, claimToken: first.claimToken },
      );
      clock.advance(61_000);
      expect((await claim(stores, 'c'))!.task).toMatchObject({ title: 'First', status: 'ACTIVE' });
    });

    test('renewal keeps it, needs the token, and leaves the version; release gives it back at once', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work, clock } = stores;
      await task('T');
      const held = (await claim(stores, 'a'))!;
      const { id } = held.task;
      clock.advance(50_000);
      expect(
        (await work.renewClaim({ id, claimToken: held.claimToken, leaseSeconds: 60 })).task.version,
      ).toBe(2);
      clock.advance(50_000);
      await expect(claim(stores, 'b', { id })).rejects.toMatchObject({
        code: 'CONFLICT',
        data: { claimedBy: 'a' },
      });
      await expect(work.renewClaim({ id, claimToken: id, leaseSeconds: 60 })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      await work.releaseClaim({ actor: 'a' }, { id, claimToken: held.claimToken });
      expect((await claim(stores, 'b'))!.task.id).toBe(id);
      await expect(
        work.renewClaim({ id, claimToken: held.claimToken, leaseSeconds: 60 }),
      ).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('a lease that ran out cannot be renewed, and its token moves nothing after another took over', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work, clock } = stores;
      await task('T');
      const held = (await claim(stores, 'a'))!;
      clock.advance(60_001);
      await expect(
        work.renewClaim({ id: held.task.id, claimToken: held.claimToken, leaseSeconds: 60 }),
      ).rejects.toMatchObject({ code: 'CONFLICT' });
      const next = (await claim(stores, 'b'))!;
      await expect(
        work.advance(
          { actor: 'a' },
          { kind: 'task', id: next.task.id, version: next.task.version, claimToken: held.claimToken },
        ),
      ).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('while a claim lives another agent cannot move the task; its holder and a person can', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work } = stores;
      await task('T');
      const { task: held } = (await claim(stores, 'agent-2'))!;
      const move = { kind: 'task' as const, id: held.id, version: 2 };
      await expect(work.advance(agent, move)).rejects.toMatchObject({
        code: 'CONFLICT',
        data: { claimedBy: 'agent-2' },
      });
      expect((await work.advance({ actor: 'agent-2' }, move)).transition.to).toBe('ACTIVE');
      const done = await work.advance(person, { ...move, version: 3 });
      expect((done.record as TaskRecord).claim).toBeNull();
    });

    test('blocked and finished tasks cannot be claimed by id, and leases have limits', async () => {
      const stores = openStores({ path: await freshUrl() });
      const { task, work } = stores;
      const t = await task('T');
      await work.block(person, { kind: 'task', id: t.id, version: 1, blockedBy: ['NO_OP'], reason: 'r' });
      await expect(claim(stores, 'a', { id: t.id })).rejects.toMatchObject({ code: 'BLOCKED' });
      await work.terminate(person, { kind: 'task', id: t.id, version: 2 });
      await expect(claim(stores, 'a', { id: t.id })).rejects.toMatchObject({ code: 'INVALID_OPERATION' });
      for (const leaseSeconds of [0, 86_401])
        await expect(claim(stores, 'a', { leaseSeconds })).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
        });
    });
  });

  describe('work trees', () => {
    test('a plan is planted whole by local refs, or not at all', async () => {
      const { work } = openStores({ path: await freshUrl() });
      const tree = {
        project: { ref: 'p', name: 'Shop', summary: 's' },
        features: [
          {
            ref: 'f',
            name: 'F',
            summary: 's',
            priority: 'HIGH' as const,
            tasks: [
              {
                ref: 'a',
                name: 'A',
                summary: 's',
                priority: 'HIGH' as const,
                complexity: 1,
                template: 'Standard Task',
              },
              {
                ref: 'b',
                name: 'B',
                summary: 's',
                priority: 'HIGH' as const,
                complexity: 1,
                blockedBy: ['a'],
              },
            ],
          },
        ],
      };
      const planted = await work.plantTree(person, tree);
      expect(planted.map((node) => [node.ref, node.kind])).toEqual([
        ['p', 'project'],
        ['f', 'feature'],
        ['a', 'task'],
        ['b', 'task'],
      ]);
      const b = (await work.getContainer('task', planted[3]!.id)) as TaskRecord;
      expect(b).toMatchObject({ blockedBy: [planted[2]!.id], projectId: planted[0]!.id });
      const circular = { ...tree, dependencies: [{ from: 'b', to: 'a', type: 'BLOCKS' as const }] };
      await expect(work.plantTree(person, circular)).rejects.toMatchObject({ code: 'CIRCULAR_DEPENDENCY' });
      expect((await work.searchContainers({ kind: 'project', limit: 5, offset: 0 })).total).toBe(1);
    });
  });
});
