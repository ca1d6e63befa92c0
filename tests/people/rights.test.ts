import { expect, test } from 'vitest';
import { allOperations } from '../../src/operations/list.ts';
import { leastRight } from '../../src/operations/rights.ts';
import { wrongRights } from '../support/rights-matrix.ts';
import { teamServer } from '../support/team-server.ts';

const operations = await allOperations();

test('what needs which right is written down, and nothing that changes something is for readers', () => {
  const needs = (names: string[]) =>
    new Set(
      names.map((name) => {
        const operation = operations.find((each) => each.name === name);
        return operation ? leastRight(operation) : `no operation ${name}`;
      }),
    );
  const as = (right: string) => new Set([right]);
  expect(needs(['ask', 'search', 'get_entry', 'list_runs', 'who_am_i'])).toEqual(as('reader'));
  expect(needs(['store_entry', 'claim_work', 'start_run', 'stop_run'])).toEqual(as('writer'));
  expect(needs(['approve', 'trust_repository', 'approve_run', 'land_run', 'forget'])).toEqual(as('reviewer'));
  expect(needs(['add_person', 'change_right', 'set_budget', 'restore_library', 'list_audit'])).toEqual(
    as('admin'),
  );
  const own = ['create_token', 'revoke_token', 'set_password'];
  for (const operation of operations.filter(({ effect, name }) => effect !== 'read' && !own.includes(name)))
    expect(leastRight(operation), operation.name).not.toBe('reader');
});

/** One operation for each effect and right; `npm run lab -- people` takes all of them through every surface. */
const examples = [
  ...new Map(operations.map((each) => [`${each.effect} ${leastRight(each)}`, each])).values(),
];

test('right × operation × surface: allowed and refused as written', { timeout: 120_000 }, async () => {
  const team = await teamServer();
  const { wrong, calls } = await wrongRights(team, { http: examples, mcp: examples });
  expect(wrong).toEqual([]);
  expect(calls).toBe(4 * 3 * examples.length);
  const { items } = await (await team.app.audit()).list({ outcome: 'refused', offset: 0, limit: 1000 });
  expect(items.length).toBeGreaterThan(examples.length);
});
