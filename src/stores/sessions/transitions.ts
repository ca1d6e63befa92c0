import { SylkError } from '../../base/errors.ts';
import type { SessionState } from './session.ts';

export const transitions = ['activate', 'suspend', 'resume', 'complete', 'fail'] as const;
export type Transition = (typeof transitions)[number];

/** Every change of state there is. What is not here is refused. */
const allowed: Record<Transition, { from: SessionState[]; to: SessionState }> = {
  activate: { from: ['created'], to: 'active' },
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  complete: { from: ['active', 'suspended'], to: 'completed' },
  fail: { from: ['active'], to: 'failed' },
};

export function nextState(id: string, state: SessionState, transition: Transition): SessionState {
  const { from, to } = allowed[transition];
  if (from.includes(state)) return to;
  throw new SylkError('INVALID_OPERATION', `Session ${id} cannot ${transition}: it is ${state}.`, {
    hint: possible(state),
    data: { state, allowed_from: from },
  });
}

function possible(state: SessionState): string {
  const verbs = transitions.filter((verb) => allowed[verb].from.includes(state));
  return verbs.length > 0
    ? `From ${state} it can: ${verbs.join(', ')}.`
    : `${state} is final; close archives it.`;
}
