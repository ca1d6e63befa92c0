import { expect, test } from 'vitest';
import { createEventLog } from './events.ts';

test('who comes back hears what was told meanwhile, once and in order', () => {
  const log = createEventLog(() => 0);
  log.publish('a', 1);
  log.publish('a', 2);
  log.publish('a', 3);
  expect(log.since(1)).toMatchObject({ events: [{ id: 2 }, { id: 3 }], gap: false });
});

test('what was dropped before it could be heard is said to be a gap', () => {
  const log = createEventLog(() => 0, 2);
  for (let number = 1; number <= 5; number++) log.publish('a', number);
  expect(log.since(1)).toMatchObject({ events: [{ id: 4 }, { id: 5 }], gap: true });
});

test('a number from another run is answered with everything, as a gap, and runs are told apart', () => {
  const log = createEventLog(() => 0);
  log.publish('a', 1);
  expect(log.since(70)).toMatchObject({ events: [{ id: 1 }], gap: true });
  expect(createEventLog(() => 0).logId).not.toBe(log.logId);
});
