import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../../base/clock.ts';
import { openSessions } from './index.ts';

describe.each(databases)('on $name', ({ freshUrl }) => {
  async function open() {
    const clock = fixedClock();
    const library = openForTest(await freshUrl());
    return { clock, library, sessions: openSessions({ library, clock }) };
  }

  test('a session goes through its states, each change raises its version and leaves an event', async () => {
    const { sessions, clock } = await open();
    const { id } = await sessions.create({ name: 'login', metadata: { ticket: 7 } });
    const mark = await sessions.mark(id);
    await sessions.transition(id, 'activate');
    clock.advance(1000);
    expect(await sessions.mark(id)).not.toBe(mark);
    await sessions.change(id, () => ({ name: 'login page' }));
    const ended = await sessions.transition(id, 'complete', { summary: 'It works.' });
    expect(ended).toMatchObject({ name: 'login page', state: 'completed', summary: 'It works.', version: 4 });
    expect((await sessions.events(id)).map(({ event }) => event)).toEqual([
      'created',
      'activate',
      'complete',
    ]);
    await expect(sessions.transition(id, 'activate')).rejects.toThrow(/completed/);
    await sessions.close(id);
    expect(await sessions.list()).toEqual([]);
    expect(await sessions.list({ archived: true })).toHaveLength(1);
  });

  test('every caller has a current session of its own, made at its first write', async () => {
    const { sessions } = await open();
    const ada = { client: 'ada', worktree: '/w', conversation: 'c1' };
    expect(await sessions.current.peek(ada)).toBeUndefined();
    const own = await sessions.current.obtain(ada);
    expect((await sessions.current.obtain(ada)).id).toBe(own.id);
    const other = await sessions.current.obtain({ ...ada, conversation: 'c2' });
    expect(other.id).not.toBe(own.id);
    await sessions.current.switchTo(ada, other.id);
    expect((await sessions.current.peek(ada))?.id).toBe(other.id);
  });

  test('one session writes a file at a time, several read it, and a lock ends by itself', async () => {
    const { sessions, clock } = await open();
    const [a, b] = [await sessions.create({}), await sessions.create({})];
    await sessions.locks.acquire(a.id, ['src/a.ts'], 'read', 60);
    await sessions.locks.acquire(b.id, ['src/a.ts'], 'read', 60);
    await expect(sessions.locks.acquire(a.id, ['src/b.ts', 'src/a.ts'], 'write', 60)).rejects.toThrow(
      /locked for read/,
    );
    expect((await sessions.locks.list()).map(({ path }) => path)).toEqual(['src/a.ts', 'src/a.ts']);
    expect(await sessions.locks.release(b.id, ['src/a.ts'])).toBe(1);
    await sessions.locks.acquire(a.id, ['src/a.ts'], 'write', 60);
    await expect(sessions.locks.acquire(b.id, ['src/a.ts'], 'read', 60)).rejects.toThrow(/locked for write/);
    clock.advance(61_000);
    await sessions.locks.acquire(b.id, ['src/a.ts'], 'write', 60);
  });

  test('of two who want a file at the same time one gets it', async () => {
    const { sessions } = await open();
    const rivals = await Promise.all([1, 2, 3, 4].map(() => sessions.create({})));
    const results = await Promise.allSettled(
      rivals.map(({ id }) => sessions.locks.acquire(id, ['src/a.ts'], 'write', 60)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions.locks.list()).toHaveLength(1);
  });

  test('a snapshot brings back what a session was about', async () => {
    const { sessions, clock } = await open();
    const { id } = await sessions.create({ name: 'before', metadata: { step: 1 } });
    await sessions.snapshots.take(id, { pending_messages: [{ id: 'm1' }] });
    clock.advance(1000);
    const taken = await sessions.snapshots.take(id);
    await sessions.change(id, () => ({ name: 'after', metadata: { step: 2 } }));
    expect((await sessions.snapshots.latest(id))?.id).toBe(taken.id);
    await sessions.snapshots.restore(await sessions.snapshots.get(taken.id));
    expect(await sessions.get(id)).toMatchObject({ name: 'before', metadata: { step: 1 } });
  });

  test('what is forgotten goes from summaries, events and snapshots; of a whole session, its timeline too', async () => {
    const { sessions, library } = await open();
    const { id } = await sessions.create({
      metadata: { timeline_text: 'about the "secret" plan', timeline_entry: 'ent_1', keep: true },
    });
    await sessions.transition(id, 'activate', { reason: 'the "secret" plan' });
    await sessions.snapshots.take(id, { archivalist_state: { local_entry_ids: ['ent_1', 'ent_2'] } });
    await sessions.forgetTexts({ texts: ['the "secret" plan'], ids: ['ent_1'] });
    const rows = async (table: string) =>
      JSON.stringify(await library.tables<Record<string, object>>().selectFrom(table).selectAll().execute());
    for (const table of ['sessions', 'session_events', 'session_snapshots'])
      expect(await rows(table)).not.toMatch(/secret|ent_1/);
    expect((await sessions.snapshots.latest(id))?.archivalist_state).toEqual({ local_entry_ids: ['ent_2'] });
    await sessions.change(id, ({ metadata }) => ({ metadata: { ...metadata, timeline_text: 'more' } }));
    await sessions.forgetSession(id);
    expect((await sessions.get(id)).metadata).toEqual({ keep: true });
    expect(await sessions.snapshots.latest(id)).toBeUndefined();
  });
});
