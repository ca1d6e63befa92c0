import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../../base/clock.ts';
import { type NewEntry, openChronicle } from './index.ts';

const viewer = (session_id: string) => ({ session_id, sees_all: false });
const agent = { kind: 'agent', name: 'claude' } as const;
const person = { kind: 'person', name: 'ada' } as const;

describe.each(databases)('on $name', ({ freshUrl }) => {
  async function open() {
    const clock = fixedClock();
    const library = openForTest(await freshUrl());
    const chronicle = openChronicle({ library, clock, promotion: { uses: 2, sessions: 2 } });
    const store = async (content: string, more: Partial<NewEntry> = {}) => {
      clock.advance(1000);
      return chronicle.store({
        session_id: 'a',
        category: 'insight',
        content,
        source: 'claude',
        source_kind: 'agent',
        ...more,
      });
    };
    return { clock, library, chronicle, store };
  }

  test('a session sees its own entries and what was promoted, and filters narrow what it sees', async () => {
    const { chronicle, store } = await open();
    const { entry: own } = await store('Boats need paint.', { tags: ['red'], refs: ['file:src/a.ts'] });
    const { entry: others } = await store('Bread needs time.', { session_id: 'b', category: 'decision' });
    const seen = async (session: string, filter = {}) =>
      (await chronicle.find(viewer(session), filter)).map(({ content }) => content);
    expect(await seen('a')).toEqual([own.content]);
    await chronicle.promotion.promote(others.id, 'person', 'ada');
    expect(await seen('a')).toEqual([others.content, own.content]);
    expect(await seen('a', { tags: ['red'] })).toEqual([own.content]);
    expect(await seen('a', { refs: ['file:src/b.ts', 'file:src/a.ts'] })).toEqual([own.content]);
    expect(await seen('a', { categories: ['decision'], exclude_sessions: ['a'] })).toEqual([others.content]);
    expect(await seen('a', { text: 'bread' })).toEqual([others.content]);
    await chronicle.promotion.rollback(others.id, 'ada');
    await expect(chronicle.get(viewer('a'), others.id)).rejects.toThrow(/Unknown entry/);
    expect((await chronicle.standing.several(viewer('a'), [own.id, others.id])).size).toBe(1);
  });

  test('the same again is merged, a newer one takes the place of the one that it supersedes', async () => {
    const { chronicle, store } = await open();
    const { entry } = await store('Use tabs.', { category: 'decision' });
    expect((await store('Use tabs.', { category: 'decision' })).result).toBe('merged');
    const { entry: newer } = await store('Use spaces.', { category: 'decision', supersedes: entry.id });
    expect((await chronicle.find(viewer('a'), {})).map(({ id }) => id)).toEqual([newer.id]);
    expect((await chronicle.get(viewer('a'), entry.id)).superseded_by).toBe(newer.id);
    expect(await chronicle.standing.after(0, 10)).toMatchObject([
      { entry: { id: entry.id }, supersedes: [] },
      { entry: { id: newer.id }, supersedes: [entry.id] },
    ]);
    expect(await chronicle.standing.newest()).toBe((await chronicle.standing.after(0, 10)).at(-1)?.seq);
  });

  test('what was used with success in enough sessions is for all', async () => {
    const { chronicle, store } = await open();
    const { entry } = await store('Retry with a pause.', { category: 'pattern' });
    expect((await chronicle.promotion.recordUse(entry.id, 'a', true)).promoted).toBe(false);
    expect((await chronicle.promotion.recordUse(entry.id, 'b', true)).promoted).toBe(true);
    const { entry: decision } = await store('Ship on Monday.', { category: 'decision' });
    await chronicle.mark(decision.id, { verification: 'against_code' });
    const { promoted, waiting } = await chronicle.promotion.completeSession('a');
    expect([promoted.map(({ id }) => id), waiting]).toEqual([[decision.id], []]);
  });

  test('forgetting takes what was made from an entry, and no other names it any more', async () => {
    const { chronicle, store, library } = await open();
    const { entry } = await store('The key is under the mat.');
    await store('So the mat matters.', { derived_from: [`entry:${entry.id}`] });
    const { entry: stays } = await store('Mats are green.', { refs: [`entry:${entry.id}`, 'file:src/a.ts'] });
    const before = await library.changesSince(undefined);
    const visibility = await chronicle.visibilityVersion();
    expect(await chronicle.standing.derivedFrom([`entry:${entry.id}`])).toHaveLength(1);
    expect(await chronicle.forget({ entries: [entry.id] })).toMatchObject({ entries: 2 });
    expect((await chronicle.find(viewer('a'), {})).map(({ id, refs }) => [id, refs])).toEqual([
      [stays.id, ['file:src/a.ts']],
    ]);
    expect(await chronicle.visibilityVersion()).not.toBe(visibility);
    const { refs } = await library.changesSince(before.position);
    expect(refs).toHaveLength(3);
    expect(refs).toContain(`entry:${entry.id}`);
  });

  test('notes, checkpoints, files and mistakes of a session are kept, counted and forgotten with it', async () => {
    const { chronicle, clock } = await open();
    const mark = await chronicle.activityMark('a');
    await chronicle.scratchpad.write('a', 'plan', 'first', 60);
    await chronicle.scratchpad.write('a', 'plan', 'second', 60);
    expect(await chronicle.scratchpad.read('a', 'plan')).toMatchObject({ content: 'second' });
    const body = { progress: ['painted'] };
    const status = 'paused';
    await chronicle.checkpoints.save({ session_id: 'a', owner: 'ada', description: 'half', status, body });
    clock.advance(10);
    await chronicle.checkpoints.save({ session_id: 'a', owner: 'ada', description: 'done', status, body });
    expect(await chronicle.checkpoints.latest({ session_id: 'b', owner: 'ada' })).toMatchObject({
      description: 'done',
    });
    await chronicle.files.record('a', { path: 'src/a.ts', operation: 'modified', summary: '', changes: [] });
    expect(await chronicle.files.of('a')).toMatchObject([{ path: 'src/a.ts' }]);
    const mistake = { session_id: 'a', pattern: 'painting wet boats', error: 'it peels', fix: 'dry first' };
    expect((await chronicle.mistakes.report({ ...mistake, author: agent })).again).toBe(false);
    expect((await chronicle.mistakes.report({ ...mistake, session_id: 'b', author: agent })).again).toBe(
      true,
    );
    expect(await chronicle.mistakes.check(viewer('c'), 'paint wet boats')).toMatchObject([
      { occurrences: 2 },
    ]);
    expect(await chronicle.activityMark('a')).not.toBe(mark);
    expect(await chronicle.forget({ session: 'a' })).toEqual({
      entries: 0,
      notes: 1,
      checkpoints: 2,
      mistakes: 1,
      files: 1,
    });
    clock.advance(61_000);
    expect(await chronicle.scratchpad.all('a')).toEqual([]);
  });

  test('preferences are said, overridden for a session, learnt, and proposed', async () => {
    const { chronicle } = await open();
    const { preferences } = chronicle;
    await preferences.say('', 'quotes', 'single', person);
    await preferences.say('', 'quotes', 'double', person);
    await preferences.override('a', 'quotes', 'single', agent);
    for (const _ of [1, 2]) await preferences.learn('tests', 'vitest', 'accepted', agent);
    const known = await preferences.get({ session: 'a', repositories: ['/r'] });
    expect(known.explicit['quotes']).toMatchObject({ value: 'double' });
    expect(known.session_overrides['quotes']).toMatchObject({ value: 'single' });
    expect(known.implicit['tests']).toMatchObject({ value: 'vitest', confidence: 0.7 });
    const id = await preferences.proposals.add({ category: 'tone', preference: 'short', author: agent });
    expect(await preferences.proposals.list()).toMatchObject([{ id }]);
    await preferences.proposals.decide(id, 'rejected', 'ada');
    expect(await preferences.takeBack([''], 'quotes')).toBe(1);
  });

  test('entries that contradict each other wait until one is kept', async () => {
    const { chronicle, store } = await open();
    const decision = { category: 'decision', title: 'Indentation' } as const;
    await store('Use tabs.', decision);
    const { result } = await store('Use spaces.', decision);
    const conflicts = await chronicle.conflicts.list(viewer('a'));
    expect(conflicts).toHaveLength(1);
    expect(result).toBe('conflicting');
    const [conflict] = conflicts;
    await chronicle.conflicts.resolve(viewer('a'), conflict?.id ?? '', 'keep_right', 'agreed');
    expect(await chronicle.conflicts.list(viewer('a'))).toEqual([]);
    expect(await chronicle.find(viewer('a'), {})).toHaveLength(1);
  });
});
