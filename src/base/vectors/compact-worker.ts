import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import { openSqlite } from '../sqlite/index.ts';
import { type CompactRequest, compactNow } from './compact.ts';

/** The thread in which a graph is made, so that nobody waits for it. */
if (parentPort) {
  const request = workerData as CompactRequest;
  try {
    const sqlite = openSqlite(request.database, { durability: 'normal' });
    try {
      compactNow(sqlite, request);
    } finally {
      sqlite.close();
    }
    parentPort.postMessage({ done: true });
  } catch (error) {
    parentPort.postMessage({ error: messageOf(error) });
  }
}
