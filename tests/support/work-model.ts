import { fixedClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openAreas } from '../../src/stores/areas/index.ts';
import { openWork } from '../../src/stores/work/index.ts';
import { type ModelReport, runSequence, states } from './work-sequence.ts';

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Runs random sequences of all writes against stores and model; throws at the first disagreement, naming the seed. */
export async function runModel({
  sequences,
  length,
  seed,
}: {
  sequences: number;
  length: number;
  seed: number;
}) {
  const library = openLibrary({ url: ':memory:' });
  const clock = fixedClock();
  const pipelines = { feature: states, task: states };
  const work = openWork({ library, clock, pipelines });
  const areas = openAreas({
    library,
    clock,
    around: {
      projectExists: async (id) => (await work.findContainer(id, 'project')) !== undefined,
      taskExists: async (id) => (await work.findContainer(id, 'task')) !== undefined,
    },
  });
  const report: ModelReport = { operations: 0, refused: {}, conflicts: 0 };
  try {
    for (let at = 0; at < sequences; at++) {
      try {
        await runSequence({ work, areas, clock, report, length, random: randomOf(seed + at) });
      } catch (error) {
        throw new Error(`seed ${seed + at}: ${(error as Error).message}`, { cause: error });
      }
    }
  } finally {
    await library.close();
  }
  return report;
}
