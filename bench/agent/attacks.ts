import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { runAttacks, type World } from '../../tests/support/agent-attacks.ts';
import { escapes } from '../../tests/support/agent-escapes.ts';
import { injections } from '../../tests/support/agent-injections.ts';
import { runnerAttacks } from '../../tests/support/agent-runner-files.ts';
import type { BenchOptions } from '../run-named.ts';
import { attacksOfFile } from './attack-file.ts';
import { publishedEscapes, publishedInjections, withinMachine } from './strangers.ts';

type Kind = (world: World) => ReturnType<typeof injections>;

const ours: Record<string, Kind> = {
  'our escapes': (world) => ({ attacks: escapes(world), files: {} }),
  'our injections': injections,
  'our files that tools run': (world) => ({ ...runnerAttacks(world), files: {} }),
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
 * published, those count that work on this machine at all. `--commands` chooses kinds by a part of their name.
 */
export async function attacks({ from: given, cases, commands = '' }: BenchOptions): Promise<boolean> {
  // Not below /tmp, which the sandbox hides: what is outside has to be there to be reached.
  const directory = mkdtempSync('/var/tmp/sylk-attacks-');
  const [files, from] = [given.filter(hasAttackFile), given.filter((path) => !hasAttackFile(path))];
  const published = theirs(from);
  let isSafe = true;
  try {
    for (const path of files) isSafe = (await eachOf(path, directory, cases)) && isSafe;
    const kinds = Object.entries({ ...(given.length === 0 ? ours : {}), ...published });
    for (const [kind, attacksOf] of kinds.filter(([each]) => each.includes(commands))) {
      const name = kind.replaceAll(' ', '-');
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
      if (!(kind in published))
        for (const [id, did] of careless) if (!did) console.log(`  fails with careless tools: ${id}`);
      isSafe &&= through.length === 0 && (kind in published || working.length === careless.size);
    }
  } finally {
    // What a race leaves behind may still be at work there: rm goes on where it can.
    spawnSync('rm', ['-rf', directory]);
  }
  return isSafe;
}

const fileOf = (path: string): string => join(path, 'attacks.json');
const hasAttackFile = (path: string): boolean => existsSync(fileOf(path));

/** Attacks that somebody wrote down as data, each in a world of its own: with careless tools, then with ours. */
async function eachOf(path: string, directory: string, only = ''): Promise<boolean> {
  const counts = { tried: 0, careless: 0, ours: 0 };
  for (const { id, attacksOf } of attacksOfFile(fileOf(path)).filter((each) => each.id.includes(only))) {
    const did: boolean[] = [];
    for (const guarded of [false, true]) {
      const place = join(directory, `${id}-${guarded ? 'guarded' : 'careless'}`);
      const outcomes = await runAttacks(place, attacksOf, { guarded, obeys: false });
      did.push([...outcomes.values()].some(Boolean));
    }
    const [careless = false, ours = false] = did;
    counts.tried += 1;
    counts.careless += Number(careless);
    counts.ours += Number(ours);
    console.log(
      `  ${id}: ${careless ? 'succeeds' : 'fails'} with careless tools, ${ours ? 'SUCCEEDS' : 'fails'} with ours`,
    );
  }
  const { tried, careless, ours } = counts;
  console.log(`${path}: ${tried} tried, ${careless} succeed with careless tools, ${ours} with ours`);
  return ours === 0;
}
