import { join } from 'node:path';
import type { Index } from 'usearch';
import { state } from '../files/index.ts';
import type { Sqlite } from '../sqlite/index.ts';
import { checksumOf, sealOf, sealUntouched } from './file-seal.ts';
import { loadUsearch } from './native.ts';

/**
 * A nearest-neighbour graph over the rows of a vector table, in a file that is mapped and not read. Its labels are
 * the rows' sequence numbers. The database says which file is the current one and what its checksum is: a file that
 * is not exactly that is never opened. A file that nobody touched since it was written is not summed up once more:
 * its seal tells.
 */
export interface GraphRecord {
  generation: number;
  /** Rows up to this sequence number are in the graph. */
  watermark: number;
  entries: number;
  bytes: number;
  checksum: number;
  /** Missing in a database of an older version. */
  seal?: string | null;
}

const records = `CREATE TABLE IF NOT EXISTS vector_graphs (
  name TEXT PRIMARY KEY, generation INTEGER NOT NULL, watermark INTEGER NOT NULL,
  entries INTEGER NOT NULL, bytes INTEGER NOT NULL, checksum INTEGER NOT NULL, seal TEXT)`;

const prepared = new WeakSet<Sqlite>();

export function readRecord(sqlite: Sqlite, name: string): GraphRecord | undefined {
  if (!prepared.has(sqlite)) {
    if (!sqlite.get("SELECT 1 AS there FROM sqlite_master WHERE name = 'vector_graphs'")) return undefined;
    prepared.add(sqlite);
  }
  return sqlite.get<GraphRecord & Record<string, unknown>>(
    'SELECT * FROM vector_graphs WHERE name = ?',
    name,
  );
}

function prepareRecords(sqlite: Sqlite): void {
  sqlite.exec(records);
  const columns = sqlite.all<{ name: string }>("SELECT name FROM pragma_table_info('vector_graphs')");
  if (!columns.some((column) => column.name === 'seal'))
    sqlite.exec('ALTER TABLE vector_graphs ADD COLUMN seal TEXT');
}

export const graphPath = (directory: string, name: string, generation: number): string =>
  join(directory, `${name}.${generation}.usearch`);

const settings = (dimensions: number) =>
  ({
    dimensions,
    metric: 'cos',
    quantization: 'i8',
    connectivity: 16,
    expansion_add: 96,
    expansion_search: 96,
    multi: false,
  }) as ConstructorParameters<typeof Index>[0];

export const emptyGraph = (dimensions: number): Index | undefined => {
  const usearch = loadUsearch();
  return usearch && new usearch.Index(settings(dimensions));
};

export type OpenedGraph = { graph: Index } | { problem: 'damaged' | 'no-runtime' };

/** `mapped` for asking, `loaded` for adding, which always reads and sums up the whole file. */
export function openGraph(
  path: string,
  record: GraphRecord,
  dimensions: number,
  how: 'mapped' | 'loaded',
): OpenedGraph {
  const graph = emptyGraph(dimensions);
  if (!graph) return { problem: 'no-runtime' };
  if (state.entry(path)?.kind !== 'file') return { problem: 'damaged' };
  const untouched = how === 'mapped' && record.seal && record.seal === sealOf(path);
  if (!untouched) {
    const found = checksumOf(path);
    if (!found || found.bytes !== record.bytes || found.checksum !== record.checksum)
      return { problem: 'damaged' };
  }
  try {
    if (how === 'mapped') graph.view(path);
    else graph.load(path);
    return graph.size() === record.entries ? { graph } : { problem: 'damaged' };
  } catch {
    return { problem: 'damaged' };
  }
}

/** Writes beside, syncs, renames, then records; what older generations left behind is removed last. */
export function saveGraph(
  { sqlite, directory, name }: { sqlite: Sqlite; directory: string; name: string },
  graph: Index,
  watermark: number,
): GraphRecord {
  const generation = (readRecord(sqlite, name)?.generation ?? 0) + 1;
  const target = graphPath(directory, name, generation);
  const temporary = `${target}.${process.pid}.tmp`;
  state.makeDirectory(directory);
  try {
    graph.save(temporary);
    state.sync(temporary);
    state.move(temporary, target);
    const sum = sealUntouched(target);
    if (!sum) throw new Error('the graph was not written');
    const record = { generation, watermark, entries: graph.size(), ...sum };
    sqlite.write(() => {
      prepareRecords(sqlite);
      sqlite.run(
        `INSERT INTO vector_graphs (name, generation, watermark, entries, bytes, checksum, seal) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET generation = excluded.generation, watermark = excluded.watermark,
           entries = excluded.entries, bytes = excluded.bytes, checksum = excluded.checksum, seal = excluded.seal`,
        name,
        record.generation,
        record.watermark,
        record.entries,
        record.bytes,
        record.checksum,
        record.seal ?? null,
      );
    });
    removeOthers(directory, name, generation);
    return record;
  } finally {
    state.remove(temporary);
  }
}

/** Nothing of the graph is left; rows are compared one by one until it is made anew. */
export function dropGraph({
  sqlite,
  directory,
  name,
}: {
  sqlite: Sqlite;
  directory: string;
  name: string;
}): void {
  if (!readRecord(sqlite, name)) return;
  sqlite.write(() => sqlite.run('DELETE FROM vector_graphs WHERE name = ?', name));
  removeOthers(directory, name, Number.POSITIVE_INFINITY);
}

function removeOthers(directory: string, name: string, generation: number): void {
  for (const { name: file } of state.list(directory)) {
    const found = /^(.+)\.(\d+)\.usearch(?:\.\d+\.tmp)?$/.exec(file);
    if (found?.[1] !== name || Number(found[2]) >= generation) continue;
    try {
      state.remove(join(directory, file));
    } catch {
      // Another process on Windows still has it open; the next generation tries again.
    }
  }
}
