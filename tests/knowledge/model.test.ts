import { expect, onTestFinished, test } from 'vitest';
import { graphStage, playGraph } from '../support/graph-model.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('500 random stories of links, archiving, removal and supersession end as a simple model says', async () => {
  const stage = graphStage(temporaryDirectory('graph-model'));
  onTestFinished(() => stage.library.close());
  let compared = 0;
  for (let seed = 1; seed <= 500; seed++) {
    const played = await playGraph(stage, seed, 20);
    expect(played.difference).toBeUndefined();
    compared += played.compared;
  }
  expect(compared).toBeGreaterThan(25_000);
});
