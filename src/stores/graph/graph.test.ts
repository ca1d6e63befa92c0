import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { fixedClock } from '../../base/clock.ts';
import { openLibrary } from '../../base/library/index.ts';
import { codeEdges, edgeTable, edgeTypes, type GraphOptions, openGraph } from './index.ts';

function world(options: Partial<GraphOptions> = {}) {
  const library = openLibrary(join(temporaryDirectory('graph'), 'sylk.db'));
  onTestFinished(() => library.close());
  const clock = fixedClock();
  return { library, clock, graph: openGraph({ library, clock, ...options }) };
}

const entry = (id: number) => `entry:ent_${id}`;
const file = (id: number) => `file:src/${id}.ts`;

test('a link is one for its source, target and type, and the same again only changes its weight', async () => {
  const { graph } = world();
  await graph.link({ source: entry(1), target: file(1), type: 'modified', weight: 0.9, by: 'ada' });
  await graph.link({ source: entry(1), target: file(1), type: 'modified', weight: 0.4, by: 'bob' });
  await graph.link({ source: entry(1), target: file(1), type: 'created', by: 'ada' });
  const edges = await graph.edgesOf(file(1));
  expect(edges.map(({ type, weight, by }) => [type, weight, by])).toEqual([
    ['created', 1, 'ada'],
    ['modified', 0.4, 'bob'],
  ]);
  expect(await graph.unlink({ source: entry(1), target: file(1), type: 'modified' })).toBe(true);
  expect(await graph.unlink({ source: entry(1), target: file(1), type: 'modified' })).toBe(false);
  expect(await graph.edgesOf(entry(1), { direction: 'out', types: codeEdges })).toHaveLength(1);
});

test('every type of link has one direction, and its reverse is the same link read the other way', async () => {
  const { graph } = world();
  const end = { code: file, history: entry, knowledge: (id: number) => `topic:topic-${id}` };
  for (const type of edgeTypes) {
    const { from, to } = edgeTable[type];
    const made = await graph.link({ source: end[from[0]!](1), target: end[to[0]!](2), type, by: 'ada' });
    expect(made).toMatchObject({ type, source: end[from[0]!](1), target: end[to[0]!](2) });
  }
  const reversed = await graph.link({ source: file(8), target: file(9), type: 'called_by', by: 'ada' });
  expect(reversed).toMatchObject({ type: 'calls', source: file(9), target: file(8) });
  await expect(
    graph.link({ source: file(1), target: entry(1), type: 'modified', by: 'ada' }),
  ).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    hint: `Turn it round: source ${entry(1)}, target ${file(1)}.`,
  });
});

test('bad refs, types, weights and links to itself are refused with the next step', async () => {
  const { graph } = world();
  const refused = (source: string, target: string, type: string, weight?: number) =>
    expect(graph.link({ source, target, type, by: 'ada', weight })).rejects;
  await refused('src/a.ts', file(1), 'modified').toMatchObject({ hint: expect.stringContaining('kind:id') });
  await refused('enrty:1', file(1), 'modified').toMatchObject({ hint: 'Did you mean entry:?' });
  await refused(entry(1), file(1), 'modifed').toMatchObject({ hint: 'Did you mean modified?' });
  await refused(entry(1), file(1), 'modified', 2).toMatchObject({
    message: 'weight is 2; it lies between 0 and 1.',
  });
  await refused(entry(1), entry(1), 'similar_to').toMatchObject({
    message: 'entry:ent_1 cannot be linked to itself.',
  });
  expect(await graph.nodesOf([entry(1), file(1)])).toEqual(new Map());
});
