import { describe, expect, test } from 'vitest';
import { allRows, databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../../base/clock.ts';
import { codeEdges, edgeTable, edgeTypes, openGraph } from './index.ts';

const entry = (id: number) => `entry:ent_${id}`;
const file = (id: number) => `file:src/${id}.ts`;

describe.each(databases)('on $name', ({ freshUrl }) => {
  async function world(options: Partial<Parameters<typeof openGraph>[0]> = {}) {
    const library = openForTest(await freshUrl());
    const clock = fixedClock();
    return { library, clock, graph: openGraph({ library, clock, ...options }) };
  }

  test('a link is one for its source, target and type, and the same again only changes its weight', async () => {
    const { graph } = await world();
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
    const { graph } = await world();
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
      hint: `Swap the ends: source ${entry(1)}, target ${file(1)}.`,
    });
  });

  test('bad refs, types, weights and links to itself are refused with the next step', async () => {
    const { graph } = await world();
    const refused = (source: string, target: string, type: string, weight?: number) =>
      expect(graph.link({ source, target, type, by: 'ada', weight })).rejects;
    await refused('src/a.ts', file(1), 'modified').toMatchObject({
      hint: expect.stringContaining('kind:id'),
    });
    await refused('enrty:1', file(1), 'modified').toMatchObject({ hint: 'Did you mean entry:?' });
    await refused(entry(1), file(1), 'modifed').toMatchObject({ hint: 'Did you mean modified?' });
    await refused(entry(1), file(1), 'modified', 2).toMatchObject({
      message: 'weight is 2; it must be between 0 and 1.',
    });
    await refused(entry(1), entry(1), 'similar_to').toMatchObject({
      message: 'entry:ent_1 cannot be linked to itself.',
    });
    expect(await graph.nodesOf([entry(1), file(1)])).toEqual(new Map());
  });

  test('when a ref goes, its links, sources, verification and conflicts go, and what it superseded stands again', async () => {
    const { graph, library } = await world();
    await graph.link({ source: entry(1), target: file(1), type: 'modified', by: 'ada' });
    await graph.supersede(entry(2), entry(1));
    await graph.recordSources(entry(1), [{ type: 'code', ref: file(1), confidence: 0.9 }]);
    await graph.recordSources(entry(3), [{ type: 'history', ref: entry(1), confidence: 0.5 }]);
    await graph.recordVerification(entry(1), {
      verification: 'none',
      confidence: 0.2,
      needsReview: true,
      warnings: ['w'],
      contradictions: [{ claim: 'c', detail: 'd' }],
    });
    await graph.recordConflict({
      kind: 'semantic',
      left: entry(1),
      right: entry(4),
      subject: 's',
      detail: 'd',
    });
    expect(await graph.supersededBy([entry(2)])).toEqual(new Map([[entry(2), entry(1)]]));
    expect(await graph.removeRefs([entry(1)])).toBe(1);
    expect(await graph.edgesOf(file(1))).toEqual([]);
    expect(await graph.supersededBy([entry(2)])).toEqual(new Map());
    expect(await graph.sourcesOf(entry(3))).toEqual([
      { type: 'history', confidence: 0.5, verified_at: null },
    ]);
    expect(await graph.reviewQueue()).toEqual([]);
    expect(await graph.conflicts()).toEqual([]);
    for (const table of ['ref_edges', 'ref_verifications']) expect(await allRows(library, table)).toEqual([]);
  });

  test('a walk that would see more than it may is stopped, says so, and has the nearest', async () => {
    const { graph } = await world();
    const link = (source: string, target: string) => ({ source, target, type: 'related_to', by: 'test' });
    await graph.linkAll([
      ...Array.from({ length: 5 }, (_, at) => link(entry(1), file(at + 1))),
      ...Array.from({ length: 300 }, (_, at) => link(file(1), entry(at + 10))),
    ]);
    const stopped = await graph.traverse({ from: [entry(1)], depth: 2, most: 20 });
    expect(stopped).toMatchObject({ total: 20, truncated: true });
    expect(stopped.reached.slice(0, 5).every(({ depth }) => depth === 1)).toBe(true);
    expect(await graph.traverse({ from: [entry(1)], depth: 2 })).toMatchObject({
      total: 305,
      truncated: false,
    });
  });

  test('what superseded what is followed to the end of the chain, and a circle is refused', async () => {
    const { graph } = await world();
    await graph.supersede(entry(1), entry(2));
    await graph.supersede(entry(2), entry(3));
    expect(await graph.supersededBy([entry(1), entry(2), entry(3)])).toEqual(
      new Map([
        [entry(1), entry(3)],
        [entry(2), entry(3)],
      ]),
    );
    await expect(graph.supersede(entry(3), entry(1))).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(graph.supersede(entry(2), entry(1))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await graph.supersededBy([entry(3)])).toEqual(new Map());
  });

  test('history that expired is archived after thirty days, never dropped, and restored on request', async () => {
    const { graph, clock } = await world();
    const day = 86_400_000;
    await graph.describe([
      { ref: entry(1), expires_at: clock.now() + day, content_hash: 'aa' },
      { ref: file(1), expires_at: clock.now() + day },
      { ref: entry(2), expires_at: clock.now() + 60 * day },
    ]);
    await graph.link({ source: entry(1), target: file(1), type: 'modified', by: 'ada' });
    clock.advance(30 * day);
    expect(await graph.archiveExpired()).toEqual([]);
    clock.advance(2 * day);
    expect(await graph.archiveExpired()).toEqual([entry(1)]);
    expect(await graph.edgesOf(file(1))).toEqual([]);
    expect((await graph.traverse({ from: [file(1)] })).total).toBe(0);
    expect(await graph.edgesOf(file(1), { archived: true })).toHaveLength(1);
    expect(await graph.restore([entry(1)])).toBe(1);
    expect(await graph.edgesOf(file(1))).toHaveLength(1);
    expect((await graph.nodesOf([entry(1)])).get(entry(1))).toMatchObject({
      content_hash: 'aa',
      expires_at: null,
      archived_at: null,
    });
  });

  test('a link of one session is unseen by another, and each looker is answered every link once', async () => {
    const { graph } = await world();
    const key = { source: entry(1), target: file(1), type: 'modified' as const };
    await graph.link({ ...key, weight: 0.3, by: 'agent', session: 'ses_a' });
    const seen = async (session: string, sees_all = false) =>
      (await graph.edgesOf(file(1), { viewer: { session, sees_all } })).map(({ weight }) => weight);
    expect([await seen('ses_a'), await seen('ses_b'), await seen('', true)]).toEqual([[0.3], [], [0.3]]);
    await graph.link({ ...key, weight: 0.8, by: 'ada' });
    expect([await seen('ses_a'), await seen('ses_b'), await seen('', true)]).toEqual([[0.3], [0.8], [0.8]]);
    expect(await graph.unlink(key, { session: 'ses_a', sees_all: false }, 'own')).toBe(true);
    expect(await seen('ses_a')).toEqual([0.8]);
    await graph.link({ source: entry(2), target: file(1), type: 'created', by: 'agent', session: 'ses_a' });
    expect(await graph.shareLinksOf('ses_a')).toBe(1);
    expect(await seen('ses_b')).toEqual([1, 0.8]);
  });

  test('a walk ends at what the looker must not see, and says so by leaving it out', async () => {
    const { graph } = await world();
    for (const at of [1, 2, 3])
      await graph.link({ source: entry(at), target: entry(at + 1), type: 'followed_by', by: 'ada' });
    await graph.link({ source: entry(1), target: file(1), type: 'modified', by: 'ada' });
    const walk = async (hidden: string[], depth = 5) =>
      (
        await graph.traverse({
          from: [entry(1)],
          depth,
          direction: 'out',
          hidden: async (refs) => new Set(refs.filter((ref) => hidden.includes(ref))),
        })
      ).reached.map(({ ref, depth: at, from, type }) => [ref, at, from, type]);
    expect(await walk([])).toEqual([
      [entry(2), 1, entry(1), 'followed_by'],
      [file(1), 1, entry(1), 'modified'],
      [entry(3), 2, entry(2), 'followed_by'],
      [entry(4), 3, entry(3), 'followed_by'],
    ]);
    expect((await walk([], 1)).length).toBe(2);
    expect(await walk([entry(3)])).toHaveLength(2);
    const only = await graph.traverse({ from: [entry(1)], depth: 9, types: ['modified'] });
    expect(only.reached.map(({ ref }) => ref)).toEqual([file(1)]);
  });

  test('everything made from something is found through all its steps, by ref and by path', async () => {
    const { graph } = await world();
    await graph.recordSources(entry(1), [{ type: 'academic', ref: 'topic:topic-a', confidence: 0.8 }]);
    await graph.recordSources(entry(2), [{ type: 'history', ref: entry(1), confidence: 0.8 }]);
    await graph.recordSources(entry(3), [
      { type: 'code', path: 'src/1.ts', line: 3, end_line: 9, confidence: 1 },
    ]);
    await graph.recordSources(entry(3), [
      { type: 'code', path: 'src/1.ts', line: 3, end_line: 12, confidence: 0.7 },
    ]);
    expect(await graph.derivedFrom('topic:topic-a')).toEqual([entry(1), entry(2)]);
    expect(await graph.derivedFrom(file(1))).toEqual([entry(3)]);
    expect(await graph.sourcesOf(entry(3))).toEqual([
      { type: 'code', path: 'src/1.ts', line: 3, end_line: 12, confidence: 0.7, verified_at: null },
    ]);
  });

  test('a conflict is stored once, in either order and however often it is seen, and settled once', async () => {
    const { graph } = await world();
    const seen = {
      kind: 'source_mismatch' as const,
      subject: 'Auth',
      detail: 'says bcrypt, code has argon2',
    };
    const first = await graph.recordConflict({ ...seen, left: entry(1), right: file(1) });
    const again = await graph.recordConflict({ ...seen, left: file(1), right: entry(1), subject: 'auth ' });
    expect(again).toEqual(first);
    expect(first.proposal).toContain('Code is the source of truth');
    expect(await graph.conflicts({ unresolved: true, refs: [file(1)] })).toHaveLength(1);
    await graph.resolveConflict(first.id, 'keep_right: code', 'ada');
    expect((await graph.recordConflict({ ...seen, left: entry(1), right: file(1) })).resolved).toBe(true);
    expect(await graph.conflicts({ unresolved: true })).toEqual([]);
    await expect(graph.resolveConflict(first.id, 'keep_left', 'bob')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('what a person said of an entry stays, whatever a later check finds', async () => {
    const { graph } = await world();
    const doubt = {
      verification: 'none' as const,
      confidence: 0.2,
      needsReview: true,
      warnings: ['not in the code'],
      contradictions: [{ claim: 'uses bcrypt', ref: file(1), detail: 'argon2 is imported' }],
    };
    await graph.recordVerification(entry(1), doubt);
    await graph.recordVerification(entry(2), doubt);
    expect((await graph.reviewQueue()).map(({ ref }) => ref)).toEqual([entry(1), entry(2)]);
    await graph.confirm(entry(1), 'ada');
    await graph.confirm(entry(2), 'ada', 'rejected');
    await graph.recordVerification(entry(1), doubt);
    const known = await graph.verificationsOf([entry(1), entry(2)]);
    expect(known.get(entry(1))).toMatchObject({
      verification: 'by_user',
      confidence: 1,
      verdict: 'confirmed',
    });
    expect(known.get(entry(2))).toMatchObject({ verification: 'none', confidence: 0, verdict: 'rejected' });
    expect(await graph.reviewQueue()).toEqual([]);
    await expect(graph.confirm(entry(9), 'ada')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('no more things are taken in than the limit says, and what is there goes on working', async () => {
    const { graph } = await world({ maxNodes: 3 });
    await graph.link({ source: entry(1), target: file(1), type: 'modified', by: 'ada' });
    await expect(
      graph.link({ source: entry(2), target: file(2), type: 'modified', by: 'ada' }),
    ).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    await graph.link({ source: entry(2), target: file(1), type: 'modified', by: 'ada' });
    expect(await graph.edgesOf(file(1))).toHaveLength(2);
  });

  test('secrets in metadata, sources and conflicts never reach the library', async () => {
    const { graph, library } = await world();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await graph.link({
      source: entry(1),
      target: file(1),
      type: 'modified',
      by: 'ada',
      metadata: { note: secret },
    });
    await graph.recordSources(entry(1), [
      { type: 'academic', url: `https://x.example/?token=${secret}`, confidence: 1 },
    ]);
    await graph.recordConflict({
      kind: 'semantic',
      left: entry(1),
      right: entry(2),
      subject: secret,
      detail: secret,
    });
    for (const table of ['ref_edges', 'ref_sources', 'ref_conflicts'])
      expect(JSON.stringify(await allRows(library, table))).not.toContain(secret);
  });
});
