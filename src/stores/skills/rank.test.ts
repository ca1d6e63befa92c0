import { expect, test } from 'vitest';
import { createStaticEmbedder } from '../../base/embedding/index.ts';
import { createTextVectors, type TextEmbedder, type TextVectorOptions } from '../../base/search/index.ts';
import { openSqlite, type Sqlite } from '../../base/sqlite/index.ts';
import { createSkillEngine } from './engine.ts';
import { memorySource } from './sources/memory.ts';

const createSkillVectors = (options: Omit<TextVectorOptions, 'table' | 'subject'>) =>
  createTextVectors({ table: 'skill_vectors', subject: 'Skills', ...options });

const source = memorySource(
  [
    ['document/pdf-processing', 'Extract text and tables from PDF files, fill forms, merge documents'],
    ['document/word-export', 'Write letters and reports as Word documents'],
    ['code/rate-limiter', 'Add getRateLimit checks to HTTP handlers'],
    ['code/deploying', 'Deploy services to a cluster and watch the rollout'],
    ['media/gif-maker', 'Create animated images for chat'],
  ].map(([id, description]) => ({ descriptor: { id: id!, description: description! }, body: 'b' })),
);

/** Stands for a model that knows what belongs together: one axis for each theme. */
function themed(tier: number): TextEmbedder & { texts: string[] } {
  const themes = [
    /pdf|form|sheet of paper/i,
    /word|letter/i,
    /rate|throttl/i,
    /deploy|ship|rollout/i,
    /gif|animated|moving picture/i,
  ];
  const texts: string[] = [];
  return {
    fingerprint: 'themes',
    tier,
    texts,
    embed: async (given) => {
      texts.push(...given);
      return given.map((text) => Float32Array.from(themes, (theme) => (theme.test(text) ? 1 : 0)));
    },
  };
}

const first = async (engine: ReturnType<typeof createSkillEngine>, query: string) =>
  (await engine.search(query))[0]?.id;

test('words: stems, split identifiers and names are found where a substring is not', async () => {
  const engine = createSkillEngine({ source });
  expect(await first(engine, 'deployment of a service')).toBe('code/deploying');
  expect(await first(engine, 'rate limits for our handler')).toBe('code/rate-limiter');
  expect(await first(engine, 'merging the pdf tables')).toBe('document/pdf-processing');
  expect(await engine.search('zebra crossing')).toEqual([]);
  expect(await engine.search('   ')).toEqual([]);
});

test('a search leaves out what comes far behind the best', async () => {
  const slight: TextEmbedder = {
    fingerprint: 'slight',
    tier: 0,
    embed: async (texts) =>
      texts.map((text) => (/pdf/i.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0.02, 1))),
  };
  const sqlite = openSqlite(':memory:');
  const vectors = createSkillVectors({ quick: slight, index: () => sqlite });
  const found = await createSkillEngine({ source, vectors }).search('merge pdf tables');
  expect(found.map(({ id }) => id)).toEqual(['document/pdf-processing']);
});

test('a search for something that no skill is about finds none, with real vectors', async () => {
  const sqlite = openSqlite(':memory:');
  const vectors = createSkillVectors({ quick: createStaticEmbedder(), index: () => sqlite });
  const engine = createSkillEngine({ source, vectors });
  for (const query of [
    'a banana',
    'knitting pattern',
    'tax return',
    'unit of measurement',
    'weather tomorrow',
  ])
    expect([query, await engine.search(query)]).toEqual([query, []]);
  expect(await first(engine, 'animation')).toBe('media/gif-maker');
});

test('meaning finds what no word names, and is embedded once for all processes', async () => {
  const sqlite = openSqlite(':memory:');
  const quick = themed(0);
  const engine = createSkillEngine({ source, vectors: createSkillVectors({ quick, index: () => sqlite }) });
  expect(await first(engine, 'a moving picture')).toBe('media/gif-maker');
  expect(quick.texts).toHaveLength(6);
  const next = themed(0);
  const again = createSkillEngine({
    source,
    vectors: createSkillVectors({ quick: next, index: () => sqlite }),
  });
  expect(await first(again, 'ship it')).toBe('code/deploying');
  expect(next.texts).toEqual(['ship it']);
});

test('a server answers by the quick vectors until the model has read every text, then by the model', async () => {
  const sqlite = openSqlite(':memory:');
  const [quick, model] = [themed(0), themed(1)];
  const vectors = createSkillVectors({ quick, model, longLived: true, index: () => sqlite });
  const engine = createSkillEngine({ source, vectors });
  expect(await first(engine, 'a moving picture')).toBe('media/gif-maker');
  await vectors.settled();
  const asked = quick.texts.length;
  expect(await first(engine, 'ship it')).toBe('code/deploying');
  expect(quick.texts).toHaveLength(asked);
  expect(model.texts).toHaveLength(6);
});

test('a command never starts the model', async () => {
  const sqlite = openSqlite(':memory:');
  const model = themed(1);
  const vectors = createSkillVectors({
    quick: themed(0),
    model,
    longLived: false,
    index: () => sqlite,
  });
  await createSkillEngine({ source, vectors }).search('ship it');
  await vectors.settled();
  expect(model.texts).toEqual([]);
});

test('an embedder that fails leaves the ranking by words', async () => {
  const failing: TextEmbedder = {
    fingerprint: 'x',
    tier: 0,
    embed: async () => {
      throw new Error('no weights');
    },
  };
  const index = (): Sqlite => openSqlite(':memory:');
  const engine = createSkillEngine({ source, vectors: createSkillVectors({ quick: failing, index }) });
  expect(await first(engine, 'deploy a service')).toBe('code/deploying');
});
