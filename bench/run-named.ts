import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** What a bench or a lab is given. Outside material comes by `--from`; nothing is read from anywhere else. */
export interface BenchOptions {
  from: string[];
  minutes: number;
  /** Words after the name, for choices within one bench. */
  words: string[];
}

export type Bench = (options: BenchOptions) => Promise<void>;

/** Runs `bench/<name>.<kind>.ts`, whose default export is a `Bench`; without a name, lists what there is. */
export async function runNamed(kind: 'bench' | 'lab', args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { from: { type: 'string', multiple: true }, minutes: { type: 'string' } },
  });
  const suffix = `.${kind}.ts`;
  const names = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
  const [name, ...words] = positionals;
  if (!name || !names.includes(name)) {
    console.error(
      `npm run ${kind} -- NAME [--from PATH] [--minutes N]\n${names.map((known) => `  ${known}`).join('\n')}`,
    );
    process.exitCode = 2;
    return;
  }
  const { default: run } = (await import(`./${name}${suffix}`)) as { default: Bench };
  await run({ from: values.from ?? [], minutes: Number(values.minutes ?? 5), words });
}
