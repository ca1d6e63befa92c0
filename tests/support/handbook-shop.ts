import { fixtureRepository } from './fixture-repository.ts';
import type { TestRepository } from './repository.ts';

/** The shop that the pages of the handbook are about, with tests that need nothing but Node.js. */
export function handbookShop(at?: string): TestRepository {
  const shop = fixtureRepository(at);
  shop.commit("test: use the runner of Node.js\n\nIt needs no package, and the shop's tests are few.", {
    'package.json': `${JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
    'src/auth/rate-limit.test.ts':
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { allow } from './rate-limit.ts';\n\ntest('the eleventh attempt of a minute is refused', () => {\n  const tries = Array.from({ length: 11 }, () => allow('ada', 10, 0));\n  assert.deepEqual(tries.slice(-2), [true, false]);\n});\n",
  });
  return shop;
}
