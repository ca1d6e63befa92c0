import type { RunEvent } from '../../stores/runs/index.ts';
import { decide, isExecuting, type RunState, runHasEnded } from './decide/index.ts';

/** Of the time of all nodes, from the start of the work to the end of each: the part in which nobody worked on it, judged it or merged it. */
export function waitingShare(events: Array<RunEvent & { number: number }>): number | undefined {
  let state: RunState | undefined;
  let [waiting, whole, last] = [0, 0, 0];
  for (const { number: _, ...event } of events) {
    const open = state?.phase === 'execute' ? state.nodes.filter(({ stage }) => stage !== 'done') : [];
    whole += open.length * (event.at - last);
    waiting += open.filter((node) => !isExecuting(node)).length * (event.at - last);
    last = event.at;
    state = decide(state, event).state;
    if (runHasEnded(state)) break;
  }
  return whole === 0 ? undefined : waiting / whole;
}
