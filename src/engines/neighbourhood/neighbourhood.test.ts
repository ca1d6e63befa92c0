import { describe, expect, test } from 'vitest';
import { type AroundRequest, around, type NeighbourSource } from './around.ts';
import type { LinkRecord, NodeRecord } from './node.ts';

const node = (ref: string, changes: Partial<NodeRecord> = {}): NodeRecord => ({
  ref,
  kind: 'file',
  title: ref,
  detail: '',
  trust: 100,
  trust_name: '',
  state: 'current',
  state_reason: '',
  provenance: '',
  updated: null,
  ...changes,
});
const link = (source: string, target: string, changes: Partial<LinkRecord> = {}): LinkRecord => ({
  source,
  target,
  type: 'imports',
  weight: 0.5,
  reason: '',
  ...changes,
});

/** A store of given links, which counts how often it is asked. */
function store(links: LinkRecord[], nodes: NodeRecord[] = []) {
  const asked: string[][] = [];
  const source: NeighbourSource = {
    kinds: ['file', 'area'],
    links: async (refs) => {
      asked.push([...refs]);
      return links.filter((one) => refs.includes(one.source) || refs.includes(one.target));
    },
    describe: async (refs) =>
      refs.map((ref) => nodes.find((one) => one.ref === ref) ?? node(ref)).filter((one) => one.title !== ''),
  };
  return { asked, engine: { around: (asked: AroundRequest) => around([source], asked) } };
}

const chain = [link('file:a', 'file:b'), link('file:b', 'file:c'), link('file:c', 'file:d')];
const request = { ref: 'file:a', depth: 1, limit: 50, viewer: { session_id: '', sees_all: false } };

describe('what is around a thing', () => {
  test('is as many steps away as was asked, and says how far', async () => {
    const { engine } = store(chain);
    const { nodes } = await engine.around({ ...request, depth: 2 });
    expect(nodes.map(({ ref, depth }) => [ref, depth])).toEqual([
      ['file:a', 0],
      ['file:b', 1],
      ['file:c', 2],
    ]);
  });

  test('has the links among its outermost things too', async () => {
    const { engine } = store([link('file:a', 'file:b'), link('file:a', 'file:c'), link('file:b', 'file:c')]);
    const { links } = await engine.around(request);
    expect(links).toHaveLength(3);
  });

  test('is asked for in whole levels: a store answers once a level, not once a thing', async () => {
    const wide = Array.from({ length: 40 }, (_, at) => link('file:a', `file:${at}`));
    const { engine, asked } = store(wide);
    await engine.around({ ...request, limit: 100 });
    expect(asked.map((refs) => refs.length)).toEqual([1, 40]);
  });

  test('keeps the strongest where there is no room for all, and counts what it left out', async () => {
    const { engine } = store([
      link('file:a', 'file:weak', { weight: 0.1 }),
      link('file:a', 'file:strong', { weight: 0.9 }),
    ]);
    const { nodes, left_out } = await engine.around({ ...request, limit: 2 });
    expect(nodes.map(({ ref }) => ref)).toEqual(['file:a', 'file:strong']);
    expect(left_out).toBe(1);
  });

  test('leaves out what is trusted less than asked, and does not go on from there', async () => {
    const { engine } = store(chain, [node('file:b', { trust: 20 })]);
    const { nodes, links } = await engine.around({ ...request, depth: 3, minTrust: 50 });
    expect(nodes.map(({ ref }) => ref)).toEqual(['file:a']);
    expect(links).toEqual([]);
  });

  test('follows only the types and kinds that were asked for', async () => {
    const { engine } = store([
      link('file:a', 'file:b', { type: 'changes_with' }),
      link('file:a', 'file:c'),
      link('atom:x', 'file:a', { type: 'covers' }),
    ]);
    const refs = async (narrow: object) =>
      (await engine.around({ ...request, ...narrow })).nodes.map(({ ref }) => ref);
    expect(await refs({ types: ['changes_with'] })).toEqual(['file:a', 'file:b']);
    expect(await refs({ kinds: ['area'] })).toEqual(['file:a', 'atom:x']);
  });

  test('shows a ref that leads nowhere as gone instead of hiding the link', async () => {
    const { engine } = store([link('file:a', 'file:lost')], [node('file:lost', { title: '' })]);
    const { nodes } = await engine.around(request);
    expect(nodes[1]).toMatchObject({ ref: 'file:lost', state: 'gone', trust: 0 });
  });

  test('is refused for text that is no ref, with what would be one', async () => {
    const { engine } = store([]);
    await expect(engine.around({ ...request, ref: 'what?' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
