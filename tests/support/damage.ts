import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { embeddedOf, openLibrary } from '../../src/base/library/index.ts';
import { migrate, openSqlite } from '../../src/base/sqlite/index.ts';

export const noteMigrations = {
  store: 'notes',
  steps: [
    `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
     CREATE TABLE tags (note INTEGER NOT NULL REFERENCES notes(id), tag TEXT NOT NULL, PRIMARY KEY (note, tag));
     CREATE INDEX notes_text ON notes(text);`,
  ],
};

/** A library of `rows` notes, copied while it is open: as a kill leaves it, with the newest changes in the log only. */
export function killedLibrary(path: string, rows = 600): void {
  const live = `${path}.live`;
  const sqlite = openSqlite(live);
  migrate(sqlite, noteMigrations);
  const insert = (from: number, to: number) =>
    sqlite.write(() => {
      for (let id = from; id <= to; id++) {
        sqlite.run('INSERT INTO notes VALUES (?, ?)', id, `note ${id} ${'lorem ipsum '.repeat(8)}`);
        sqlite.run('INSERT INTO tags VALUES (?, ?)', id, 'kept');
      }
    });
  insert(1, rows - 10);
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  for (let id = rows - 9; id <= rows; id++) insert(id, id);
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(live + suffix)) copyFileSync(live + suffix, path + suffix);
  sqlite.close();
}

export type Damage = (path: string) => void;

const overwrite = (file: string, offset: number, length: number) => {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, offset, Math.min(bytes.length, offset + length));
  writeFileSync(file, bytes);
};

/** Ways in which disks, copies and other programs were seen to break a database. */
export const damages: Record<string, Damage> = {
  'the header is overwritten': (path) => {
    rmSync(`${path}-wal`);
    overwrite(path, 0, 100);
  },
  'the first page is overwritten': (path) => {
    rmSync(`${path}-wal`);
    overwrite(path, 0, 4096);
  },
  'the header is overwritten, but the log has it': (path) => overwrite(path, 0, 100),
  'an interior page is overwritten': (path) => overwrite(path, 4096 * 7, 4096),
  'many pages are overwritten': (path) => overwrite(path, 4096 * 10, 4096 * 10),
  'half of the file is gone': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'the file is text': (path) => writeFileSync(path, '<<<<<<< HEAD\nmerge conflict\n'.repeat(400)),
  'the file is empty': (path) => writeFileSync(path, ''),
  'the head of the log is overwritten': (path) => overwrite(`${path}-wal`, 0, 32),
  'the middle of the log is overwritten': (path) => overwrite(`${path}-wal`, 32 + 4120 * 2 + 100, 200),
  'the log is cut in the middle of a frame': (path) =>
    truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 1000),
  'the log is noise': (path) => overwrite(`${path}-wal`, 0, 1_000_000),
  'the shared memory is noise': (path) => overwrite(`${path}-shm`, 0, 32_768),
};

export interface Opened {
  notes: number;
  torn: number;
  integrity: string;
  notice: string | undefined;
}

/** Opens it as the product does, writes something, and answers what was found. */
export async function openAgain(path: string): Promise<Opened> {
  const library = openLibrary({ url: path });
  try {
    library.migrate(noteMigrations);
    const sqlite = embeddedOf(library);
    sqlite.write(() => sqlite.run("INSERT INTO notes (text) VALUES ('after')"));
    sqlite.run("DELETE FROM notes WHERE text = 'after'");
    const count = (sql: string) => sqlite.get<{ n: number }>(sql)!.n;
    return {
      notes: count('SELECT count(*) AS n FROM notes'),
      torn: count('SELECT count(*) AS n FROM tags WHERE note NOT IN (SELECT id FROM notes)'),
      integrity: Object.values(sqlite.get('PRAGMA integrity_check') ?? {}).join(),
      notice: library.notice,
    };
  } finally {
    await library.close();
  }
}
