import { newCounts, simulateRun } from '../tests/support/simulated-run.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

/** `npm run lab -- simulate [RUNS] [--seed N]`: random runs of the orchestrator, every rule checked after every event. */
const simulate: Bench = async ({ words, seed = '1', minutes }) => {
  const runs = Number(words[0] ?? 50_000);
  const counts = newCounts();
  const failures: string[] = [];
  const end = Date.now() + (minutes || 60) * 60_000;
  let played = 0;
  for (; played < runs && Date.now() < end; played++) {
    const number = (Number(seed) + played) * 7919;
    const run = simulateRun(randomNumbers(number), counts);
    try {
      run.play();
    } catch (error) {
      failures.push(`seed ${Number(seed) + played}: ${String(error)}; ${run.describe()}`);
    }
  }
  const pairs = [...counts.pairs].toSorted(([, left], [, right]) => left - right);
  const rare = pairs.filter(([, count]) => count < 100);
  console.log(
    `${played} runs, ${counts.events} events, ${counts.crashes} crashes, ${counts.late} late answers, ${counts.refused} refused moves`,
  );
  console.log(`ended: ${[...counts.ends].map(([status, count]) => `${status} ${count}`).join(', ')}`);
  console.log(`${pairs.length} pairs of state and event, ${rare.length} of them met less than 100 times`);
  for (const [pair, count] of rare) console.log(`  ${count} × ${pair}`);
  console.log(
    failures.length === 0
      ? 'every rule held'
      : `${failures.length} runs broke a rule:\n${failures.slice(0, 20).join('\n')}`,
  );
  if (failures.length > 0) process.exitCode = 1;
};

export default simulate;
