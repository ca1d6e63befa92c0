import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTurns, replayTurns } from '../../tests/support/agent-transcripts.ts';
import { type Dialect, dialects } from '../../tests/support/model-server/index.ts';
import { randomNumbers } from '../random.ts';
import type { BenchOptions } from '../run-named.ts';

/** Every transcript of an agent below the folders of `--from`, in random order, as a stream of one provider after another. */
export async function transcripts({
  from,
  cases = '1000',
  minutes = 14,
  seed = '20261117',
}: BenchOptions): Promise<boolean> {
  const next = randomNumbers(Number(seed));
  const files = from
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
        join(entry.parentPath, entry.name),
      ),
    )
    .filter((path) => /\.(?:traj|traj\.json|jsonl)$/.test(path))
    .map((path) => ({ path, order: next() }))
    .sort((a, b) => a.order - b.order);
  const until = Date.now() + Number(minutes) * 60_000;
  const names = Object.keys(dialects) as Dialect[];
  const directory = mkdtempSync(join(tmpdir(), 'sylk-transcripts-'));
  const sum = { files: 0, without: 0, turns: 0, calls: 0, legs: 0 };
  const rules: Record<string, number> = {};
  let broken = 0;
  try {
    for (const { path } of files.slice(0, Number(cases))) {
      if (Date.now() > until) break;
      const turns = readTurns(readFileSync(path, 'utf8'));
      if (turns.length === 0) {
        sum.without += 1;
        continue;
      }
      const dialect = names[sum.files % names.length] ?? 'anthropic';
      const place = join(directory, String(sum.files));
      const replay = await replayTurns(place, turns, dialect);
      rmSync(place, { recursive: true, force: true });
      sum.files += 1;
      sum.turns += replay.turns;
      sum.calls += replay.calls;
      sum.legs += replay.legs;
      for (const [rule, times] of Object.entries(replay.rules)) rules[rule] = (rules[rule] ?? 0) + times;
      broken += replay.problems.length;
      for (const problem of replay.problems) console.log(`${path} (${dialect}): ${problem}`);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  console.log(
    `${sum.files} transcripts (${sum.without} without an answer), ${sum.turns} answers, ${sum.calls} calls in ${sum.legs} legs; ${broken} problems; rules met: ${JSON.stringify(rules)}`,
  );
  return broken === 0 && sum.files > 0;
}
