// A process that writes until it is killed. Arguments: mode, database, failpoint. The failpoint counts statements that
// reach SQLite; at that count the process kills itself, before or after the statement (odd or even).

import { embeddedOf } from '../../src/base/library/index.ts';
import { ensureDerived, openSqlite } from '../../src/base/sqlite/index.ts';
import { crashMigrations, releasedMigrations } from './crash-schema.ts';
import { setFailpoint } from './failpoint.ts';

const [mode, path, point] = process.argv.slice(2) as [string, string, string];
const failpoint = Number(point);

if (failpoint > 0) setFailpoint(failpoint);

const acknowledge = (id: number) => process.stdout.write(`${id}\n`);

const openLibrary = async () => (await import('../../src/base/library/index.ts')).openLibrary({ url: path });

if (mode === 'library') {
  const library = await openLibrary();
  library.migrate({ store: 'notes', steps: releasedMigrations });
  const tables = library.tables<{
    notes: { id: number; text: string };
    tags: { note: number; tag: string };
  }>();
  const { last } = embeddedOf(library).get<{ last: number }>(
    'SELECT coalesce(max(id), 0) AS last FROM notes',
  )!;
  for (let id = last + 1; id <= last + 60; id++) {
    await tables.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('notes')
        .values({ id, text: `note ${id}` })
        .execute();
      for (const tag of ['a', 'b']) await transaction.insertInto('tags').values({ note: id, tag }).execute();
    });
    acknowledge(id);
  }
  await library.close();
} else if (mode === 'migrate') {
  const library = await openLibrary();
  library.migrate({ store: 'notes', steps: crashMigrations });
  acknowledge(1);
  await library.close();
} else if (mode === 'derive') {
  const index = openSqlite(path, { durability: 'normal' });
  const schema = {
    store: 'items',
    version: 1,
    tables: ['items', 'head'],
    create: 'CREATE TABLE items (id INTEGER PRIMARY KEY, batch INTEGER); CREATE TABLE head (batch INTEGER)',
  };
  ensureDerived(index, schema);
  const done = index.get<{ batch: number }>('SELECT coalesce(max(batch), 0) AS batch FROM head')!.batch;
  for (let batch = done + 1; batch <= done + 12; batch++) {
    index.write(() => {
      for (let n = 0; n < 20; n++) index.run('INSERT INTO items (batch) VALUES (?)', batch);
      index.run('INSERT INTO head VALUES (?)', batch);
    });
    acknowledge(batch);
  }
  index.close();
}
process.stdout.write('done\n');
