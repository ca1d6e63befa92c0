import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { allOperations } from '../../src/operations/list.ts';
import { isForPersons } from '../../src/operations/operation.ts';
import { createToolbox } from '../../src/operations/toolbox.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

function fixtureApp() {
  const app = openApp({ directory: fixtureRepository().path });
  onTestFinished(() => app.close());
  return app;
}

test('core tools are always there, contextual ones by a keyword, specialised ones by name, decisions never', async () => {
  const app = fixtureApp();
  const operations = await allOperations();
  const plain = await createToolbox(app, { kind: 'agent', name: 'test' }, {});
  const expected = operations
    .filter((o) => o.tier === 'core' && !isForPersons(o) && !o.requiresExplicit)
    .map((o) => o.name);
  expect(plain.tools.map((tool) => tool.name).sort()).toEqual(expected.sort());
  for (const operation of operations) {
    const byName = await createToolbox(app, { kind: 'agent', name: 'test' }, { names: [operation.name] });
    expect(
      byName.tools.some((tool) => tool.name === operation.name),
      operation.name,
    ).toBe(!isForPersons(operation));
    if (operation.tier !== 'contextual' || isForPersons(operation) || operation.requiresExplicit) continue;
    const byWord = await createToolbox(
      app,
      { kind: 'agent', name: 'test' },
      { words: [operation.keywords[0]!] },
    );
    expect(
      byWord.tools.some((tool) => tool.name === operation.name),
      operation.name,
    ).toBe(true);
  }
});

test('a tool outside of the box is refused, one inside answers', async () => {
  const box = await createToolbox(fixtureApp(), { kind: 'agent', name: 'test' }, {});
  expect(await box.call('approve', { approval_id: 'x' })).toMatchObject({
    ok: false,
    error: { code: 'DENIED' },
  });
  expect(await box.call('get_status', {})).toMatchObject({ ok: true });
});
