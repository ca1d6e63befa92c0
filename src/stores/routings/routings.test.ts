import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../../base/clock.ts';
import { openRoutings, patternOf, type Routing } from './index.ts';

async function open(freshUrl: () => Promise<string>, keep?: number) {
  return openRoutings({ library: openForTest(await freshUrl()), clock: fixedClock(), keep });
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

describe.each(databases)('on $name', ({ freshUrl }) => {
  test('what always went to one agent is known, what went to two is not', async () => {
    const routings = await open(freshUrl);
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
    const routings = await open(freshUrl);
    await routings.record(routing());
    await routings.record(routing({ session_id: 'b' }));
    expect((await routings.summary(['b'])).total).toBe(1);
    expect((await routings.summary([])).total).toBe(0);
  });

  test('the table stays bounded', async () => {
    const routings = await open(freshUrl, 150);
    for (let at = 0; at < 400; at++) await routings.record(routing());
    expect((await routings.summary()).total).toBeLessThanOrEqual(250);
  });
});
