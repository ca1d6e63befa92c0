import { expect, test } from 'vitest';
import { randomNumbers } from '../../../bench/random.ts';
import { newCoverage } from '../../../tests/support/simulated-coverage.ts';
import { simulateRun } from '../../../tests/support/simulated-run.ts';
import { limitsSchema, planSchema, type RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState } from './decide/index.ts';
import { copyEvents, type FoldedEvent, messagesOf, runMessageSchemas } from './messages.ts';

/** Folds events and hands over each with what it led to. */
function fold(events: RunEvent[]): FoldedEvent[] {
  let state: RunState | undefined;
  return events.map((event) => {
    const before = state;
    const decision = decide(before, event);
    state = decision.state;
    return { before, event, state, commands: decision.commands };
  });
}

const plan = planSchema.parse({ prompt: 'x', nodes: [{ id: 'a', agent: 'engineer', prompt: 'a' }] });
const answered = (command: string, outcome: object) =>
  ({ type: 'answered', command, outcome, at: 0 }) as RunEvent;
const short: RunEvent[] = [
  { type: 'created', run: 'r', session: 's', prompt: 'x', limits: limitsSchema.parse({}), plan, at: 0 },
  { type: 'plan_approved', revision: 1, start: true, at: 0 },
  answered('r:2:0', { result: 'asks', question: 'which?', cost: 0 }),
  answered('r:3:0', { result: 'unsure', cost: 0 }),
  answered('r:4:0', { result: 'answered', choice: '', text: 'this one' }),
  answered('r:5:0', { result: 'done', commit: 'c', output: '', cost: 0 }),
  answered('r:6:0', { result: 'findings', text: 'unused' }),
];

test('messages are those that the design names for each event, in the order of what happened', () => {
  expect(fold(short).map((folded) => messagesOf(folded).map(({ type }) => type))).toEqual([
    ['PLAN_RESPONSE', 'DAG_STATUS'],
    ['PLAN_APPROVED', 'DAG_EXECUTE', 'DAG_STATUS', 'TASK_DISPATCH'],
    ['TASK_HELP', 'DAG_STATUS'],
    ['CLARIFICATION_REQUEST'],
    ['CLARIFICATION_RESPONSE', 'DAG_STATUS', 'TASK_DISPATCH'],
    ['TASK_COMPLETE', 'DAG_STATUS', 'VALIDATE_TASK'],
    ['VALIDATION_RESULT', 'INSPECTOR_FEEDBACK', 'DAG_STATUS', 'TASK_DISPATCH'],
  ]);
});

test('every message of random runs carries what its type says', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const run = simulateRun(randomNumbers(seed * 31), newCoverage(), { maxNodes: 8 });
    run.play();
    for (const folded of fold(run.log))
      for (const { type, payload } of messagesOf(folded))
        expect(runMessageSchemas[type].strict().safeParse(payload).error, type).toBeUndefined();
  }
});

test('a copy names the session and the node by its place', () => {
  const shown: unknown[] = [];
  const listeners: Array<(folded: FoldedEvent) => void> = [];
  copyEvents(
    { onEvent: (listener) => void listeners.push(listener) },
    { events: { publish: (_, data) => void shown.push(data) }, bus: async () => ({ tell: () => undefined }) },
  );
  for (const folded of fold(short)) for (const listener of listeners) listener(folded);
  expect(shown).toContainEqual(
    expect.objectContaining({
      type: 'TASK_DISPATCH',
      session_id: 's',
      metadata: { pipeline_id: 'task:r/1' },
    }),
  );
});
