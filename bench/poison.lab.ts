import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openApp } from '../src/app.ts';
import { measurePoison } from './poison/measure.ts';
import { plant } from './poison/plant.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * 50 false entries against questions whose answer is in the code, and 50 true ones beside them. `--from` a repository;
 * it is cloned and nothing of it is touched. With the word `misses`, what went wrong is printed.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  if (from.length === 0) throw new Error('give a repository: npm run lab -- poison --from DIRECTORY');
  for (const source of from) {
    const place = mkdtempSync(join(tmpdir(), 'sylk-poison-'));
    execFileSync('git', ['clone', '-q', '--', resolve(source), join(place, 'repository')]);
    const env = { ...process.env, SYLK_HOME: join(place, 'home') };
    const app = openApp({ directory: join(place, 'repository'), env, flags: ['embedding.enabled=false'] });
    try {
      const figures = await measurePoison(app, await plant(app, { lies: 50, truths: 50 }));
      console.log(source);
      console.log(
        `  false entries ${figures.lies}: code cited first ${figures.codeFirst}, conflict named ${figures.named}, label shown ${figures.labelled}, not found at all ${figures.absent}`,
      );
      console.log(`  true entries ${figures.truths}: in the first three ${figures.kept}`);
      for (const [name, { codeFirst, kept }] of Object.entries(figures.rivals))
        console.log(`  ordered by ${name}: code first ${codeFirst}, true ones in the first three ${kept}`);
      if (words.includes('misses')) for (const miss of figures.misses) console.log(`    ${miss}`);
    } finally {
      await app.close();
      rmSync(place, { recursive: true, force: true });
    }
  }
}
