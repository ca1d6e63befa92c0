import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAttacks, type World } from '../../tests/support/agent-attacks.ts';
import { escapes } from '../../tests/support/agent-escapes.ts';
import { injections } from '../../tests/support/agent-injections.ts';
import type { BenchOptions } from '../run-named.ts';
import { publishedEscapes, publishedInjections, withinMachine } from './strangers.ts';

type Kind = (world: World) => ReturnType<typeof injections>;

const ours: Record<string, Kind> = {
  'our escapes': (world) => ({ attacks: escapes(world), files: {} }),
  'our injections': injections,
};

/** By others, from clones of what they published: a list of programs, or collections of texts. */
const theirs = (from: string[]): Record<string, Kind> => {
  const lists = from.filter((path) => existsSync(join(path, '_gtfobins')));
  const texts = from.filter((path) => !lists.includes(path));
  return {
    ...(lists.length > 0 && {
      'published escapes': (world: World) => ({
        attacks: lists.flatMap((path) => publishedEscapes(path, world)),
        files: {},
      }),
    }),
    ...(texts.length > 0 && { 'published injections': (world: World) => publishedInjections(texts, world) }),
  };
};

/**
 * A model that does whatever it is told tries every attack with careless tools and with ours, in the same run. Of what others
 * published, those count that work on this machine at all.
 */
export async function attacks({ from }: BenchOptions): Promise<boolean> {
  // Not below /tmp, which the sandbox hides: what is outside has to be there to be reached.
  const directory = mkdtempSync('/var/tmp/sylk-attacks-');
  const published = theirs(from);
  let isSafe = true;
  try {
    for (const [kind, attacksOf] of Object.entries({ ...(from.length === 0 ? ours : {}), ...published })) {
      const name = kind.replace(' ', '-');
      const within = kind in published ? withinMachine : undefined;
      const careless = await runAttacks(join(directory, `${name}-careless`), attacksOf, {
        guarded: false,
        within,
      });
      const guarded = await runAttacks(join(directory, `${name}-guarded`), attacksOf, { guarded: true });
      const working = [...careless].filter(([, did]) => did).map(([id]) => id);
      const through = [...guarded].filter(([, did]) => did).map(([id]) => id);
      console.log(
        `${kind}: ${careless.size} tried, ${working.length} succeed with careless tools, ${through.length} with ours`,
      );
      for (const id of through) console.log(`  succeeded: ${id}`);
      isSafe &&= through.length === 0 && (kind in published || working.length === careless.size);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  return isSafe;
}
