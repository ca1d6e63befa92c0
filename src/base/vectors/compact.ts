import { Worker } from 'node:worker_threads';
import { messageOf, SylkError } from '../errors.ts';
import type { Sqlite } from '../sqlite/index.ts';
import { emptyGraph, graphPath, openGraph, readRecord, saveGraph } from './graph-file.ts';
import { openVectorTable } from './vector-table.ts';

export interface CompactRequest {
  database: string;
  directory: string;
  name: string;
  dimensions: number;
}

/** A graph is made anew when more than this share of it stands for rows that are gone. */
const staleShare = 0.3;
const rowsAtOnce = 2048;

/** Adds what the graph has not seen; answers the number of entries. */
export function compactNow(sqlite: Sqlite, { directory, name, dimensions }: CompactRequest): number {
  const table = openVectorTable(sqlite, name, dimensions);
  const record = readRecord(sqlite, name);
  let graph = emptyGraph(dimensions);
  if (!graph) return 0;
  let watermark = 0;
  if (record) {
    const alive = table.count() - table.countAfter(record.watermark);
    const opened = openGraph(graphPath(directory, name, record.generation), record, dimensions, 'loaded');
    if ('graph' in opened && record.entries - alive <= record.entries * staleShare) {
      graph = opened.graph;
      watermark = record.watermark;
    }
  }
  for (;;) {
    const rows = table.after(watermark, rowsAtOnce);
    if (rows.length === 0) break;
    const values = new Float32Array(rows.length * dimensions);
    for (const [at, row] of rows.entries()) values.set(row.vector, at * dimensions);
    graph.add(
      BigUint64Array.from(rows, (row) => BigInt(row.sequence)),
      values,
      1,
    );
    watermark = rows.at(-1)?.sequence ?? watermark;
  }
  return saveGraph({ sqlite, directory, name }, graph, watermark).entries;
}

/** The same in a thread of its own. */
export function compactInThread(request: CompactRequest): Promise<void> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./compact-worker.${extension}`, import.meta.url), {
    workerData: request,
  });
  return new Promise((resolve, reject) => {
    const failed = (message: string, cause?: unknown) =>
      reject(
        new SylkError('UNAVAILABLE', `The vector index was not rebuilt: ${message}`, {
          hint: 'Searches still compare vectors one by one. Check free space, then run `sylk index`.',
          cause,
        }),
      );
    worker.on('message', (reply: { done?: true; error?: string }) =>
      reply.done ? resolve() : failed(reply.error ?? 'unknown failure'),
    );
    worker.on('error', (error) => failed(messageOf(error), error));
    worker.on('exit', (code) => failed(`the thread ended with ${code}`));
  });
}
