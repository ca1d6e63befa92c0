import { randomBytes } from 'node:crypto';
import { SylkError } from '../errors.ts';
import { isDamaged, openSqlite, type Sqlite } from '../sqlite/index.ts';

/** Where the id of the library that belongs to a place is kept, outside of the library. */
export interface IdentityRegister {
  libraryId(): string | undefined;
  registerLibrary(id: string): void;
}

/** The random id that a library has, as a mark. */
export function readIdentity(sqlite: Sqlite): string | undefined {
  if (!sqlite.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_marks'")) return undefined;
  return sqlite.value<string>("SELECT value FROM _marks WHERE space = 'library' AND name = 'id'");
}

/** A copy that takes the place of a library takes over its id. */
export function writeIdentity(sqlite: Sqlite, id: string): void {
  sqlite.run(
    `INSERT INTO _marks (space, name, value) VALUES ('library', 'id', ?)
     ON CONFLICT (space, name) DO UPDATE SET value = excluded.value`,
    id,
  );
}

/** Throws where another library than the registered one is at the place; `isNew`: one without an id is ours all the same. */
export function requireRegistered(sqlite: Sqlite, { libraryId }: IdentityRegister, isNew: boolean): void {
  const registered = libraryId();
  const found = readIdentity(sqlite);
  const isOurs = registered === undefined || found === registered || (found === undefined && isNew);
  if (!isOurs) throw notOurs(sqlite.path);
}

/** Gives a library its id, and registers the first one. */
export function identify(sqlite: Sqlite, register: IdentityRegister): void {
  const registered = register.libraryId();
  if (registered === undefined)
    register.registerLibrary(
      readIdentity(sqlite) ?? sqlite.write(() => readIdentity(sqlite) ?? giveNew(sqlite)),
    );
  else if (readIdentity(sqlite) === undefined) writeIdentity(sqlite, registered);
}

function giveNew(sqlite: Sqlite): string {
  const id = randomBytes(16).toString('hex');
  writeIdentity(sqlite, id);
  return id;
}

/** For a file that was put in the place of one in use. */
export function requireSameLibrary(path: string, { libraryId }: IdentityRegister): void {
  const registered = libraryId();
  if (registered === undefined) return;
  const there = openSqlite(path, { readOnly: true });
  try {
    if (readIdentity(there) !== registered) throw notOurs(path);
  } catch (error) {
    // Whoever follows a file verifies it afterwards, and says what is damaged.
    if (!isDamaged(error)) throw error;
  } finally {
    there.close();
  }
}

const notOurs = (path: string): SylkError =>
  new SylkError(
    'DENIED',
    `${path} is not the library of this repository: another file was put in its place.`,
    {
      hint: `It is not used. Move it away and run the command again: \`sylk library restore --list\` then shows your backups, and \`sylk library restore FILE\` takes a file over after a review.`,
    },
  );
