import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { httpServer } from '../../../tests/support/http-server.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { batchesByLength } from './batches.ts';
import {
  createEndpointEmbedder,
  createModelEmbedder,
  createStaticEmbedder,
  fromHalf,
  similarity,
  toHalf,
} from './index.ts';
import { findWeights, readVocabulary } from './weights.ts';
import { createWordPiece } from './word-piece.ts';

const model = createModelEmbedder({ threads: 1 });
afterAll(() => model.release());

const asked = 'where are people signed in';
const meant = 'authentication of users';
const other = 'the colour of ripe bananas';

describe('the model', () => {
  it('is loaded at the first question and let go on release', async () => {
    const mine = createModelEmbedder({ threads: 1 });
    expect(mine.loaded()).toBe(false);
    await mine.embed(['a']);
    expect(mine.loaded()).toBe(true);
    await mine.release();
    expect(mine.loaded()).toBe(false);
    expect(await mine.embed(['a'])).toHaveLength(1);
    await mine.release();
  });

  it('lets go of the model by itself when nobody asks', async () => {
    const mine = createModelEmbedder({ threads: 1, idleMilliseconds: 1 });
    await mine.embed(['a']);
    while (mine.loaded()) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(mine.loaded()).toBe(false);
  });

  it('is never let go in the middle of work, however long that takes', async () => {
    const mine = createModelEmbedder({ threads: 1, idleMilliseconds: 1 });
    await mine.embed(['a']);
    const texts = Array.from({ length: 48 }, (_, at) => `a somewhat longer text with the number ${at}`);
    expect(await mine.embed(texts)).toHaveLength(48);
    await mine.release();
  });

  it('puts texts of one meaning near each other although they share no word', async () => {
    const [left, right, far] = await model.embed([asked, meant, other]);
    expect(similarity(left!, right!)).toBeGreaterThan(similarity(left!, far!) + 0.2);
  });

  it('answers in the order of the texts, whatever their lengths, and almost the same alone as in a batch', async () => {
    const texts = ['long '.repeat(300), 'b', 'a somewhat longer text', 'c'];
    const together = await model.embed(texts);
    for (const [at, text] of texts.entries()) {
      const [alone] = await model.embed([text]);
      const scores = together.map((vector) => similarity(alone!, vector));
      expect(scores.indexOf(Math.max(...scores))).toBe(at);
      // One scale rounds a whole batch to eight bits, so neighbours move a vector a little: over commit subjects and
      // single letters 0.99 at the median and 0.958 at the worst.
      expect(scores[at]).toBeGreaterThan(0.95);
    }
  });

  it('is exactly the same alone as among copies of itself', async () => {
    const text = 'a somewhat longer text';
    const [alone] = await model.embed([text]);
    for (const copy of await model.embed([text, text, text]))
      expect(similarity(alone!, copy)).toBeCloseTo(1, 4);
  });

  it('a question goes before the rest of a long batch', async () => {
    const order: string[] = [];
    const long = model
      .embed(Array.from({ length: 64 }, (_, at) => `line ${at} of a long batch`))
      .then(() => order.push('batch'));
    const short = model.embed(['a question']).then(() => order.push('question'));
    await Promise.all([long, short]);
    expect(order).toEqual(['question', 'batch']);
  });

  it('the WebAssembly runtime gives vectors that can be compared', async () => {
    const wasm = createModelEmbedder({ runtime: 'wasm' });
    const [[fallback], [native]] = await Promise.all([wasm.embed([asked]), model.embed([asked])]);
    expect(similarity(fallback!, native!)).toBeGreaterThan(0.97);
    await wasm.release();
  });

  it('without weights says what is missing and what still works', async () => {
    const empty = createModelEmbedder({ weights: temporaryDirectory('weights') });
    await expect(empty.embed(['a'])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      hint: expect.stringContaining('Word search still works'),
    });
    expect(empty.loaded()).toBe(false);
  });

  it('damaged weights are named and nothing crashes', async () => {
    const directory = temporaryDirectory('weights');
    const files = findWeights();
    mkdirSync(directory, { recursive: true });
    copyFileSync(files.tokenizer, join(directory, 'tokenizer.json'));
    copyFileSync(files.config, join(directory, 'config.json'));
    copyFileSync(files.weights, join(directory, 'model.fp16.safetensors'));
    truncateSync(join(directory, 'model.fp16.safetensors'), 1_000_000);
    await expect(createModelEmbedder({ weights: directory }).embed(['a'])).rejects.toThrow(/damaged/);
    writeFileSync(join(directory, 'model.fp16.safetensors'), 'garbage, not a header at all');
    await expect(createStaticEmbedder({ weights: directory }).embed(['a'])).rejects.toThrow(/damaged/);
  });
});

describe('the static tier', () => {
  it('knows how a text is put apart from what it is about', async () => {
    const quick = createStaticEmbedder();
    const texts = ['where is the parser', 'where is the invoice', 'who has changed our parser'];
    const [about, put] = [await quick.embed(texts), await quick.wording(texts)];
    expect(similarity(put[0]!, put[1]!)).toBeGreaterThan(similarity(put[0]!, put[2]!));
    expect(similarity(about[0]!, about[2]!)).toBeGreaterThan(similarity(about[0]!, about[1]!));
    await quick.release();
  });

  it('lies in the space of the model: a static question finds the text that the model embedded', async () => {
    const quick = createStaticEmbedder();
    const documents = [
      'function parseCookies(header) splits the cookie header into names and values',
      'class ConnectionPool keeps sockets open between requests',
      'render the template with its variables escaped',
      'retry a failed upload after a pause',
    ];
    const kept = await model.embed(documents);
    const [question] = await quick.embed(['split the header of a cookie']);
    const scores = kept.map((vector) => similarity(question!, vector));
    expect(scores.indexOf(Math.max(...scores))).toBe(0);
    await quick.release();
  });

  it('a text without any known word still gets a vector of length one', async () => {
    const [vector] = await createStaticEmbedder().embed(['']);
    expect(similarity(vector!, vector!)).toBeCloseTo(1, 3);
  });
});

describe('tokens', () => {
  const wordPiece = createWordPiece(readVocabulary(findWeights().tokenizer));

  it('the first tokens, looked up one by one, are those of the whole table', () => {
    const tokens = [
      'cookie',
      '##ing',
      'é',
      '"',
      '\\',
      '[PAD]',
      '[CLS]',
      'ノ',
      'type',
      'vocab',
      'nothing like this',
    ];
    const found = () => tokens.map((token) => vocabulary.get(token));
    const vocabulary = readVocabulary(findWeights().tokenizer);
    const first = found();
    for (let at = 0; at < 50; at++) found();
    expect(found()).toEqual(first);
    expect(first.slice(0, 2)).toEqual([17387, 2075]);
    expect(first.at(-1)).toBeUndefined();
  });

  it('are those of the published tokenizer', () => {
    expect(wordPiece.encode('Hello, world!')).toEqual([101, 7592, 1010, 2088, 999, 102]);
    expect(wordPiece.encode('Café embeddings')).toEqual([101, 7668, 7861, 8270, 4667, 2015, 102]);
  });

  it('end at the limit however long the text is', () => {
    expect(wordPiece.encode('word '.repeat(100_000), 256)).toHaveLength(256);
    expect(wordPiece.encode('x'.repeat(1_000_000), 256)).toEqual([101, 100, 102]);
  });
});

describe('half floats', () => {
  it('survive the round trip within their precision', () => {
    const values = Float32Array.of(0, 1, -1, 0.5, 0.1, -0.033, 1e-5, 65504, 2 ** -24);
    const back = fromHalf(toHalf(values));
    for (const [at, value] of values.entries())
      expect(Math.abs(back[at]! - value)).toBeLessThanOrEqual(Math.abs(value) * 0.001 + 1e-7);
  });
});

describe('batches', () => {
  it('hold every text once and stay under their size', () => {
    const lengths = [3, 200, 5, 256, 90, 3, 17, 256, 256, 256, 256, 256, 256, 256, 256, 256];
    const batches = batchesByLength(lengths, 1024);
    expect(batches.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, at) => at));
    for (const batch of batches)
      expect(Math.max(...batch.map((at) => lengths[at]!)) * batch.length).toBeLessThanOrEqual(1024);
  });
});

describe('an endpoint', () => {
  const answering = async (body: unknown, status = 200) => {
    const seen: Array<{ url?: string; authorization?: string; body: { input: string[] } }> = [];
    const server = await httpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        const { authorization = '' } = headers;
        seen.push({ url, authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
        response.writeHead(status).end(JSON.stringify(body));
      });
    });
    const options = { url: `${server.url}/v1/`, model: 'm', dimensions: 2, key: 'k' };
    return { options, seen, allowHosts: [server.host], host: server.host };
  };

  it('is asked as OpenAI is, and its vectors come back in order and of length one', async () => {
    const { options, allowHosts, seen } = await answering({
      data: [
        { index: 1, embedding: [0, 3] },
        { index: 0, embedding: [4, 0] },
      ],
    });
    const vectors = await createEndpointEmbedder({ ...options, allowHosts }).embed(['a', 'b']);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(seen).toEqual([
      { url: '/v1/embeddings', authorization: 'Bearer k', body: { model: 'm', input: ['a', 'b'] } },
    ]);
  });

  it('on this machine or in a private network gets nothing unless network.allow_hosts names it', async () => {
    const { options, seen, host } = await answering({ data: [{ embedding: [1, 2] }] });
    const byName = options.url.replace('127.0.0.1', 'localhost');
    for (const url of [options.url, byName, 'http://[::1]:9/v1', 'http://169.254.169.254/v1'])
      await expect(createEndpointEmbedder({ ...options, url }).embed(['a'])).rejects.toMatchObject({
        code: 'DENIED',
        message: expect.stringContaining('network.allow_hosts'),
      });
    await expect(createEndpointEmbedder(options).embed(['a'])).rejects.toThrow(`["${host}"]`);
    expect(seen).toEqual([]);
  });

  it('with other dimensions than configured is refused', async () => {
    const { options, allowHosts } = await answering({ data: [{ embedding: [1, 2, 3] }] });
    await expect(createEndpointEmbedder({ ...options, allowHosts }).embed(['a'])).rejects.toThrow(
      /3 dimensions, not 2/,
    );
  });

  it('that fails is named without its address', async () => {
    const { options, allowHosts } = await answering({}, 500);
    const failure = await createEndpointEmbedder({ ...options, allowHosts })
      .embed(['a'])
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('answered 500') });
    expect(String(failure)).not.toContain('127.0.0.1');
  });
});
