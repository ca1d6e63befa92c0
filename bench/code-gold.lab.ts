import { ctags } from './gold/ctags.ts';
import { jelly } from './gold/jelly.ts';
import { pycg } from './gold/pycg.ts';
import { scip } from './gold/scip.ts';
import type { BenchOptions } from './run-named.ts';

const readers = { pycg, jelly, scip, ctags };

/** Definitions and calls against what others wrote down: `code-gold pycg|jelly|scip|ctags [detail] --from CHECKOUT`. */
export default async ({ from, words }: BenchOptions): Promise<void> => {
  const name = words[0] as keyof typeof readers | undefined;
  if (!name || !(name in readers) || from.length === 0) {
    console.log('code-gold pycg|jelly|scip|ctags [detail] --from CHECKOUT [--from …]');
    return;
  }
  for (const one of from) await readers[name](one, words.includes('detail'));
};
