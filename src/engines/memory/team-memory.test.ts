import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { SylkError } from '../../base/errors.ts';
import { openChronicle } from '../../stores/chronicle/index.ts';
import { countWaiting, exchangeWith, type TeamLibrary, teamLibrary } from './team-memory.ts';

const everything = { session_id: '', sees_all: true };

describe.each(databases)('a team on $name', ({ freshUrl }) => {
  const place = async (url: string | Promise<string>) => {
    let now = 1_700_000_000_000;
    const library = openForTest(await url);
    const chronicle = openChronicle({
      library,
      clock: { now: () => ++now },
      promotion: { uses: 3, sessions: 2 },
    });
    const add = async (content: string, supersedes?: string) => {
      const entry = {
        session_id: 'main',
        category: 'insight',
        source: 'ada',
        source_kind: 'person',
        shared: true,
      } as const;
      return (await chronicle.store({ ...entry, content, supersedes })).entry.id;
    };
    const texts = async () =>
      (await chronicle.find(everything, { include_superseded: true, limit: 10_000 }))
        .map(({ id, content, superseded_by, tags }) => JSON.stringify([id, content, superseded_by, tags]))
        .sort();
    return { library, chronicle, add, texts };
  };
  type Place = Awaited<ReturnType<typeof place>>;
  const laptopPlace = () => place(databases[0]?.freshUrl() ?? '');

  const reached = (team: Place, cut: () => 'before' | 'after' | undefined = () => undefined): TeamLibrary => {
    const remote = teamLibrary(team, 'ada');
    const over =
      <Given, Result>(act: (given: Given) => Promise<Result>) =>
      async (given: Given): Promise<Result> => {
        const moment = cut();
        if (moment === 'before') throw new Error('cut');
        const reply = await act(given && JSON.parse(JSON.stringify(given)));
        if (moment === 'after') throw new Error('cut');
        return JSON.parse(JSON.stringify(reply));
      };
    return { take: over(remote.take), changes: over(remote.changes) };
  };
  const sync = (laptop: Place, team: Place, cut?: () => 'before' | 'after' | undefined) =>
    exchangeWith({ ...laptop, team: 'team' }, reached(team, cut));

  test('what was written on either side is on both, once, and a second round sends nothing', async () => {
    const [team, laptop] = [await place(freshUrl()), await laptopPlace()];
    await team.add('the team keeps sessions in memory');
    await laptop.add('the laptop found a race in the cache');
    expect(await countWaiting({ ...laptop, team: 'team' })).toBe(1);
    expect(await sync(laptop, team)).toMatchObject({ sent: 1, received: 1, conflicts: [] });
    expect(await laptop.texts()).toEqual(await team.texts());
    expect(await laptop.texts()).toHaveLength(2);
    expect(await sync(laptop, team)).toMatchObject({ sent: 0, received: 0 });
    expect(await countWaiting({ ...laptop, team: 'team' })).toBe(0);
  });

  test('a reader gets what the team wrote, and what they wrote waits', async () => {
    const [team, laptop] = [await place(freshUrl()), await laptopPlace()];
    await team.add('of the team');
    await laptop.add('of the reader');
    const remote = { ...reached(team), take: () => Promise.reject(new SylkError('DENIED', 'writer needed')) };
    expect(await exchangeWith({ ...laptop, team: 'team' }, remote)).toMatchObject({
      sent: 0,
      received: 1,
      mayOnlyRead: true,
    });
    expect(await team.texts()).toHaveLength(1);
    expect(await countWaiting({ ...laptop, team: 'team' })).toBe(1);
    expect(await sync(laptop, team)).toMatchObject({ sent: 1, mayOnlyRead: false });
  });

  test('what is private stays on the laptop, and with it that it replaced something', async () => {
    const [team, laptop] = [await place(freshUrl()), await laptopPlace()];
    const shared = await laptop.add('shared');
    await laptop.chronicle.store({
      session_id: 'main',
      category: 'insight',
      source: 'ada',
      source_kind: 'person',
      content: 'mine alone',
      supersedes: shared,
    });
    await sync(laptop, team);
    expect((await team.texts()).join()).not.toContain('mine alone');
    expect(await sync(laptop, team)).toMatchObject({ sent: 0, received: 0 });
    expect((await laptop.chronicle.get(everything, shared)).superseded_by).not.toBeNull();
  });

  test('an entry that both sides corrected keeps both corrections and is shown as a conflict', async () => {
    const [team, laptop, other] = [await place(freshUrl()), await laptopPlace(), await laptopPlace()];
    const id = await laptop.add('timeouts are 5 s');
    await sync(laptop, team);
    await sync(other, team);
    const [mine, theirs] = [
      await laptop.add('timeouts are 7 s', id),
      await other.add('timeouts are 9 s', id),
    ];
    await sync(other, team);
    expect(await sync(laptop, team)).toMatchObject({ conflicts: [id] });
    await sync(other, team);
    await sync(laptop, team);
    expect(await laptop.texts()).toEqual(await team.texts());
    expect(await other.texts()).toEqual(await team.texts());
    const [conflict] = await team.chronicle.conflicts.list(everything);
    expect([conflict?.left.id, conflict?.right.id].sort()).toEqual([mine, theirs].sort());
    for (const each of [laptop, other])
      expect(await sync(each, team)).toMatchObject({ sent: 0, received: 0 });
  });

  test('two texts under one id are both kept, and sent again they are still two', async () => {
    const [team, laptop] = [await place(freshUrl()), await laptopPlace()];
    const id = await laptop.add('first words');
    await sync(laptop, team);
    const [entry] = await team.chronicle.shared.read([id]);
    if (!entry) throw new Error('not there');
    await team.chronicle.shared.put([{ ...entry, content: 'words of the team' }]);
    const offers = [{ entry: { ...entry, content: 'words of the laptop' }, base: 'other' }];
    for (let times = 0; times < 2; times++) await teamLibrary(team, 'ada').take(offers);
    expect((await team.texts()).map((text) => JSON.parse(text)[1]).sort()).toEqual([
      'words of the laptop',
      'words of the team',
    ]);
    expect(await team.chronicle.conflicts.list(everything)).toHaveLength(1);
  });

  test('whatever is cut, in any order, every side ends with every text once', async () => {
    const action = fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      what: fc.constantFrom('add', 'correct', 'sync', 'sync', 'cut before', 'cut after'),
      pick: fc.nat(1000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 25 }), async (actions) => {
        const team = await place(freshUrl());
        const places = [team, await laptopPlace(), await laptopPlace()];
        let written = 0;
        for (const { who, what, pick } of actions) {
          const each = places[who] ?? team;
          if (what === 'add') await each.add(`text ${++written}`);
          else if (what === 'correct') {
            const open = await each.chronicle.find(everything, { limit: 100 });
            const old = open[pick % Math.max(1, open.length)];
            if (old) await each.add(`text ${++written}`, old.id);
          } else if (each !== team)
            await sync(each, team, () =>
              what === 'cut before' ? 'before' : what === 'cut after' ? 'after' : undefined,
            ).catch(() => undefined);
        }
        for (let round = 0; round < 3; round++) for (const each of places.slice(1)) await sync(each, team);
        const all = await team.texts();
        expect(all.map((text) => JSON.parse(text)[1]).sort()).toEqual(
          Array.from({ length: written }, (_, at) => `text ${at + 1}`).sort(),
        );
        for (const each of places.slice(1)) {
          expect(await each.texts()).toEqual(all);
          expect(await sync(each, team)).toMatchObject({ sent: 0, received: 0 });
        }
      }),
      { numRuns: 12, seed: 20261118 },
    );
  });
});
