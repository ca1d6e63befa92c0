import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { embeddedOf, type Library, openLibrary } from '../src/base/library/index.ts';
import { edgeTable, type Graph, openGraph } from '../src/stores/graph/index.ts';
import { randomOf } from '../tests/support/graph-model.ts';
import type { Bench } from './run-named.ts';

const nodes = 50_000;
const links = 200_000;

/** Rows at once: the bench is about walking them. Half of the links go to few things, as in a real repository. */
function fill(library: Library, seed: number): void {
  const sqlite = embeddedOf(library);
  const random = randomOf(seed);
  const type = edgeTable.related_to.code;
  sqlite.write(() => {
    sqlite.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO ref_nodes (id, ref, created_at, updated_at)
       SELECT i, iif(i % 3 = 0, 'entry:ent_', 'file:src/') || i, 0, 0 FROM n`,
      nodes,
    );
    const insert = sqlite.prepare(
      `INSERT OR IGNORE INTO ref_edges (source, target, type, weight, by, created_at, updated_at) VALUES (?, ?, ${type}, 1, 'bench', 0, 0)`,
    );
    for (let at = 0; at < links; at++) {
      const source = 1 + random(nodes);
      const near = 1 + ((source + random(200)) % nodes);
      insert.run(source, random(2) === 0 ? near : 1 + random(nodes), ...[]);
    }
  });
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;
const shown = (milliseconds: number): string => `${milliseconds.toFixed(3)} ms`;

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The same walk as one recursive query, for comparison: it sees a node again at every depth where it is reached. */
const recursive = (library: Library, id: number, depth: number): number =>
  embeddedOf(library).all(
    `WITH RECURSIVE reach (node, depth) AS (
       SELECT ?, 0 UNION SELECT e.target, depth + 1 FROM reach JOIN ref_edges e ON e.source = reach.node
       WHERE depth < ? AND e.session IN ('', ''))
     SELECT node, min(depth) FROM reach GROUP BY node`,
    id,
    depth,
  ).length - 1;

/** P9: a walk of depth 3 and 5 over 200,000 links beside one indexed read, and what it costs to put links in. */
const bench: Bench = async ({ words }) => {
  const seed = Number(words[0] ?? 7);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-graph-bench-'));
  const library = openLibrary({ url: join(directory, 'sylk.db') });
  const graph = openGraph({ library, clock: systemClock });
  try {
    fill(library, seed);
    console.log(`${nodes} things, ${links} links, seed ${seed}`);
    await walks(library, graph, seed);
    await inserts(graph);
  } finally {
    await library.close();
    rmSync(directory, { recursive: true, force: true });
  }
};

async function walks(library: Library, graph: Graph, seed: number): Promise<void> {
  const random = randomOf(seed + 1);
  const ids = Array.from({ length: 60 }, () => 1 + random(nodes));
  const refOf = (id: number) => `${id % 3 === 0 ? 'entry:ent_' : 'file:src/'}${id}`;
  for (const [direction, depth] of [
    ['out', 3],
    ['out', 5],
    ['both', 3],
    ['both', 5],
  ] as const) {
    const times: Record<'walk' | 'private' | 'query' | 'read', number[]> = {
      walk: [],
      private: [],
      query: [],
      read: [],
    };
    let reached = 0;
    for (const id of ids.slice(0, direction === 'both' ? 20 : 60)) {
      const request = { from: [refOf(id)], depth, direction, limit: 50 };
      times.read.push(await timed(() => embeddedOf(library).get('SELECT * FROM ref_nodes WHERE id = ?', id)));
      times.walk.push(await timed(async () => (reached += (await graph.traverse(request)).total)));
      const hidden = async (refs: string[]) => new Set(refs.filter((ref) => ref.endsWith('99')));
      times.private.push(
        await timed(() => graph.traverse({ ...request, hidden, viewer: { session: 'a', sees_all: false } })),
      );
      if (direction === 'out') times.query.push(await timed(() => recursive(library, id, depth)));
    }
    const many = Math.round(reached / times.walk.length);
    const query = times.query.length > 0 ? `, one recursive query ${shown(median(times.query))}` : '';
    console.log(
      `depth ${depth} ${direction}: ${shown(median(times.walk))} for ${many} things, with privacy ${shown(median(times.private))}${query}; one indexed read ${shown(median(times.read))}`,
    );
  }
}

async function inserts(graph: Graph): Promise<void> {
  const edge = (at: number) => ({
    source: `entry:new_${at}`,
    target: `file:src/${at}`,
    type: 'modified',
    by: 'bench',
  });
  const single: number[] = [];
  for (let at = 0; at < 50; at++) single.push(await timed(() => graph.link(edge(at))));
  const batch: number[] = [];
  for (let round = 0; round < 5; round++) {
    const edges = Array.from({ length: 1000 }, (_, at) => edge(1000 + round * 1000 + at));
    batch.push((await timed(() => graph.linkAll(edges))) / 1000);
  }
  console.log(
    `one link with two new things, synced: ${shown(median(single))}; of a thousand together: ${shown(median(batch))} each`,
  );
}

export default bench;
