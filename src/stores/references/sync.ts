import { forgetTopic } from './forget.ts';
import { type IndexOptions, indexTopic } from './ingest.ts';
import { folderOf } from './names.ts';
import type { Stand } from './stand.ts';

/** Brings the index to what is on the shelf: a topic put there by hand, or by a process that was killed, is taken in. */
export async function syncIndex(stand: Stand, options: IndexOptions = {}): Promise<void> {
  if (!stand.shelf.exists()) return;
  const { items, problems } = stand.shelf.list();
  for (const { folder, message } of problems)
    stand.log.warn(`reference topic ${folder} is left out: ${message}`);
  const index = stand.index();
  const rows = index.sqlite.all<{ id: string; stamp: string; folder: string }>(
    'SELECT id, stamp, folder FROM reference_topics',
  );
  const stamps = new Map(rows.map(({ id, stamp }) => [id, stamp]));
  const present = new Set(items.map(({ topic }) => topic.id));
  for (const { id } of rows) if (!present.has(id)) forgetTopic(index, id);
  for (const item of items) {
    if (folderOf(item.topic.id) !== item.folder)
      stand.log.warn(`reference topic ${item.folder} names itself ${item.topic.id}`);
    if (stamps.get(item.topic.id) !== item.stamp) await indexTopic(stand, item, options);
  }
}
