import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../src/base/clock.ts';
import type { Library } from '../src/base/library/index.ts';
import { copyLibrary } from '../src/engines/library-copies/index.ts';
import { decide, type RunState } from '../src/engines/orchestrator/index.ts';
import { openRuns, planSchema } from '../src/stores/runs/index.ts';
import { allRows, openForTest } from './support/libraries.ts';
import { freshPostgres } from './support/postgres.ts';
import { temporaryDirectory } from './support/temporary.ts';

const plan = planSchema.parse({
  prompt: 'x',
  nodes: [{ id: 'a', agent: 'engineer', prompt: '"ä" \\ \u{1F600}' }],
});

const runsIn = (library: Library) => openRuns<RunState>({ library, clock: systemClock, decide });

test('a library that goes to PostgreSQL and back has the same rows, and goes on counting behind them', async () => {
  const source = openForTest(join(temporaryDirectory('copy'), 'library.db'));
  const runs = runsIn(source);
  const { run } = await runs.create({ session: 's', prompt: 'x', plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  await runs.move(run, { type: 'node_prompted', node: 'a', message: 'also this' }, 'prompt');
  await source.journal.record({
    ...{ at: '2026-01-01', actor: 'a', action: 'b', ref: 'task:1', project: 'p' },
    detail: { text: 'Grüße' },
  });

  const server = openForTest(await freshPostgres());
  const there = await copyLibrary(source, server);
  const back = openForTest(join(temporaryDirectory('copy'), 'library.db'));
  expect(await copyLibrary(server, back)).toEqual(there);
  expect(there.rows).toBeGreaterThan(8);
  for (const { table } of there.tables.filter(({ table: name }) => name !== '_marks'))
    expect([table, await allRows(back, table)]).toEqual([table, await allRows(source, table)]);

  const signals = async (library: Library) => {
    await runsIn(library).move(run, { type: 'node_prompted', node: 'a', message: 'once more' }, 'again');
    return (await allRows(library, 'run_signals')).length;
  };
  expect([await signals(server), await signals(back)]).toEqual([2, 2]);
  await expect(copyLibrary(source, server)).rejects.toThrow('is not empty');
});
