import type { App } from '../../app.ts';
import type { RunState } from '../../engines/orchestrator/index.ts';
import { runHasEnded } from '../../engines/orchestrator/index.ts';

/** Until the run has ended, or nothing goes on before a person has answered. */
export async function followRun(app: App, run: string, signal: AbortSignal): Promise<RunState> {
  const runs = await app.runs();
  for await (const _ of runs.follow(run, { signal })) {
    const state = await runs.state(run);
    if (runHasEnded(state) || waitsForPerson(state)) return state;
  }
  return runs.state(run);
}

const waitsForPerson = ({ open, status }: RunState): boolean =>
  status === 'stopped' ||
  status === 'suspended' ||
  (open.length > 0 && open.every(({ kind }) => kind === 'ask'));
