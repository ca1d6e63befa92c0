import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAttacks, type World } from '../../tests/support/agent-attacks.ts';
import { escapes } from '../../tests/support/agent-escapes.ts';
import { injections } from '../../tests/support/agent-injections.ts';

const kinds = { escapes: (world: World) => ({ attacks: escapes(world) }), injections };

/** A model that does whatever it is told tries every attack with careless tools and with ours, in the same run. */
export async function attacks(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-attacks-'));
  let isSafe = true;
  try {
    for (const [kind, attacksOf] of Object.entries(kinds)) {
      const careless = await runAttacks(join(directory, `${kind}-careless`), attacksOf, { guarded: false });
      const ours = await runAttacks(join(directory, `${kind}-ours`), attacksOf, { guarded: true });
      const count = (outcomes: Map<string, boolean>) => [...outcomes.values()].filter(Boolean).length;
      const through = [...ours].filter(([, did]) => did).map(([id]) => id);
      console.log(
        `${kind}: ${careless.size} tried, ${count(careless)} succeed with careless tools, ${count(ours)} with ours`,
      );
      for (const id of through) console.log(`  succeeded: ${id}`);
      isSafe &&= through.length === 0 && count(careless) === careless.size;
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  return isSafe;
}
