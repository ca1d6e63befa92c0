import type { Library } from '../library/index.ts';
import { ensureDerived, openSqlite, type Sqlite } from '../sqlite/index.ts';
import { createWordIndex } from './word-index.ts';

/** A text of the library as search sees it. */
export interface LibraryDocument {
  ref: string;
  /** What it belongs to, for questions about one part of a library. */
  scope: string;
  /** Words of each field, in the order of the weights. */
  fields: string[][];
}

export interface DocumentIndexOptions {
  /** Of the tables. */
  name: string;
  library: Library;
  /** Where the documents are indexed; in memory without one. */
  index?: (() => Sqlite) | undefined;
  weights: Record<string, number>;
  /** Whether a change of the library concerns this index. */
  owns(ref: string): boolean;
  /** The documents behind these refs, and others that follow from them. A ref without a document is dropped. */
  read(refs: string[]): Promise<LibraryDocument[]>;
}

export interface RankedRef {
  ref: string;
  score: number;
}

export type DocumentIndex = ReturnType<typeof createDocumentIndex>;

/** Words of a library's texts, in the local index. Every question first takes in what changed in the library. */
export function createDocumentIndex({ name, library, weights, owns, read, ...rest }: DocumentIndexOptions) {
  const [documents, position] = [`${name}_documents`, `${name}_position`];
  const words = createWordIndex(name, weights);
  const schema = {
    store: name,
    version: 1,
    tables: [...words.tables, documents, position],
    create: `${words.create}
      CREATE TABLE ${documents} (id INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, scope TEXT NOT NULL);
      CREATE INDEX ${documents}_by_scope ON ${documents} (scope);
      CREATE TABLE ${position} (value TEXT);
      INSERT INTO ${position} VALUES (NULL);`,
  };
  let memory: Sqlite | undefined;
  const open = (): Sqlite => {
    memory ??= rest.index ? undefined : openSqlite(':memory:');
    const sqlite = rest.index?.() ?? (memory as Sqlite);
    ensureDerived(sqlite, schema);
    return sqlite;
  };
  const positionOf = (sqlite: Sqlite) =>
    sqlite.value<string | null>(`SELECT value FROM ${position}`) ?? undefined;
  const among = '(SELECT value FROM json_each(?))';
  const remove = (sqlite: Sqlite, where: string, ...values: string[]): void => {
    const rows = sqlite.all<{ id: number }>(`SELECT id FROM ${documents} WHERE ${where}`, ...values);
    const ids = rows.map(({ id }) => id);
    words.remove(sqlite, ids);
    sqlite.run(`DELETE FROM ${documents} WHERE id IN ${among}`, JSON.stringify(ids));
  };

  /** One step; answers whether there is more to take in. */
  const step = async (): Promise<boolean> => {
    const sqlite = open();
    const before = positionOf(sqlite);
    const changes = await library.changesSince(before);
    if (changes.position === before) return false;
    const refs = changes.refs.filter(owns);
    const present = refs.length > 0 ? await read(refs) : [];
    return sqlite.write(() => {
      // Another process took the same step.
      if (positionOf(sqlite) !== before) return true;
      if (changes.restart) remove(sqlite, 'true');
      else remove(sqlite, `ref IN ${among}`, JSON.stringify([...refs, ...present.map(({ ref }) => ref)]));
      words.add(
        sqlite,
        present.map(({ ref, scope, fields }) => {
          const { lastInsertRowid } = sqlite.run(
            `INSERT INTO ${documents} (ref, scope) VALUES (?, ?)`,
            ref,
            scope,
          );
          return { id: Number(lastInsertRowid), fields };
        }),
      );
      sqlite.run(`UPDATE ${position} SET value = ?`, changes.position);
      return changes.more;
    });
  };
  let running: Promise<void> = Promise.resolve();
  const catchUp = async (): Promise<void> => {
    // What a transaction wrote is not the library's yet.
    if (library.inWrite()) return;
    const next = running
      .catch(() => undefined)
      .then(async () => {
        while (await step());
      });
    running = next;
    await next;
  };
  const refsOf = (sqlite: Sqlite, ids: Iterable<number>): Map<number, string> =>
    new Map(
      sqlite
        .all<{ id: number; ref: string }>(
          `SELECT id, ref FROM ${documents} WHERE id IN ${among}`,
          JSON.stringify([...ids]),
        )
        .map(({ id, ref }) => [id, ref]),
    );

  return {
    /** Those that have every word, or any where none has every one; best first. */
    rank: async (request: {
      terms: string[];
      limit: number;
      scope?: string | undefined;
    }): Promise<RankedRef[]> => {
      await catchUp();
      const sqlite = open();
      const accept =
        request.scope === undefined
          ? undefined
          : new Set(sqlite.column<number>(`SELECT id FROM ${documents} WHERE scope = ?`, request.scope));
      const terms = [...new Set(request.terms)];
      const ask = (every: boolean) => words.rank(sqlite, { terms, limit: request.limit, accept, every });
      const strict = ask(true);
      const ranked = strict.length > 0 ? strict : ask(false);
      const refs = refsOf(
        sqlite,
        ranked.map(({ id }) => id),
      );
      return ranked.map(({ id, score }) => ({ ref: refs.get(id) ?? '', score }));
    },
    /**
     * How well each of these documents matches, as a share of what a full match would give, 0 … 1. Statistics are
     * those of these documents alone: what nobody may see here moves no score.
     */
    sharesWithin: async (terms: string[], refs: string[]): Promise<Map<string, number>> => {
      await catchUp();
      const sqlite = open();
      const byId = new Map(
        sqlite
          .all<{ id: number; ref: string }>(
            `SELECT id, ref FROM ${documents} WHERE ref IN ${among}`,
            JSON.stringify(refs),
          )
          .map(({ id, ref }) => [id, ref]),
      );
      const shares = words.sharesWithin(sqlite, [...new Set(terms)], new Set(byId.keys()));
      return new Map([...shares].map(([id, share]) => [byId.get(id) ?? '', share]));
    },
    /** Takes in what was forgotten, and leaves nothing of it in the file. */
    erase: async (): Promise<void> => {
      const sqlite = open();
      sqlite.exec('PRAGMA secure_delete = ON');
      await catchUp();
      words.settle(sqlite);
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
