import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersBesideAnother } from '../tests/support/search-isolation.ts';
import type { BenchOptions } from './run-named.ts';

/** Every search of one session, byte by byte, with and without another session's entries; `--cases` says how many. */
export default async function searchIsolation({ cases = '1000' }: BenchOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-isolation-'));
  const { before, after } = await answersBesideAnother(directory, Number(cases)).finally(() =>
    rmSync(directory, { recursive: true, force: true }),
  );
  const changed = before.filter((answer, at) => answer !== after[at]);
  console.log(`${before.length} answers, ${changed.length} changed by another session's ${cases} entries`);
  for (const answer of changed) console.log(`  ${answer.slice(0, 200)}`);
  if (changed.length > 0) process.exitCode = 1;
}
