import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock, isoTime } from '../../base/clock.ts';
import { newOwner } from '../../base/durable/index.ts';
import { type Message, openMessages } from './index.ts';

describe.each(databases)('on $name', ({ name, freshUrl }) => {
  /** A store as each of several processes opens it, on one library. */
  const stores = async (count = 1) => {
    const url = await freshUrl();
    const clock = fixedClock();
    const opened = Array.from({ length: count }, () => ({
      messages: openMessages({ library: openForTest(url), clock }),
      owner: newOwner(),
    }));
    return { clock, opened, first: opened[0]! };
  };
  const message = (id: string, more: Partial<Message> = {}): Message => ({
    id,
    session_id: 'ses_a',
    source: 'user',
    target: 'archivalist',
    type: 'STORE_REQUEST',
    payload: { content: id },
    timestamp: isoTime(fixedClock().now()),
    status: 'queued',
    attempt: 0,
    priority: 'normal',
    ...more,
  });
  const targets = [{ target: 'archivalist' }];

  test('a message is stored once under its id, and the second answers what became of the first', async () => {
    const { first } = await stores();
    const { messages, owner } = first;
    expect(await messages.accept(message('m1'), owner)).toBeUndefined();
    expect(await messages.accept(message('m1'), owner)).toBe('queued');
    await messages.settle('m1', owner, { status: 'done', reply: { ok: 1 } });
    expect(await messages.accept(message('m1'), owner)).toBe('done');
    expect(await messages.find('m1')).toMatchObject({ message: { status: 'done' }, reply: { ok: 1 } });
  });

  test('many that arrive together are stored in order, and one that cannot be stored fails nobody else', async () => {
    const { first } = await stores();
    const { messages, owner } = first;
    const sent = Array.from({ length: 20 }, (_, at) => messages.accept(message(`m${at}`), owner));
    const broken = messages.accept(message('bad', { status: 'unheard' as never }), owner);
    await expect(broken).rejects.toThrow();
    await Promise.all(sent);
    expect((await messages.pendingOf('ses_a')).map(({ id }) => id)).toEqual(sent.map((_, at) => `m${at}`));
  });

  test('what processes claim at the same moment each of them has alone', async () => {
    const { opened } = await stores(3);
    const ids = Array.from({ length: 60 }, (_, at) => `m${at}`);
    for (const id of ids) await opened[0]!.messages.accept(message(id), '');
    const claimed: string[] = [];
    const claimAll = async ({ messages, owner }: (typeof opened)[0]) => {
      await messages.beat(owner);
      for (;;) {
        const items = await messages.claim({ owner, targets, limit: 7, without: [] });
        if (items.length === 0) return;
        claimed.push(...items.map((item) => item.message.id));
      }
    };
    // SQLite makes writers wait for each other, and would wait for ever for one in the same process.
    if (name === 'SQLite') for (const each of opened) await claimAll(each);
    else await Promise.all(opened.map(claimAll));
    expect(claimed.sort()).toEqual(ids.sort());
  });

  test('what a silent owner had is claimed by the next, and the late writes of the first change nothing', async () => {
    const { opened, clock } = await stores(2);
    const [first, second] = opened as [(typeof opened)[0], (typeof opened)[0]];
    await first.messages.beat(first.owner);
    await first.messages.accept(message('m1'), first.owner);
    await first.messages.accept(message('other', { target: 'librarian' }), first.owner);
    const claim = { owner: second.owner, targets, limit: 9, without: [] };
    expect(await second.messages.claim(claim)).toEqual([]);
    clock.advance(60_001);
    expect(await second.messages.claim({ ...claim, without: ['ses_a'] })).toEqual([]);
    expect(await second.messages.claim(claim)).toMatchObject([{ message: { id: 'm1' }, notBefore: 0 }]);
    expect(await first.messages.deliver('m1', 1, first.owner)).toBe(false);
    expect(await first.messages.settle('m1', first.owner, { status: 'done' })).toBe(false);
    const act = first.messages.act({ id: 'm1', owner: first.owner, attempt: 1 }, async () => 1);
    await expect(act).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await second.messages.deliver('m1', 1, second.owner)).toBe(true);
  });

  test('an act and its mark are one: what fails leaves neither, what is done is not done again', async () => {
    const { first } = await stores();
    const { messages, owner } = first;
    await messages.accept(message('m1'), owner);
    await messages.deliver('m1', 1, owner);
    const attempt = { id: 'm1', owner, attempt: 1 };
    const failing = messages.act(attempt, async () => {
      await messages.accept(message('inside'), owner);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await messages.find('inside')).toBeUndefined();
    await expect(messages.act({ ...attempt, attempt: 2 }, async () => 1)).rejects.toThrow();
    let times = 0;
    for (let again = 0; again < 2; again++)
      expect(await messages.act(attempt, async () => ({ times: ++times }))).toEqual({ times: 1 });
    expect(await messages.settle('m1', owner, { status: 'failed' })).toBe(false);
  });

  test('what is released is free for others; what ended is not', async () => {
    const { opened } = await stores(2);
    const [first, second] = opened as [(typeof opened)[0], (typeof opened)[0]];
    await first.messages.beat(first.owner);
    for (const id of ['m1', 'm2', 'm3']) await first.messages.accept(message(id), first.owner);
    await first.messages.settle('m3', first.owner, { status: 'dead', error: 'no' });
    const claim = { owner: second.owner, targets, limit: 9, without: [] };
    await first.messages.release(first.owner, ['m2']);
    expect((await second.messages.claim(claim)).map((item) => item.message.id)).toEqual(['m2']);
    await second.messages.release(second.owner);
    await first.messages.release(first.owner);
    expect((await second.messages.claim(claim)).map((item) => item.message.id)).toEqual(['m1', 'm2']);
    expect(await first.messages.revive('m3', '')).toMatchObject({ id: 'm3', status: 'queued', attempt: 0 });
  });

  test('what ends with its session, is erased or is old goes; the newest dead stay', async () => {
    const { first, clock } = await stores();
    const { messages, owner } = first;
    const ids = ['m1', 'm2', 'm3', 'm4', 'm5'];
    for (const id of ids) await messages.accept(message(id), owner);
    await messages.expireSession('ses_a', 'it ended', ['m1', 'm2', 'm3', 'm4']);
    expect(await messages.find('m5')).toMatchObject({ message: { status: 'expired', error: 'it ended' } });
    await messages.settle('m1', owner, { status: 'done' });
    for (const id of ['m2', 'm3', 'm4']) await messages.settle(id, owner, { status: 'dead', error: id });
    expect(await messages.dead({ limit: 2 })).toMatchObject({
      total: 3,
      items: [{ id: 'm4' }, { id: 'm3' }],
    });
    expect(await messages.dead({ agent: 'nobody' })).toEqual({ total: 0, items: [] });
    expect((await messages.counts()).map(({ status, count }) => `${count} ${status}`)).toEqual([
      '3 dead',
      '1 done',
      '1 expired',
    ]);
    await messages.prune(clock.now(), 2);
    expect((await messages.dead()).items.map(({ id }) => id)).toEqual(['m4', 'm3']);
    await messages.prune(clock.now() + 1, 2);
    expect(await messages.find('m1')).toBeUndefined();
    await messages.erase({ ids: ['m3'] });
    await messages.erase({ ids: [], session: 'ses_a' });
    expect(await messages.counts()).toEqual([]);
  });
});
