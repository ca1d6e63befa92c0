import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openApp } from '../../src/app.ts';
import { testRepository } from '../../tests/support/repository.ts';
import type { BenchOptions } from '../run-named.ts';

/** One mistake as it was reported, somebody about to make it again in other words, and somebody who does something like it that is right. */
const cases = z.array(
  z.object({
    pattern: z.string(),
    error: z.string(),
    fix: z.string(),
    repeated: z.string(),
    near_miss: z.string(),
  }),
);

/** `npm run lab -- roles mistakes --from SET.json`: all mistakes are in one memory, and every approach is checked against all of them. */
export async function warnings({ from: [path], words }: BenchOptions): Promise<boolean> {
  if (path === undefined) throw new Error('--from SET.json: [{ pattern, error, fix, repeated, near_miss }]');
  const set = cases.parse(JSON.parse(readFileSync(path, 'utf8')));
  const directory = mkdtempSync(join(tmpdir(), 'sylk-mistakes-'));
  const repository = testRepository([], join(directory, 'repository'));
  repository.commit('first', { 'a.txt': 'a\n' });
  const app = openApp({
    directory: repository.path,
    env: { ...process.env, SYLK_HOME: join(directory, 'home') },
  });
  const memory = await app.memory();
  const session = await memory.sessions.forWriting({ kind: 'agent', client: 'lab', worktree: '' }, 'main');
  const ids: string[] = [];
  for (const { pattern, error, fix } of set) {
    const report = {
      pattern,
      error,
      fix,
      author: { kind: 'agent' as const, name: 'lab' },
      scope: 'repository' as const,
    };
    ids.push((await memory.reportMistake(session, report)).mistake.id);
  }
  const viewer = { session_id: session.id, sees_all: false };
  const counts = { warned: 0, first: 0, near: 0, nearOthers: 0, shown: 0 };
  for (const [at, { repeated, near_miss }] of set.entries()) {
    const again = (await memory.checkMistakes(viewer, repeated)).map(({ id }) => id);
    const near = (await memory.checkMistakes(viewer, near_miss)).map(({ id }) => id);
    const own = ids[at] ?? '';
    counts.shown += again.length;
    if (again.includes(own)) counts.warned++;
    if (again[0] === own) counts.first++;
    if (near.includes(own)) counts.near++;
    else if (near.length > 0) counts.nearOthers++;
    if (words.includes('list') && !again.includes(own))
      console.log(`  not warned: ${repeated}\n     mistake: ${set[at]?.pattern}`);
    if (words.includes('list') && near.includes(own))
      console.log(`  warned for nothing: ${near_miss}\n     mistake: ${set[at]?.pattern}`);
  }
  await app.close();
  rmSync(directory, { recursive: true, force: true });
  console.log(`${set.length} mistakes in one memory`);
  console.log(
    `  repeated: warned of ${counts.warned}, first in the list ${counts.first}; ${(counts.shown / set.length).toFixed(1)} warnings each`,
  );
  console.log(
    `  near misses: warned of the mistake that they are near ${counts.near}, of another one only ${counts.nearOthers}`,
  );
  return counts.warned === set.length && counts.near === 0;
}
