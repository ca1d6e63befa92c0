import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { isParsed, languageOf, loadGrammar } from '../../src/base/syntax/index.ts';

// The floor of P4: reads and parses, and throws the tree away.
parentPort!.on(
  'message',
  async ({ batch, jobs }: { batch: number; jobs: Array<{ path: string; absolute: string }> }) => {
    for (const job of jobs) {
      const language = languageOf(job.path);
      const text = readFileSync(job.absolute, 'utf8');
      if (language && isParsed(language)) (await loadGrammar(language)).parse(text).delete();
    }
    parentPort!.postMessage({ batch, files: [] });
  },
);
parentPort!.postMessage('ready');
