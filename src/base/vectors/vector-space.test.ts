import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { normalise, similarity } from '../embedding/index.ts';
import { openSqlite } from '../sqlite/index.ts';
import { openVectorSpace } from './index.ts';

const dimensions = 32;

function randomVectors(count: number, seed = 5) {
  let state = seed;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const centres = Array.from({ length: 20 }, () => Float32Array.from({ length: dimensions }, random));
  return Array.from({ length: count }, (_, at) => ({
    key: `k${at}`,
    vector: normalise(Float32Array.from(centres[at % 20]!, (value) => value + random() * 0.8)),
  }));
}

function open(directory = temporaryDirectory('vectors'), exactBelow = 100) {
  const sqlite = openSqlite(join(directory, 'index.db'), { durability: 'normal' });
  return {
    directory,
    sqlite,
    space: openVectorSpace({ sqlite, directory, name: 'code', dimensions, exactBelow }),
  };
}

const exactly = (rows: ReturnType<typeof randomVectors>, query: Float32Array, limit: number) =>
  rows
    .map((row) => ({ key: row.key, score: similarity(row.vector, query) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, limit)
    .map((row) => row.key);

const graphFiles = (directory: string) => readdirSync(directory).filter((name) => name.endsWith('.usearch'));

describe('a vector space', () => {
  it('finds the nearest exactly while it is small, and at least 98 of 100 of them through the graph', async () => {
    const rows = randomVectors(3000);
    const { space } = open();
    space.put(rows);
    const queries = randomVectors(40, 99).map((row) => row.vector);
    for (const query of queries)
      expect(new Set(space.search(query, 10).map((match) => match.key))).toEqual(
        new Set(exactly(rows, query, 10)),
      );
    await space.compact();
    expect(space.state()).toMatchObject({ mode: 'mapped', tail: 0, count: 3000 });
    let found = 0;
    for (const query of queries) {
      const gold = new Set(exactly(rows, query, 10));
      found += space.search(query, 10).filter((match) => gold.has(match.key)).length;
    }
    expect(found / 400).toBeGreaterThanOrEqual(0.98);
  });

  it('a row that was put again, removed or added after the graph was made is answered as it is now', async () => {
    const rows = randomVectors(500);
    const { space } = open();
    space.put(rows);
    await space.compact();
    const target = randomVectors(1, 1234)[0]!.vector;
    space.put([
      { key: 'k7', vector: target },
      { key: 'new', vector: target },
    ]);
    space.remove(['k8']);
    expect(
      space
        .search(target, 2)
        .map((match) => match.key)
        .sort(),
    ).toEqual(['k7', 'new']);
    expect(space.search(rows[8]!.vector, 20).map((match) => match.key)).not.toContain('k8');
    await space.compact();
    expect(
      space
        .search(target, 2)
        .map((match) => match.key)
        .sort(),
    ).toEqual(['k7', 'new']);
  });

  it('what is erased is in no file of the graph, and the others are found as before', async () => {
    const rows = randomVectors(500);
    const { space, directory } = open();
    space.put(rows);
    await space.compact();
    expect(graphFiles(directory)).toHaveLength(1);
    space.erase(['k8']);
    expect(graphFiles(directory)).toEqual([]);
    expect(space.search(rows[8]!.vector, 20).map((match) => match.key)).not.toContain('k8');
    expect(space.search(rows[9]!.vector, 1)[0]!.key).toBe('k9');
    await space.compact();
    expect(space.state()).toMatchObject({ mode: 'mapped', count: 499, tail: 0 });
    expect(space.search(rows[9]!.vector, 1)[0]!.key).toBe('k9');
  });

  it('a better vector replaces a worse one and never the other way round', () => {
    const [quick, good] = randomVectors(2).map((row) => row.vector);
    const { space } = open();
    space.put([{ key: 'a', vector: quick!, tier: 0 }]);
    space.put([{ key: 'a', vector: good!, tier: 1 }]);
    space.put([{ key: 'a', vector: quick!, tier: 0 }]);
    expect(similarity(space.get('a')!, good!)).toBeGreaterThan(0.999);
    expect([...space.having(['a', 'b'], 1)]).toEqual(['a']);
  });

  it('widens the search until enough rows are accepted', async () => {
    const rows = randomVectors(2000);
    const { space } = open();
    space.put(rows);
    await space.compact();
    const accepted = new Set(['k3', 'k700', 'k1999']);
    const found = space.search(rows[0]!.vector, 3, (key) => accepted.has(key));
    expect(new Set(found.map((match) => match.key))).toEqual(accepted);
  });

  it('another process sees new rows and a new graph without being told', async () => {
    const rows = randomVectors(600);
    const writer = open();
    const reader = open(writer.directory);
    writer.space.put(rows.slice(0, 300));
    expect(reader.space.search(rows[5]!.vector, 1)[0]!.key).toBe('k5');
    writer.space.put(rows.slice(300));
    await writer.space.compact();
    expect(reader.space.search(rows[599]!.vector, 1)[0]!.key).toBe('k599');
    expect(reader.space.state().mode).toBe('mapped');
  });
});

describe('a damaged graph', () => {
  const damages: Record<string, (path: string) => void> = {
    'a byte is flipped': (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 0xff;
      writeFileSync(path, bytes);
    },
    'it is cut short': (path) => writeFileSync(path, readFileSync(path).subarray(0, 1000)),
    'it is emptied': (path) => writeFileSync(path, ''),
    'it is gone': (path) => rmSync(path),
  };
  for (const [how, damage] of Object.entries(damages)) {
    it(`is never opened, the rows still answer, and it is rebuilt: ${how}`, async () => {
      const rows = randomVectors(800);
      const { directory, space } = open();
      space.put(rows);
      await space.compact();
      damage(join(directory, graphFiles(directory)[0]!));
      const again = open(directory).space;
      expect(new Set(again.search(rows[9]!.vector, 5).map((match) => match.key))).toEqual(
        new Set(exactly(rows, rows[9]!.vector, 5)),
      );
      expect(again.state()).toMatchObject({ mode: 'exact', problem: 'damaged' });
      await again.compact();
      expect(again.state()).toMatchObject({ mode: 'mapped', tail: 0 });
      expect(again.search(rows[9]!.vector, 1)[0]!.key).toBe('k9');
    });
  }

  it('is looked for in every byte once somebody touched the file, and not before', async () => {
    const { directory, space, sqlite } = open();
    space.put(randomVectors(300));
    await space.compact();
    const state = () => open(directory).space.state();
    const checksum = sqlite.get<{ checksum: number }>('SELECT checksum FROM vector_graphs')!.checksum;
    sqlite.run('UPDATE vector_graphs SET checksum = 1');
    expect(state()).toMatchObject({ mode: 'mapped' });
    utimesSync(join(directory, graphFiles(directory)[0]!), 1, 1);
    expect(state()).toMatchObject({ mode: 'exact', problem: 'damaged' });
    sqlite.run('UPDATE vector_graphs SET checksum = ?', checksum);
    expect(state()).toMatchObject({ mode: 'mapped' });
  });

  it('is told from a sound one also where an older version kept the record', async () => {
    const { directory, space, sqlite } = open();
    space.put(randomVectors(300));
    await space.compact();
    sqlite.exec('ALTER TABLE vector_graphs DROP COLUMN seal');
    const again = open(directory);
    expect(again.space.state()).toMatchObject({ mode: 'mapped' });
    again.space.put(randomVectors(300, 2).map((row) => ({ ...row, key: `more ${row.key}` })));
    await again.space.compact();
    expect(open(directory).space.state()).toMatchObject({ mode: 'mapped', count: 600, tail: 0 });
    expect(sqlite.get('SELECT seal FROM vector_graphs')).toMatchObject({ seal: expect.any(String) });
  });

  it('old generations do not pile up', async () => {
    const { directory, space } = open();
    for (let round = 0; round < 3; round++) {
      space.put(randomVectors(300, round + 1).map((row) => ({ ...row, key: `${round}-${row.key}` })));
      await space.compact();
    }
    expect(graphFiles(directory)).toHaveLength(1);
  });
});
