import type { ShelfIndex } from './context.ts';
import { chunkKey, fileKey, fileWords, passageWords, topicWords } from './tables.ts';

/** `selection` is our own statement that returns file numbers. */
export function dropFiles(
  { sqlite, chunks, files: about }: ShelfIndex,
  selection: string,
  ...values: Array<string | number>
): void {
  sqlite.write(() => {
    const files = sqlite.all<{ number: number }>(selection, ...values).map(({ number }) => number);
    const list = JSON.stringify(files);
    const cut = sqlite.all<{ number: number }>(
      'SELECT number FROM reference_chunks WHERE file IN (SELECT value FROM json_each(?))',
      list,
    );
    chunks.remove(cut.map(({ number }) => chunkKey(number)));
    about.remove(files.map(fileKey));
    fileWords.remove(sqlite, files);
    passageWords.remove(
      sqlite,
      cut.map(({ number }) => number),
    );
    sqlite.run('DELETE FROM reference_chunks WHERE file IN (SELECT value FROM json_each(?))', list);
    sqlite.run('DELETE FROM reference_files WHERE number IN (SELECT value FROM json_each(?))', list);
  });
}

/** Deletes the topic, its files and everything derived from them. */
export function forgetTopic(index: ShelfIndex, id: string): void {
  const { sqlite, topics } = index;
  const row = sqlite.get<{ number: number }>('SELECT number FROM reference_topics WHERE id = ?', id);
  if (!row) return;
  sqlite.write(() => {
    dropFiles(index, 'SELECT number FROM reference_files WHERE topic = ?', row.number);
    topics.remove([id]);
    topicWords.remove(sqlite, [row.number]);
    sqlite.run('DELETE FROM reference_topics WHERE number = ?', row.number);
  });
}
