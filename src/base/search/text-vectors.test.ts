import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { type Log, silentLog } from '../log.ts';
import { openSqlite } from '../sqlite/index.ts';
import { createTextVectors, partsOf, type TextEmbedder } from './text-vectors.ts';

const texts = new Map([
  ['one', 'a zebra crossing'],
  ['two', 'a lion at night'],
]);
const keys = [...texts.keys()];
const textsOf = (wanted: string[]) => new Map(wanted.map((key) => [key, texts.get(key) ?? '']));

/** Texts with the same one of two words point the same way. Counts what it was given. */
function embedder(fingerprint: string, failing = false): TextEmbedder & { given: string[] } {
  const given: string[] = [];
  return {
    given,
    fingerprint,
    tier: 1,
    embed: async (all) => {
      given.push(...all);
      if (failing) throw new Error('no weights');
      return all.map((text) => Float32Array.from(text.includes('zebra') ? [1, 0] : [0, 1]));
    },
  };
}

function vectors({ longLived = true, model = embedder('model'), index = emptyIndex() } = {}) {
  const quick = embedder('quick');
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void warnings.push(message) };
  const opened = createTextVectors({
    table: 'note_vectors',
    subject: 'Notes',
    quick,
    model,
    longLived,
    index: () => index,
    log,
  });
  const ask = () => opened.nearness('zebra', keys, textsOf);
  return { ...opened, ask, quick, model, warnings, index };
}
const emptyIndex = () => openSqlite(join(temporaryDirectory('vectors'), 'index.db'));

test('a server answers by the quick vectors until the model has read every text', async () => {
  const { ask, settled } = vectors();
  const first = await ask();
  expect([first?.tier, first?.of('one'), first?.of('two')]).toEqual(['static', 1, 0]);
  expect(first?.of('three')).toBeUndefined();
  await settled();
  const second = await ask();
  expect([second?.tier, second?.of('one'), second?.of('two')]).toEqual(['model', 1, 0]);
});

test('what was read is kept for the next process', async () => {
  const { ask, settled, index } = vectors();
  await ask();
  await settled();
  const later = vectors({ index });
  expect((await later.ask())?.tier).toBe('model');
  expect([later.model.given, later.quick.given]).toEqual([['zebra'], []]);
});

test('a command never waits for the model', async () => {
  const { ask, settled, model } = vectors({ longLived: false });
  await ask();
  await settled();
  expect((await ask())?.tier).toBe('static');
  expect(model.given).toEqual([]);
});

test('a model that fails is named once and not asked again', async () => {
  const { ask, settled, model, warnings } = vectors({ model: embedder('model', true) });
  await ask();
  await settled();
  const asked = model.given.length;
  expect((await ask())?.tier).toBe('static');
  expect(model.given).toHaveLength(asked);
  expect(warnings).toEqual(['Notes: searched by the quick vectors only']);
});

test('a long text is read in parts of whole sentences, and its nearest part counts', async () => {
  const sentence = 'The lion sleeps at night and hunts before the sun is up. ';
  const long = `${sentence.repeat(30)}A zebra passes. ${sentence.repeat(30)}`;
  const parts = partsOf(long);
  expect(parts.join('')).toBe(long);
  expect(parts.every((part) => part.length <= 700 && /[.] $/.test(part))).toBe(true);
  expect(partsOf('')).toEqual(['']);
  const { nearness } = vectors({ longLived: false });
  const found = await nearness('zebra', ['long'], () => new Map([['long', long]]));
  expect(found?.of('long')).toBe(1);
});

test('vectors of texts that are gone are dropped', async () => {
  const { ask, keepOnly, quick } = vectors({ longLived: false });
  await ask();
  keepOnly(['two']);
  quick.given.length = 0;
  await ask();
  expect(quick.given).toEqual(['a zebra crossing', 'zebra']);
});
