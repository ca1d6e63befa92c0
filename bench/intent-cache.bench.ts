import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { type CacheQuestion, type CurrentState, createAnswerCache } from '../src/engines/answers/index.ts';
import { openAnswers } from '../src/stores/answers/index.ts';

const still: CurrentState = {
  generation: () => '',
  files: (paths) => new Map(paths.map((path) => [path, path])),
  directory: () => '',
  places: () => '',
  refs: async (refs) => new Map(refs.map((ref) => [ref, ''])),
  version: async () => '',
  head: async () => '',
  reaches: async () => true,
  overlay: () => '',
};
const question = (at: number): CacheQuestion => ({
  agent: 'librarian',
  intent: 'LOCATE',
  subject: `thing${at}`,
  confidence: 0.9,
  text: `where is the thing${at} code`,
  viewer: { session: 'a', seesAll: false },
});

async function filled(path: string, entries: number) {
  const open = () =>
    createAnswerCache({ answers: openAnswers(() => path), current: still, clock: systemClock });
  const caches = open();
  const answer = { answer: 'x'.repeat(2000), citations: Array.from({ length: 8 }, (_, n) => ({ n })) };
  const evidence = { files: ['a.ts', 'b.ts', 'c.ts'], refs: [] };
  for (let at = 0; at < entries; at++)
    await caches.keep(await caches.mark(question(at)), { answer, empty: false, evidence, tokens: 0 });
  return { caches, open };
}

async function median(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await work(round);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[rounds >> 1]!;
}

/** Whether answers belong in a file or in the memory of one process: what each costs, interleaved. */
export default async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'intent-cache-'));
  const entries = 500;
  const file = await filled(join(directory, 'answers.db'), entries);
  const memory = await filled(':memory:', entries);
  const ask = (caches: typeof file.caches) => (round: number) => caches.look(question(round % entries));
  const miss = (caches: typeof file.caches) => (round: number) =>
    caches.look({ ...question(round), text: `where is the other${round} code` });
  const figures: Array<[string, number, number]> = [];
  const compare = async (name: string, rounds: number, one: typeof ask) => {
    const [inFile, inMemory] = [one(file.caches), one(memory.caches)];
    await median(20, inFile);
    await median(20, inMemory);
    figures.push([name, await median(rounds, inFile), await median(rounds, inMemory)]);
  };
  await compare('hit, 500 kept', 500, ask);
  await compare('miss, 500 kept', 200, miss);
  for (const [name, inFile, inMemory] of figures)
    console.log(
      `${name.padEnd(16)} file ${inFile.toFixed(3)} ms, memory ${inMemory.toFixed(3)} ms (${(inFile / inMemory).toFixed(2)} ×)`,
    );
  file.caches.close();
  const opening = await median(30, async () => {
    const again = file.open();
    await again.look(question(3));
    again.close();
  });
  console.log(`a new opening of the file and one hit: ${opening.toFixed(2)} ms`);
  memory.caches.close();
  rmSync(directory, { recursive: true, force: true });
}
