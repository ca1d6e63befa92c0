import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createModelEmbedder, createStaticEmbedder, type Embedder } from '../src/base/embedding/index.ts';
import { openLibrary } from '../src/base/library/index.ts';
import { createTextVectors } from '../src/base/search/index.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { type Chronicle, openChronicle } from '../src/stores/chronicle/index.ts';
import { createBm25 } from './bm25.ts';
import { interval, mean, type Score, scoreOf } from './memory/compare.ts';
import { readLocomo } from './memory/locomo.ts';
import { ownQuestions } from './memory/own-questions.ts';
import type { QuestionSet } from './memory/question-set.ts';
import { readStranger } from './memory/stranger-set.ts';
import type { BenchOptions } from './run-named.ts';

interface Asked {
  kind: string;
  ours: Score;
  bm25: Score;
}

/**
 * Does what was remembered come back? `--from locomo10.json` asks the public conversations by turn and by session: those
 * that weights were chosen on with the word `tuning`, the others otherwise. `--from owner/name=GITDIR` for each
 * repository of a set asks our own 200 questions, `--from NAME.entries.json` those that somebody else wrote (`{ entries, questions }`), with the word `held` those of the second set. `model` asks as a server
 * does, which takes minutes; otherwise as a command.
 */
export default async function memoryQuality({ from, words }: BenchOptions): Promise<void> {
  const half = words.includes('tuning') ? 0 : 1;
  const models: Embedders = {
    quick: createStaticEmbedder(),
    ...(words.includes('model') ? { model: createModelEmbedder({ threads: 1 }) } : {}),
  };
  for (const path of from.filter((each) => each.endsWith('entries.json'))) {
    const asked: Asked[] = [];
    for (const set of readStranger(path).filter(({ questions }) => questions.length > 0))
      asked.push(...(await askAll(set, models)));
    report(basename(path), asked);
  }
  for (const path of from.filter((each) => /(?<!entries)\.json$/.test(each)))
    for (const level of ['turn', 'session'] as const) {
      const asked: Asked[] = [];
      for (const set of readLocomo(path, level).filter((_, at) => at % 2 === half))
        asked.push(...(await askAll(set, models)));
      report(`LoCoMo by ${level}, ${half === 0 ? 'tuning half' : 'other half'}`, asked);
    }
  const pairs = from.filter((each) => each.includes('='));
  const own = words.includes('held') ? 'held' : 'first';
  if (pairs.length > 0)
    report(`our own questions, ${own} set`, await askAll(await ownQuestions(pairs, own), models));
  await models.model?.release();
}

interface Embedders {
  quick: Embedder;
  model?: Embedder;
}

/** Remembers every unit of a set in a library of its own and puts the questions, beside the baseline. */
export async function askAll(set: QuestionSet, models: Embedders): Promise<Asked[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-memory-'));
  let now = 0;
  const index = openSqlite(':memory:');
  const library = openLibrary({ url: join(directory, 'sylk.db') });
  const meaning = createTextVectors({
    table: 'entry_vectors',
    subject: 'Memory',
    ...models,
    longLived: models.model !== undefined,
    index: () => index,
  });
  const chronicle = openChronicle({
    library,
    clock: { now: () => now },
    promotion: { uses: 3, sessions: 2 },
    meaning,
  });
  try {
    const ids = new Map<string, string>();
    for (const { id, text, at, session } of set.units) {
      now = at;
      const { entry } = await chronicle.store({
        session_id: session,
        category: 'general',
        content: text,
        source: 'lab',
        source_kind: 'agent',
      });
      ids.set(entry.id, id);
    }
    now = Math.max(...set.units.map(({ at }) => at)) + 86_400_000;
    // The first question of a server is answered by the quick vectors; the model reads meanwhile.
    await search(chronicle, 'everything', ids);
    await meaning.settled();
    const bm25 = createBm25(set.units.map(({ text }) => text));
    const asked: Asked[] = [];
    for (const { question, kind, gold } of set.questions) {
      const scores = bm25(question);
      const plain = set.units
        .map(({ id }, at) => ({ id, score: scores[at]! }))
        .filter(({ score }) => score > 0)
        .sort((one, two) => two.score - one.score)
        .map(({ id }) => id);
      asked.push({
        kind,
        ours: scoreOf(await search(chronicle, question, ids), gold),
        bm25: scoreOf(plain, gold),
      });
    }
    return asked;
  } finally {
    await meaning.close();
    await library.close();
    index.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function search(chronicle: Chronicle, text: string, ids: Map<string, string>): Promise<string[]> {
  const found = await chronicle.find({ session_id: '', sees_all: true }, { text, limit: 50 });
  return found.map((entry) => ids.get(entry.id)!);
}

function report(title: string, asked: Asked[]): void {
  console.log(`\n${title}: ${asked.length} questions`);
  const groups = new Map([['all', asked], ...Map.groupBy(asked, ({ kind }) => kind)]);
  for (const [name, own] of groups) {
    const line = (side: 'ours' | 'bm25') =>
      (['r5', 'r10', 'rr'] as const)
        .map((field) => mean(own.map((each) => each[side][field])).toFixed(3))
        .join(' / ');
    const [low, high] = interval(own.map(({ ours, bm25 }) => ours.r10 - bm25.r10));
    const [lowRank, highRank] = interval(own.map(({ ours, bm25 }) => ours.rr - bm25.rr));
    console.log(
      `  ${name} (${own.length}): ours ${line('ours')}, BM25 ${line('bm25')} (recall@5 / recall@10 / MRR); recall@10 ${low.toFixed(3)} … ${high.toFixed(3)}, MRR ${lowRank.toFixed(3)} … ${highRank.toFixed(3)}`,
    );
  }
}
