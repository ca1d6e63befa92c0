import { expect, test } from 'vitest';
import { linksToDraw } from '../../web/src/graph/links-to-draw.ts';

test('every neighbour keeps its link to the centre, and of those between neighbours the strongest are drawn', () => {
  const names = ['centre', ...Array.from({ length: 12 }, (_, at) => `n${at}`)];
  const nodes = names.map((ref) => ({
    ref,
    depth: ref === 'centre' ? 0 : 1,
  }));
  const links = names.flatMap((source, at) =>
    names
      .slice(at + 1)
      .map((target, next) => ({ source, target, type: 'imports', weight: 1 / (at + next + 2) })),
  );
  const drawn = linksToDraw({ nodes, links });
  expect(drawn.filter(({ source }) => source === 'centre')).toHaveLength(12);
  expect(drawn.length).toBeLessThan(12 + 2 * 12 + 1);
  const strongest = links
    .filter(({ source }) => source !== 'centre')
    .toSorted((a, b) => b.weight - a.weight)[0];
  expect(drawn).toContainEqual(strongest);
});
