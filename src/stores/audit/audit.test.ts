import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../../base/clock.ts';
import { openAudit } from './index.ts';

const given = {
  name: 'claude',
  kind: 'agent' as const,
  person: 'Ada',
  token: '',
  repository: 'shop',
  operation: 'store_entry',
  effect: 'write',
  outcome: 'began' as const,
  call: 'call_1',
  input: '{}',
  note: '',
};

describe.each(databases)('the audit on $name', ({ freshUrl }) => {
  const open = async () => {
    const library = openForTest(await freshUrl());
    const audit = openAudit({ library, clock: fixedClock() });
    for (let at = 0; at < 5; at++) await audit.record({ ...given, input: `{"at":${at}}` });
    const run = (statement: string) => sql.raw(statement).execute(library.tables());
    /** As somebody who owns the database does it. */
    const unguarded = async (statement: string) => {
      for (const trigger of ['audit_stays', 'audit_remains'])
        await run(`DROP TRIGGER ${trigger}${library.embedded ? '' : ' ON audit'}`);
      await run(statement);
    };
    return { audit, library, run, unguarded };
  };

  test('is whole after many writers at once, and tells its end', async () => {
    const { audit } = await open();
    await Promise.all(Array.from({ length: 20 }, (_, at) => audit.record({ ...given, call: `call_${at}` })));
    const whole = await audit.verify();
    expect(whole).toMatchObject({ records: 25 });
    expect(whole.problem).toBeUndefined();
    expect((await audit.verify(whole.head)).problem).toBeUndefined();
    const { items, total } = await audit.list({ name: 'Ada', offset: 0, limit: 2 });
    expect([total, items.map(({ seq }) => seq)]).toEqual([25, [25, 24]]);
    expect((await audit.list({ repositories: ['site'], offset: 0, limit: 5 })).total).toBe(0);
  });

  test('refuses to be changed or cut', async () => {
    const { run, library } = await open();
    const cut = library.embedded ? [] : ['TRUNCATE audit'];
    for (const statement of [`UPDATE audit SET name = 'Eve'`, 'DELETE FROM audit WHERE seq = 2', ...cut])
      await expect(run(statement)).rejects.toThrow(/append-only/);
  });

  test.each([
    [`UPDATE audit SET name = 'Eve' WHERE seq = 3`, /Record 3 was changed/],
    [`UPDATE audit SET at = '2026-01-01' WHERE seq = 1`, /Record 1 was changed/],
    ['DELETE FROM audit WHERE seq = 2', /Record 2 is missing/],
    ['DELETE FROM audit WHERE seq > 3', /Records after 3 are missing/],
    ['DELETE FROM audit', /Records after 0 are missing/],
  ])('tells what was done behind its back: %s', async (statement, problem) => {
    const { audit, unguarded } = await open();
    await unguarded(statement);
    expect((await audit.verify()).problem).toMatch(problem);
  });

  test('a rewritten chain does not hold a digest that was noted elsewhere', async () => {
    const { audit, run, unguarded } = await open();
    const { head } = await audit.verify();
    await unguarded('DELETE FROM audit');
    await run('DELETE FROM audit_head');
    await audit.record({ ...given, name: 'Eve' });
    expect((await audit.verify()).problem).toBeUndefined();
    expect((await audit.verify(head)).problem).toMatch(/not in the chain/);
  });
});
