import { expect, test } from 'vitest';
import { fixedClock } from '../../../base/clock.ts';
import { createStaticEmbedder, type Embedder, type StaticEmbedder } from '../../../base/embedding/index.ts';
import { createReader } from './index.ts';
import { learned } from './learned.ts';
import { buckets, messageFeatures } from './message-features.ts';
import { scoreLanes } from './rules.ts';

const quick = createStaticEmbedder();

/** An embedder that counts how often it is asked. */
function counting(): { asked: () => number; embedder: StaticEmbedder } {
  let asked = 0;
  const embed: Embedder['embed'] = async (texts) => {
    asked++;
    return quick.embed(texts);
  };
  return { asked: () => asked, embedder: { ...quick, embed } };
}

test('probabilities add up to one, whatever is known of a message', async () => {
  const text = 'where did we leave off';
  const ruled = scoreLanes(text);
  const [about] = await quick.embed([text]);
  const both = Float32Array.from([...about!, ...about!]);
  for (const input of [
    { text, ruled },
    { text: '', ruled: [] },
    { text, ruled, quick: both, model: about! },
  ]) {
    const sum = [...learned().probabilities(input).values()].reduce((total, value) => total + value, 0);
    expect(sum).toBeCloseTo(1, 6);
  }
});

test('a word with a typing error shares most of what is known of the word', () => {
  const places = (text: string) => new Set(messageFeatures(text).at);
  const right = places('implementation');
  const shared = [...places('implemetation')].filter((place) => right.has(place)).length;
  const others = [...places('thunderstorm')].filter((place) => right.has(place)).length;
  expect(shared).toBeGreaterThan(2 * others);
});

test('which name of the code, and which number, is asked about makes no difference', () => {
  expect(messageFeatures('who calls parseUrl() in 3 files')).toEqual(
    messageFeatures('who calls openLedger() in 12 files'),
  );
});

test('features lie in the table and are of unit length, for any text', () => {
  for (const text of ['', '?', 'a b c', '日本語の質問', 'x'.repeat(50_000)]) {
    const { at, value } = messageFeatures(text);
    for (const place of at) expect(place).toBeLessThan(buckets);
    expect(value.reduce((sum, each) => sum + each * each, 0)).toBeCloseTo(1, 5);
  }
});

test('vectors are asked for while the words leave doubt, and not otherwise', async () => {
  const [static_, model] = [counting(), counting()];
  const { read } = createReader({
    clock: fixedClock(),
    quick: async () => static_.embedder,
    model: async () => model.embedder,
  });
  await read('how did we handle the auth migration last month');
  expect([static_.asked(), model.asked()]).toEqual([0, 0]);
  await read('blue, or perhaps a wider one, who knows');
  expect([static_.asked(), model.asked()]).toEqual([1, 1]);
});

test('a vector model that fails leaves the static vectors, and a command has none to ask', async () => {
  const text = 'blue, or perhaps a wider one, who knows';
  const broken = async (): Promise<Embedder> => {
    throw new Error('no runtime');
  };
  const with_ = (model: () => Promise<Embedder | undefined>) =>
    createReader({ clock: fixedClock(), quick: async () => quick, model }).read(text);
  expect(await with_(broken)).toEqual(await with_(async () => undefined));
});

test('what the words decided together says what it reads like, a sign of the rules says which', async () => {
  const { read } = createReader({ clock: fixedClock(), quick: async () => quick });
  expect(await read('where is the rate limiter')).toMatchObject({
    method: 'rules',
    reason: 'asks for a place',
  });
  expect(await read('login with google')).toMatchObject({
    method: 'examples',
    target: 'architect',
    reason: 'reads like a request to build something',
  });
});

test('the rules name the likeliest reader first, and the past tense weakens who reads the code', () => {
  const lanesOf = (text: string) => scoreLanes(text).map(({ lane }) => lane);
  expect(lanesOf('where was the test of login?')).toEqual([
    'tester TEST',
    'librarian LOCATE',
    'archivalist HISTORICAL',
  ]);
  expect(lanesOf('what pattern did we use for retries?')).toEqual(['archivalist HISTORICAL']);
});
