import { expect, test } from 'vitest';
import { testRepository } from '../support/repository.ts';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('plain lines answer what comes through a pipe, in its order, and end', () => {
  const repository = testRepository();
  repository.commit('add a login', {
    'src/login.ts': 'export const MAX_TRIES = 3;\nexport function login(name: string) {\n  return name;\n}\n',
  });
  const env = { SYLK_HOME: temporaryDirectory('home') };
  const input = 'what is MAX_TRIES set to?\n/callers login\n/nothing-like-this\n';
  const { code, out, err } = sylk(repository.path, ['--plain'], { env, input });
  expect([code, err]).toEqual([0, '']);
  const [value, uses] = [out.indexOf('[1] src/login.ts'), out.indexOf('uses of login')];
  expect(value).toBeGreaterThan(0);
  expect(uses).toBeGreaterThan(value);
  expect(out).not.toContain('\x1b');
});

test('without a terminal, sylk without words prints its help', () => {
  const { code, out } = sylk(process.cwd(), []);
  expect([code, out.split('\n', 1)[0]]).toEqual([2, 'sylk: memory and a team for coding agents']);
});
