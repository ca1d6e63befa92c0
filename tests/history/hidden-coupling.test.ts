import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';

test('a pair is coupled in secret when neither an import nor a call explains it, also through a file that passes names on', async () => {
  const repository = testRepository();
  const files = (n: number) => ({
    'lib/store.ts': `export function keep() { return ${n}; }\n`,
    'user.ts': `import { keep } from './lib/index.ts';\nexport const user${n} = () => keep();\n`,
    'limits.ts': `export const limit = ${n};\n`,
  });
  repository.commit('one', { ...files(1), 'lib/index.ts': "export { keep } from './store.ts';\n" });
  repository.commit('two', files(2));
  const app = openApp({ directory: repository.path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async (name: string, input: object) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as { cochanges: Array<{ path: string; hidden_coupling?: boolean }> };
  };
  await call('index_repository', {});
  const { cochanges } = await call('get_cochange', { path: 'lib/store.ts' });
  const hidden = Object.fromEntries(cochanges.map((each) => [each.path, each.hidden_coupling]));
  expect(hidden).toMatchObject({ 'user.ts': false, 'limits.ts': true });
});
