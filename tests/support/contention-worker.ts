// One of several processes on one repository. Arguments: repository, name, number of writes. Waits for a line on standard
// input, so that all start at the same moment; then opens everything cold and writes.
import { once } from 'node:events';
import { openApp } from '../../src/app.ts';
import { acquireLease } from '../../src/base/durable/index.ts';
import { ensureDerived } from '../../src/base/sqlite/index.ts';
import { crashMigrations } from './crash-schema.ts';

const [repository, name, writes] = process.argv.slice(2) as [string, string, string];
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const app = openApp({ directory: repository });
const library = await app.library();
library.migrate({ store: 'notes', steps: crashMigrations });
library.migrate({
  store: 'counters',
  steps: ['CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL)'],
});
const index = app.index();
ensureDerived(index, {
  store: 'seen',
  version: 1,
  tables: ['seen'],
  create: 'CREATE TABLE seen (worker TEXT, n INTEGER)',
});
const tables = library.tables<{ counters: { name: string; value: number } }>();
let held = 0;
for (let n = 0; n < Number(writes); n++) {
  // Read, then write: a lost update shows in the sum.
  await tables.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'all')
      .executeTakeFirst();
    const value = (before?.value ?? 0) + 1;
    await transaction
      .insertInto('counters')
      .values({ name: 'all', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });
  index.write(() => index.run('INSERT INTO seen VALUES (?, ?)', name, n));
  const lease = acquireLease(index, 'background', 30);
  if (lease) {
    held++;
    lease.release();
  }
}
await app.close();
process.stdout.write(`${JSON.stringify({ held })}\n`);
process.exit(0);
