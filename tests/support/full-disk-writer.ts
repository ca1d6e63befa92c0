// Writes to a library until the disk is full, and says how that was reported. Argument: database.
import { reportOf } from '../../src/base/errors.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { releasedMigrations } from './crash-schema.ts';

const library = openLibrary(process.argv[2]!);
let written = 0;
try {
  library.migrate({ store: 'notes', steps: releasedMigrations });
  const last = library.sqlite.get<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM notes')!.last;
  for (let id = last + 1; id < last + 5000; id++) {
    library.sqlite.write(() => library.sqlite.run('INSERT INTO notes VALUES (?, ?)', id, 'x'.repeat(4000)));
    written = id;
  }
  process.stdout.write(JSON.stringify({ written }));
} catch (error) {
  process.stdout.write(JSON.stringify({ written, report: reportOf(error) }));
}
