import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { fixedClock } from '../../base/clock.ts';
import { openLibrary } from '../../base/library/index.ts';
import { createTextVectors, partsOf, type TextEmbedder } from '../../base/search/index.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import { openChronicle } from './index.ts';

const themes: Array<[theme: number, words: RegExp]> = [
  [0, /boat|vessel|ship/i],
  [1, /bread|loaf|bake/i],
  [2, /rain|storm/i],
];

/** Knows three themes and nothing else. */
function themed(tier: number, broken = false): TextEmbedder & { read: string[] } {
  const read: string[] = [];
  return {
    fingerprint: 'themes',
    tier,
    read,
    embed: async (texts) => {
      if (broken) throw new Error('no weights');
      read.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(4);
        for (const [theme, words] of themes) if (words.test(text)) vector[theme] = 1;
        if (!vector.includes(1)) vector[3] = 1;
        return vector;
      });
    },
  };
}

async function world(options: { quick?: TextEmbedder; model?: TextEmbedder } = {}) {
  const clock = fixedClock();
  const index = openSqlite(':memory:');
  const library = openLibrary({ url: join(temporaryDirectory('meaning'), 'sylk.db') });
  onTestFinished(() => library.close());
  const meaning = createTextVectors({
    table: 'entry_vectors',
    subject: 'Memory',
    quick: options.quick ?? themed(0),
    ...(options.model ? { model: options.model } : {}),
    longLived: options.model !== undefined,
    index: () => index,
  });
  const chronicle = openChronicle({ library, clock, promotion: { uses: 3, sessions: 2 }, meaning });
  const store = async (content: string, session = 'a', later = 3_600_000) => {
    const { entry } = await chronicle.store({
      session_id: session,
      category: 'insight',
      content,
      source: 'test',
      source_kind: 'agent',
    });
    clock.advance(later);
    return entry.id;
  };
  const find = async (text: string, session = 'a') =>
    (await chronicle.find({ session_id: session, sees_all: false }, { text })).map(({ content }) => content);
  const kept = () =>
    index.all<{ key: string }>('SELECT DISTINCT key FROM entry_vectors').map(({ key }) => key);
  return { chronicle, meaning, store, find, kept, clock };
}

test('an entry without a shared word is found by its meaning, and one that means something else is not', async () => {
  const { store, find } = await world();
  await store('The vessel left at noon.');
  await store('A loaf costs three.');
  expect(await find('boat')).toEqual(['The vessel left at noon.']);
  expect(await find('xylophone')).toEqual([]);
});

test('a server answers its first question by the quick vectors, and the next by the model', async () => {
  const [quick, model] = [themed(0), themed(1)];
  const { store, find, meaning } = await world({ quick, model });
  await store('The vessel left at noon.');
  await find('boat');
  expect(quick.read).toContain('boat');
  await meaning.settled();
  expect(model.read).toEqual(['The vessel left at noon.']);
  expect(await find('ship')).toEqual(['The vessel left at noon.']);
  expect(model.read).toContain('ship');
  expect(quick.read).not.toContain('ship');
});

test('a model that fails costs nothing but itself, and without any vectors words are left', async () => {
  const quickOnly = await world({ model: themed(1, true) });
  await quickOnly.store('The vessel left at noon.');
  await quickOnly.find('boat');
  await quickOnly.meaning.settled();
  expect(await quickOnly.find('boat')).toHaveLength(1);
  const wordsOnly = await world({ quick: themed(0, true) });
  await wordsOnly.store('The vessel left at noon.');
  expect(await wordsOnly.find('boat')).toEqual([]);
  expect(await wordsOnly.find('vessels')).toHaveLength(1);
});

test('an entry is read once, and forgetting it lets go of its vectors', async () => {
  const quick = themed(0);
  const { chronicle, store, find, kept } = await world({ quick });
  const id = await store('The vessel left at noon.');
  const other = await store('A loaf costs three.');
  await find('boat');
  await find('bread');
  expect(quick.read.filter((text) => text.startsWith('The vessel'))).toHaveLength(1);
  expect(kept().sort()).toEqual([id, other].sort());
  await chronicle.forget({ entries: [id] });
  expect(kept()).toEqual([other]);
});

test('what another session wrote moves neither order nor score', async () => {
  const { chronicle, store } = await world();
  await store('The vessel was painted red.');
  await store('The vessel was painted and painted again, which took a week of dry weather.');
  const ask = async () =>
    (await chronicle.find({ session_id: 'a', sees_all: false }, { text: 'painted vessel' })).map(
      ({ content, score }) => [content, score],
    );
  const alone = await ask();
  for (let at = 0; at < 20; at++) await store(`painted painted ${'long '.repeat(at)}`, 'b', 0);
  expect(await ask()).toEqual(alone);
});

test('what stands beside a match in its session comes with it, within ten minutes', async () => {
  const { chronicle, clock } = await world();
  const say = async (content: string, minutes: number) => {
    await chronicle.store({
      session_id: 'a',
      category: 'insight',
      content,
      source: 'test',
      source_kind: 'agent',
    });
    clock.advance(minutes * 60_000);
  };
  await say('Who repairs the harbour crane?', 1);
  await say('Nobody repairs it before May.', 60);
  await say('Somebody repairs the roof.', 60);
  const found = await chronicle.find({ session_id: 'a', sees_all: false }, { text: 'repairs harbour crane' });
  expect(found.map(({ content }) => content)).toEqual([
    'Who repairs the harbour crane?',
    'Nobody repairs it before May.',
    'Somebody repairs the roof.',
  ]);
});

test('a mistake in other words is a warning, and an unlike one is not', async () => {
  const { chronicle } = await world();
  await chronicle.mistakes.report({
    session_id: 'a',
    pattern: 'launch the vessel at night',
    error: 'nobody saw the rocks',
    fix: 'wait for the day',
    author: { kind: 'agent', name: 'client' },
  });
  expect(
    await chronicle.mistakes.check({ session_id: 'a', sees_all: false }, 'send out a boat'),
  ).toHaveLength(1);
  expect(await chronicle.mistakes.check({ session_id: 'a', sees_all: false }, 'bake for everybody')).toEqual(
    [],
  );
});

test('a long text is read in parts of whole sentences', () => {
  const text = 'A sentence of some length, which ends here. '.repeat(100);
  const parts = partsOf(text);
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join('')).toBe(text);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(700);
});
