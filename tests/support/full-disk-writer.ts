// Writes to a library until the disk is full, and says how that was reported. Argument: database.
import { reportOf } from '../../src/base/errors.ts';
import { embeddedOf, openLibrary } from '../../src/base/library/index.ts';
import { releasedMigrations } from './crash-schema.ts';

const library = openLibrary({ url: process.argv[2]! });
let written = 0;
try {
  library.migrate({ store: 'notes', steps: releasedMigrations });
  const last = embeddedOf(library).get<{ last: number }>(
    'SELECT coalesce(max(id), 0) AS last FROM notes',
  )!.last;
  for (let id = last + 1; id < last + 5000; id++) {
    embeddedOf(library).write(() =>
      embeddedOf(library).run('INSERT INTO notes VALUES (?, ?)', id, 'x'.repeat(4000)),
    );
    written = id;
  }
  process.stdout.write(JSON.stringify({ written }));
} catch (error) {
  process.stdout.write(JSON.stringify({ written, report: reportOf(error) }));
}
