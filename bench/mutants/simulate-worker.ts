import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { newCoverage } from '../../tests/support/simulated-coverage.ts';
import { simulateRun } from '../../tests/support/simulated-run.ts';
import { randomNumbers } from '../random.ts';
import { applied, type Mutant } from './operators.ts';

/* Plays simulated runs with one mutant of the orchestrator until a rule breaks, and says which, or that all held. */
const { root, mutant, runs, seed }: { root: string; mutant: Mutant; runs: number; seed: number } = workerData;

// The rules use the orchestrator as it is; the mutant is a second copy beside it, told apart by its address.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const isCopy = specifier.endsWith('?mutant') || context.parentURL?.endsWith('?mutant');
    if (!isCopy || !resolved.url.includes('/src/engines/orchestrator/')) return resolved;
    return { ...resolved, url: `${resolved.url.replace('?mutant', '')}?mutant` };
  },
  load(url, context, next) {
    if (!url.endsWith('?mutant')) return next(url, context);
    const path = fileURLToPath(url.replace('?mutant', ''));
    const text = readFileSync(path, 'utf8');
    const isTarget = path === `${root}/${mutant.path}`;
    const source = stripTypeScriptTypes(isTarget ? applied(text, mutant) : text);
    return { format: 'module', source, shortCircuit: true };
  },
});

const copy = new URL('../../src/engines/orchestrator/decide/index.ts?mutant', import.meta.url);
const { decide } = await import(copy.href);
const counts = newCoverage();
let verdict = 'every rule held';
for (let played = 0; played < runs && verdict === 'every rule held'; played++) {
  const run = simulateRun(randomNumbers((seed + played) * 7919), counts, {
    decideWith: decide,
    maxNodes: 12,
  });
  try {
    run.play();
  } catch (error) {
    verdict = `run ${played + 1}: ${String(error)}`;
  }
}
parentPort?.postMessage(verdict);
