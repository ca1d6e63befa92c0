import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { openApp } from '../../app.ts';
import { runOperation } from '../run.ts';

test.each(['.tools', './.tools/', '.tools/'])(
  'a folder whose name begins with a dot is found as %s',
  async (path) => {
    const repository = testRepository();
    repository.commit('one', { '.tools/check.ts': 'export const checked = 1;\n' });
    const app = openApp({ directory: repository.path });
    onTestFinished(() => app.close());
    const caller = { kind: 'person', name: 'test' } as const;
    const outcome = await runOperation(app, { name: 'get_structure', input: { path }, caller });
    expect(outcome).toMatchObject({
      ok: true,
      output: { structure: { path: '.tools', entries: ['check.ts'] } },
    });
  },
);
