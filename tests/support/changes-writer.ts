import { setTimeout } from 'node:timers/promises';
import { openLibrary } from '../../src/base/library/index.ts';
import { type NoteTables, noteMigrations } from './followed-notes.ts';

/** One of several writers: some writes hold the lock for a while, some fail, and some remove what was written before. */
const [url = '', writer = ''] = process.argv.slice(2);
const library = openLibrary({ url });
library.migrate(noteMigrations);
const db = library.tables<NoteTables>();
for (let turn = 0; turn < 20; turn++) {
  const write = library.write(async () => {
    await db
      .insertInto('notes')
      .values({ id: `${writer}-${turn}`, text: '' })
      .execute();
    await setTimeout(turn % 3);
    await db.updateTable('notes').set({ text: writer }).where('id', '=', 'shared').execute();
    if (turn % 5 === 4) throw new Error('given up');
  });
  await write.catch((error: Error) => {
    if (error.message !== 'given up') throw error;
  });
  if (turn % 5 === 3)
    await db
      .deleteFrom('notes')
      .where('id', '=', `${writer}-${turn - 1}`)
      .execute();
}
await library.close();
