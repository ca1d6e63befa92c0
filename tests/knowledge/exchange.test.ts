import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedOf } from '../../src/base/library/index.ts';
import { exportLinks } from '../../src/stores/graph/index.ts';
import { authWorld, remember } from '../support/knowledge.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('links, sources, verdicts and conflicts come along with an export, and twice is as once', async () => {
  const [from, to] = [authWorld().person(), authWorld().person()];
  const graph = await from.app.graph();
  const first = await remember(from, { content: 'We use RS256.', code_references: ['src/auth/jwt.ts'] });
  const second = await remember(from, {
    content: 'We use EdDSA.',
    supersedes: first.ref.replace('entry:', ''),
  });
  await from.call('link_refs', {
    source: 'file:src/auth/jwt.ts',
    type: 'related_to',
    target: 'file:src/shop/cart.ts',
  });
  await graph.recordSources(second.ref, [{ type: 'llm_inference', confidence: 0.4 }]);
  await graph.recordConflict({
    kind: 'semantic',
    left: first.ref,
    right: second.ref,
    subject: 's',
    detail: 'd',
  });
  await from.call('confirm_entry', { ref: second.ref });
  const path = join(temporaryDirectory('export'), 'memory.json');
  await from.call('export_memory', { path });
  const file = { path, keep_authors: true };
  const { added } = await to.call<{ added: Record<string, number> }>('import_memory', file);
  expect(added).toMatchObject({ verifications: 1, conflicts: 1, sources: 1 });
  const rows = async ({ app }: typeof from) => exportLinks(embeddedOf(await app.library()));
  expect(await rows(to)).toEqual(await rows(from));
  const again = await to.call<{ added: Record<string, number> }>('import_memory', file);
  expect(again.added).toEqual({});
  expect(await (await to.app.graph()).supersededBy([first.ref])).toEqual(new Map([[first.ref, second.ref]]));
});
