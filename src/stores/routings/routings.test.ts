import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { fixedClock } from '../../base/clock.ts';
import { openLibrary } from '../../base/library/index.ts';
import { openRoutings, patternOf, type Routing } from './index.ts';

function open(keep?: number) {
  const library = openLibrary({ url: join(temporaryDirectory('routings'), 'sylk.db') });
  onTestFinished(() => library.close());
  return openRoutings({ library, clock: fixedClock(), ...(keep ? { keep } : {}) });
}

const routing = (more: Partial<Routing> = {}): Routing => ({
  pattern: 'where is the *',
  target: 'librarian',
  intent: 'LOCATE',
  verb: 'recall',
  method: 'rules',
  confidence: 0.9,
  outcome: 'answered',
  error: '',
  session_id: 'a',
  milliseconds: 4,
  ...more,
});

test('of a message only its shape is kept: no subject, no number, no long word', () => {
  expect(patternOf('where is the rate limiter', 'rate_limiter')).toBe('where is the *');
  expect(patternOf('use AKIAIOSFODNN7EXAMPLEXYZ for port 8443', '')).toBe('use * for port *');
  expect(patternOf('x '.repeat(500), '').length).toBeLessThanOrEqual(80);
});

test('what always went to one agent is known, what went to two is not', async () => {
  const routings = open();
  await routings.record(routing());
  await routings.record(routing());
  await routings.record(routing({ pattern: 'how did we *', target: 'archivalist' }));
  await routings.record(routing({ pattern: 'how did we *', outcome: 'failed', error: 'it broke' }));
  expect(await routings.summary()).toMatchObject({
    total: 4,
    known: { 'where is the *': 'librarian' },
    failed: [{ pattern: 'how did we *', agent: 'librarian', error: 'it broke' }],
    by_target: { librarian: 3, archivalist: 1 },
  });
  expect((await routings.summary()).known).not.toHaveProperty(['how did we *']);
});

test('a session sees its own, and without one nothing', async () => {
  const routings = open();
  await routings.record(routing());
  await routings.record(routing({ session_id: 'b' }));
  expect((await routings.summary(['b'])).total).toBe(1);
  expect((await routings.summary([])).total).toBe(0);
});

test('the table stays bounded', async () => {
  const routings = open(150);
  for (let at = 0; at < 400; at++) await routings.record(routing());
  expect((await routings.summary()).total).toBeLessThanOrEqual(250);
});
