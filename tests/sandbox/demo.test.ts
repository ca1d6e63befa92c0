import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('the demo shows memory, plan, judges and one branch, and leaves nothing behind', () => {
  const home = temporaryDirectory('home');
  const { code, out, err } = sylk(home, ['demo', '--no-dashboard'], { env: { SYLK_HOME: home, HOME: home } });
  expect(err).not.toContain('error:');
  expect(code).toBe(0);
  expect(out).toContain('goes on with what the inspector said: 1. src/discount.js:2 tsc TS2322');
  expect(out).toMatch(
    /receipt +goes on with what the tester said: .*a line tells what its pieces cost together/,
  );
  expect(out).toContain('The run is completed');
  expect(out).toContain('src/checkout.js');
  expect(readdirSync(join(home, 'cache')).filter((name) => name.startsWith('demo-'))).toEqual([]);
  expect(existsSync(join(home, 'state'))).toBe(false);
}, 900_000);
