import { attacks } from './agent/attacks.ts';
import { kills } from './agent/kills.ts';
import { ledger } from './agent/ledger.ts';
import { overhead } from './agent/overhead.ts';
import { providers } from './agent/providers.ts';
import { transcripts } from './agent/transcripts.ts';
import type { Bench, BenchOptions } from './run-named.ts';

/** Each says whether everything was as it has to be. */
const sections: Record<string, (options: BenchOptions) => Promise<boolean>> = {
  providers,
  ledger,
  attacks,
  kills,
  transcripts,
  overhead,
};

/** `npm run lab -- agent [SECTION…]`: one agent at full size, part by part; all of them without a name. */
const agent: Bench = async (options) => {
  const wanted = options.words.length > 0 ? options.words : Object.keys(sections);
  for (const name of wanted) {
    const section = sections[name];
    if (!section) throw new Error(`There is no section ${name}: ${Object.keys(sections).join(', ')}.`);
    console.log(`── ${name}`);
    if (!(await section(options))) process.exitCode = 1;
  }
};

export default agent;
