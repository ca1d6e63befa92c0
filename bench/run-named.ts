import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** What a bench or a lab is given. Outside material comes by `--from`; nothing is read from anywhere else. */
export interface BenchOptions {
  from: string[];
  minutes: number;
  /** How many, or which by a part of the name; each bench says what its cases and commands are. */
  cases?: string | undefined;
  commands?: string | undefined;
  seed?: string | undefined;
  /** A directory that keeps what was done, so that the next take continues there; labs that take hours have one. */
  journal?: string | undefined;
  /** Words after the name, for choices within one bench. */
  words: string[];
}

export type Bench = (options: BenchOptions) => Promise<void>;

/** Runs `bench/<name>.<kind>.ts`, whose default export is a `Bench`; without a name, lists what there is. */
export async function runNamed(kind: 'bench' | 'lab', args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      from: { type: 'string', multiple: true },
      minutes: { type: 'string' },
      cases: { type: 'string' },
      commands: { type: 'string' },
      seed: { type: 'string' },
      journal: { type: 'string' },
    },
  });
  const suffix = `.${kind}.ts`;
  const names = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
  const [name, ...words] = positionals;
  if (!name || !names.includes(name)) {
    console.error(
      `npm run ${kind} -- NAME [--from PATH] [--minutes N] [--cases N] [--commands N] [--seed N] [--journal DIRECTORY]\n${names.map((known) => `  ${known}`).join('\n')}`,
    );
    process.exitCode = 2;
    return;
  }
  const { default: run } = (await import(`./${name}${suffix}`)) as { default: Bench };
  const { from = [], minutes, ...choices } = values;
  await run({ ...choices, from, minutes: Number(minutes ?? 5), words });
}
