import type { AnyOutcome, CommandKind } from '../../stores/runs/index.ts';

/** What a command that was stopped is answered with. */
export const stopped: Partial<Record<CommandKind, AnyOutcome>> = {
  work: { result: 'stopped', cost: 0 },
  consult: { result: 'stopped', cost: 0 },
  inspect: { result: 'stopped' },
  test: { result: 'stopped' },
  inspect_all: { result: 'stopped' },
  test_all: { result: 'stopped' },
  merge: { result: 'stopped' },
  revert: { result: 'stopped' },
  land: { result: 'stopped' },
};

/** What a command that threw is answered with: a failure, never a pass. */
export function failed(kind: CommandKind, message: string): AnyOutcome {
  if (kind === 'work' || kind === 'consult') return { result: 'failed', message, retryable: true, cost: 0 };
  if (kind === 'advise') return { result: 'unsure', cost: 0 };
  if (kind === 'plan' || kind === 'plan_tests' || kind === 'summarise')
    return { result: 'failed', message, cost: 0 };
  return { result: 'broken', message };
}
