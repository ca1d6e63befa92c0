import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';

const snapshotOutput = z.object({ commit: z.string(), where: z.enum(['file', 'ref']), bytes: z.number() });

const create = operation({
  name: 'create_snapshot',
  summary:
    'Save a snapshot of the history index at HEAD; with publish, also as a git ref that clones can fetch.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    publish: looseBoolean.default(false).describe('also publish it under refs/sylk/snapshots'),
  }),
  output: snapshotOutput.extend({ ref: z.string().optional() }),
  examples: [{}],
  render: ({ commit, bytes, ref }) =>
    `snapshot of ${commit.slice(0, 10)}, ${Math.ceil(bytes / 1024)} KB${ref ? `, published as ${ref}; push it with: git push origin ${ref}` : ''}`,
  run: async ({ publish }, { app, signal, progress }) => {
    const history = await app.history();
    await history.update({ signal, progress });
    const taken = await history.snapshots.take();
    if (!taken)
      throw new SylkError('INVALID_OPERATION', 'There is no commit to take a snapshot of.', {
        hint: 'Create a first commit.',
      });
    return publish ? { ...taken, ref: await history.snapshots.publish(taken.commit) } : taken;
  },
});

const list = operation({
  name: 'list_snapshots',
  summary: 'Snapshots of the history index: local files and published git refs.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ snapshots: z.array(snapshotOutput) }),
  examples: [{}],
  render: ({ snapshots }) =>
    snapshots
      .map(({ commit, where, bytes }) => `${commit}  ${where}  ${Math.ceil(bytes / 1024)} KB`)
      .join('\n') || 'No snapshots.',
  run: async (_input, { app }) => ({ snapshots: await (await app.history()).snapshots.list() }),
});

const restore = operation({
  name: 'restore_snapshot',
  summary: 'Replace the history index with a snapshot and read the commits since.',
  effect: 'decide',
  destructive: true,
  idempotent: true,
  input: z.object({
    commit: z
      .string()
      .regex(/^[0-9a-f]{4,64}$/)
      .optional()
      .describe('commit of the snapshot (default: the newest)'),
  }),
  output: snapshotOutput.extend({ commits: z.number().describe('commits read since') }),
  examples: [{}],
  command: { positionals: ['commit'] },
  consent: async ({ commit = '' }, app) => {
    const snapshots = await (await app.history()).snapshots.list();
    const snapshot = snapshots.find((each) => each.commit.startsWith(commit));
    if (snapshot?.where !== 'ref') return { shown: '', allowed: true };
    const shown = `refs/sylk/snapshots/${snapshot.commit}, ${Math.ceil(snapshot.bytes / 1024)} KB, came with this repository.
Its author controls what Sylk reports about commits, authors and messages.`;
    return { shown, allowed: false, input: { commit: snapshot.commit } };
  },
  render: ({ commit, commits }) => `restored ${commit.slice(0, 10)} and read ${commits} commits since`,
  run: async ({ commit }, { app, signal, progress }) => {
    const history = await app.history();
    const restored = await history.snapshots.restore(commit);
    const { commits } = await history.update({ signal, progress });
    return { ...restored, commits };
  },
});

export const operations = [create, list, restore];
