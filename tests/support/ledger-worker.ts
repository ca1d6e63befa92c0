import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openLedger } from '../../src/stores/ledger/index.ts';
import { loadLedger } from './ledger-load.ts';

/** Makes reservations in a library that others use too: `ledger-worker.ts URL RESERVATIONS BUDGET SEED`. */
const [url = '', reservations, budget, seed] = process.argv.slice(2);
const library = openLibrary({ url });
const outcomes = await loadLedger({
  ledgers: [openLedger({ library, clock: systemClock })],
  reservations: Number(reservations),
  budget: Number(budget),
  seed: Number(seed),
  every: 50,
});
await library.close();
console.log(JSON.stringify(outcomes));
