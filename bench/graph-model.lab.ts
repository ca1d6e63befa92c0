import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphStage, playGraph } from '../tests/support/graph-model.ts';
import type { Bench } from './run-named.ts';

/** Random stories of links against an in-memory model, longer than the tests play them, for as long as it is given. */
const lab: Bench = async ({ minutes, words }) => {
  const first = Number(words[0] ?? 1000);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-graph-model-'));
  const stage = graphStage(directory);
  const until = Date.now() + minutes * 60_000;
  let [seed, compared] = [first, 0];
  const stories = new Set<string>();
  try {
    for (; Date.now() < until; seed++) {
      const { difference, compared: many, digest } = await playGraph(stage, seed, 60);
      if (difference) {
        console.log(difference);
        process.exitCode = 1;
        return;
      }
      compared += many;
      stories.add(digest);
    }
    console.log(
      `seeds ${first}–${seed - 1}: ${stories.size} distinct stories, ${compared} comparisons, none differs`,
    );
  } finally {
    await stage.library.close();
    rmSync(directory, { recursive: true, force: true });
  }
};

export default lab;
