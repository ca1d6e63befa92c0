import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { openRuns } from '../../src/stores/runs/index.ts';
import { setFailpoint, setPostgresFailpoint } from './failpoint.ts';

/*
 * Folds one event into a run of a library and says how many statements that took. Started as
 * `run-fold-worker.ts URL RUN MOVE POINT`: at the failpoint, counted from the start of the fold, it kills itself.
 */
const [url = '', run = '', move = '', point = '0'] = process.argv.slice(2);
const library = openLibrary({ url });
const runs = openRuns<RunState>({ library, clock: { ...systemClock, now: () => 1000 }, decide });
// The first look opens the file and brings its tables up to date.
await runs.state(run);
const failpoint = (/^postgres/.test(url) ? setPostgresFailpoint : setFailpoint)(Number(point));
await runs.move(run, JSON.parse(move), 'the move');
console.log(failpoint.count());
await library.close();
console.log('done');
