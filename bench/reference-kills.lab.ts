import { killThrough, type Work } from '../tests/support/reference-kills.ts';

/** Kills a process at every write of every kind of work on a shelf, and says what was found. */
export default async function referenceKills(): Promise<void> {
  for (const work of ['create', 'fetch', 'refresh', 'update', 'remove'] satisfies Work[]) {
    const { kills, states, broken } = await killThrough(work, 1, 12);
    console.log(`${work}: ${kills} kills, ${states.size} distinct states, ${broken.length} broken`);
    for (const [state, count] of states) console.log(`  ${count} × ${state}`);
    for (const line of broken) console.log(`  BROKEN ${line}`);
  }
}
