import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadLedger } from '../../../tests/support/ledger-load.ts';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { startModelServer } from '../../../tests/support/model-server/index.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { fixedClock } from '../../base/clock.ts';
import { reportOf } from '../../base/errors.ts';
import { openModel } from '../../base/model/index.ts';
import { metered, openLedger } from './index.ts';

const usageOf = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  measured: true,
});
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    (error) => reportOf(error).code,
  );
const call = { model: 'a/b', priceId: 'a/b', tokens: 100, usd: 0.4 };

describe.each(databases)('ledger on $name', ({ name, freshUrl }) => {
  const open = async () => {
    const url = await freshUrl();
    const clock = fixedClock();
    const again = () => openLedger({ library: openForTest(url), clock });
    return { ledger: again(), again, clock };
  };

  test('parallel reservations never pass the budget, whatever is settled meanwhile', async () => {
    const { ledger, again } = await open();
    // SQLite waits for another connection of the same process without letting it finish.
    const ledgers = name === 'SQLite' ? [ledger] : [ledger, again(), again()];
    const outcomes = await loadLedger({ ledgers, reservations: 200, budget: 3, seed: 7, every: 10 });
    expect(outcomes.failed).toBe(0);
    expect(outcomes.refused).toBeGreaterThan(20);
    expect(outcomes.most).toBeLessThanOrEqual(3);
    expect(outcomes.most).toBeGreaterThan(2.8);
  });

  test('a budget is never rounded up', async () => {
    const { ledger } = await open();
    await ledger.setBudget({ scope: 'day', name: '', usd: 0.000_000_6, tokens: undefined });
    expect(await codeOf(ledger.reserve({ ...call, usd: 0.000_000_6 }))).toBe('BUDGET_EXCEEDED');
  });

  test('a reservation that nobody settled counts as spent until somebody does', async () => {
    const { ledger, again } = await open();
    await ledger.setBudget({ scope: 'run', name: '', usd: 0.5, tokens: undefined });
    const orphan = await ledger.reserve({ ...call, run: 'r1' });
    const other = again();
    expect(await codeOf(other.reserve({ ...call, run: 'r1' }))).toBe('BUDGET_EXCEEDED');
    expect(await codeOf(other.reserve({ ...call, run: 'r2' }))).toBe('allowed');
    expect(await other.costs({ by: 'run', since: '', names: ['r1'] })).toMatchObject([
      { name: 'r1', calls: 1, usd: 0, open: 1, open_usd: 0.4 },
    ]);
    await other.settle(orphan, usageOf(10, 5), 0.05);
    expect(await codeOf(ledger.reserve({ ...call, run: 'r1' }))).toBe('allowed');
  });

  test('budgets hold by day, session, run, agent and model, and the one with a name goes first', async () => {
    const { ledger, clock } = await open();
    const payer = { session: 's1', run: 'r1', agent: 'engineer' };
    for (const scope of ['day', 'session', 'run', 'agent', 'model'] as const) {
      await ledger.setBudget({ scope, name: '', usd: undefined, tokens: 150 });
      const first = await ledger.reserve({ ...call, ...payer });
      expect([scope, await codeOf(ledger.reserve({ ...call, ...payer }))]).toEqual([
        scope,
        'BUDGET_EXCEEDED',
      ]);
      await ledger.release(first);
      await ledger.setBudget({ scope, name: '', usd: undefined, tokens: undefined });
    }
    expect(await ledger.budgets()).toEqual([]);
    await ledger.setBudget({ scope: 'agent', name: '', usd: 0.1, tokens: undefined });
    await ledger.setBudget({ scope: 'agent', name: 'engineer', usd: 1, tokens: undefined });
    expect(await codeOf(ledger.reserve({ ...call, ...payer }))).toBe('allowed');
    expect(await codeOf(ledger.reserve({ ...call, agent: 'tester' }))).toBe('BUDGET_EXCEEDED');
    expect(await codeOf(ledger.reserve({ ...call, ...payer }))).toBe('allowed');
    expect(await codeOf(ledger.reserve({ ...call, ...payer }))).toBe('BUDGET_EXCEEDED');
    expect(await ledger.budgets()).toMatchObject([{ name: '' }, { name: 'engineer', usd: 1, used_usd: 0.8 }]);
    clock.advance(24 * 3_600_000);
    expect(await codeOf(ledger.reserve({ ...call, ...payer }))).toBe('allowed');
  });

  test('a model without a price is counted in tokens, and a budget in dollars alone refuses it', async () => {
    const { ledger } = await open();
    const unpriced = { ...call, usd: undefined, priceId: undefined };
    const id = await ledger.reserve(unpriced);
    await ledger.settle(id, usageOf(70, 5), undefined);
    expect(await ledger.costs({ by: 'model', since: '' })).toMatchObject([
      { usd: 0, unpriced: 1, input_tokens: 70, output_tokens: 5 },
    ]);
    await ledger.setBudget({ scope: 'day', name: '', usd: 5, tokens: undefined });
    expect(await codeOf(ledger.reserve(unpriced))).toBe('BUDGET_EXCEEDED');
    await ledger.setBudget({ scope: 'session', name: '', usd: undefined, tokens: 150 });
    expect(await codeOf(ledger.reserve({ ...unpriced, session: 's' }))).toBe('allowed');
    expect(await codeOf(ledger.reserve({ ...unpriced, session: 's' }))).toBe('BUDGET_EXCEEDED');
  });

  test('a metered model pays for every attempt, and asks nothing that it could not pay', async () => {
    const { ledger } = await open();
    const answer = { text: ['One ', 'two ', 'three.'] };
    const server = await startModelServer('anthropic', [
      { status: 529 },
      { ...answer, breaks: 'reset' },
      answer,
      { status: 401 },
    ]);
    onTestFinished(server.stop);
    const model = openModel('anthropic/claude-sonnet-4-5', {
      environment: { ANTHROPIC_API_KEY: 'k' },
      endpoints: { anthropic: server.url },
      retries: { attempts: 3, first: 1, longest: 1_000 },
      aroundAttempt: metered(ledger, { run: 'r1', agent: 'engineer' }),
    });
    const request = {
      instructions: 'Work.',
      messages: [{ role: 'user' as const, text: 'Go.' }],
      maxOutputTokens: 100,
    };
    expect(await model.stream(request)).toMatchObject({ text: 'One two three.', attempts: 3 });
    expect(await codeOf(model.stream(request))).toBe('DENIED');
    const [line] = await ledger.costs({ by: 'model', since: '' });
    expect(line).toMatchObject({ name: 'anthropic/claude-sonnet-4-5', calls: 2, unmeasured: 1, open: 0 });
    expect(line?.usd).toBeGreaterThan((40 * 3 + 80 * 0.3 + 9 * 15) / 1e6);
    await ledger.setBudget({ scope: 'run', name: '', usd: 0.000_5, tokens: undefined });
    const asked = server.requests.length;
    expect(await codeOf(model.stream(request))).toBe('BUDGET_EXCEEDED');
    expect(server.requests).toHaveLength(asked);
  });

  test('what is left of a budget pays for a shorter answer, and for nothing that it could not pay', async () => {
    const { ledger } = await open();
    const server = await startModelServer('anthropic', [{ text: ['Hi.'] }]);
    onTestFinished(server.stop);
    const model = openModel('anthropic/claude-sonnet-4-5', {
      environment: { ANTHROPIC_API_KEY: 'k' },
      endpoints: { anthropic: server.url },
      aroundAttempt: metered(ledger, { run: 'r1' }),
    });
    const request = { instructions: 'Work.', messages: [{ role: 'user' as const, text: 'Go.' }] };
    await ledger.setBudget({ scope: 'run', name: '', usd: 0.05, tokens: undefined });
    await model.stream(request);
    const asked = Number(server.requests[0]?.body['max_tokens']);
    expect(asked).toBeGreaterThan(1_000);
    expect(asked * 15).toBeLessThan(50_000);
    await ledger.setBudget({ scope: 'run', name: '', usd: undefined, tokens: 4_000 });
    await model.stream(request);
    expect(Number(server.requests[1]?.body['max_tokens'])).toBeLessThan(3_000);
    await ledger.setBudget({ scope: 'run', name: '', usd: 0.01, tokens: undefined });
    expect(await codeOf(model.stream(request))).toBe('BUDGET_EXCEEDED');
    expect(server.requests).toHaveLength(2);
  });

  test('a scripted model is metered like any other', async () => {
    const { ledger } = await open();
    const path = join(temporaryDirectory('script'), 'answers.json');
    const steps = [{ text: 'Hi.', usage: { input: 1_000, output: 100 } }];
    writeFileSync(path, JSON.stringify({ price: { input: 3, output: 15 }, conversations: [{ steps }] }));
    const model = openModel(`script:${path}`, { aroundAttempt: metered(ledger, { session: 's1' }) });
    await model.stream({ instructions: '', messages: [{ role: 'user', text: 'Go.' }] });
    expect(await ledger.costs({ by: 'session', since: '' })).toMatchObject([
      { name: 's1', usd: 0.0045, open: 0 },
    ]);
  });
});
