import { killWhileIndexing } from '../tests/support/history-kills.ts';
import type { BenchOptions } from './run-named.ts';

/** Kills indexing at its writes; what is left must end equal to a rebuild. The words may say how many times. */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  for (const directory of from)
    for (const { work, writes, kills, states, broken } of await killWhileIndexing(
      directory,
      Number(words[0] ?? 500),
    )) {
      console.log(
        `${directory} ${work}: ${kills} kills over ${writes} writes, ${states.size} distinct states, ${broken.length} differed from a rebuild`,
      );
      for (const line of broken) console.log(`  BROKEN ${line}`);
    }
}
