import { type Kysely, sql } from 'kysely';
import { matchAll, matchAny, searchWords } from '../text/index.ts';
import type { Statement } from './statement.ts';

/** Full text of authored records, kept in the transaction that writes them. Words are split and stemmed. */
export interface TextIndex {
  put(ref: string, project: string, title: string, body: string): Promise<void>;
  /** `put` for a ref that is not there yet. */
  add(ref: string, project: string, title: string, body: string): Promise<void>;
  remove(ref: string): Promise<void>;
  search(request: { query: string; project?: string | undefined; limit: number }): Promise<TextHit[]>;
}

export interface TextHit {
  ref: string;
  /** Greater is better; comparable within one question. */
  score: number;
}

/** DDL for a store's migration step. */
export const textIndexTables = (name: string): string => `
  CREATE TABLE ${name}_refs (row INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, project TEXT NOT NULL);
  CREATE VIRTUAL TABLE ${name} USING fts5(title, body, tokenize = "unicode61 remove_diacritics 2");
`;

const words = (text: string) => searchWords(text).join(' ');

export function createTextIndex(
  library: { tables<Tables>(): Kysely<Tables>; statement: Statement },
  name: string,
): TextIndex {
  const [text, refs] = [sql.table(name), sql.table(`${name}_refs`)];
  const tables = () => library.tables<never>();
  const rowOf = async (ref: string) =>
    (await library.statement<{ row: number }>(`SELECT row FROM ${name}_refs WHERE ref = ?`, ref))[0]?.row;
  const add: TextIndex['add'] = async (ref, project, title, body) => {
    const [made] = await library.statement<{ row: number }>(
      `INSERT INTO ${name}_refs (ref, project) VALUES (?, ?) RETURNING row`,
      ...[ref, project],
    );
    await library.statement(
      `INSERT INTO ${name} (rowid, title, body) VALUES (?, ?, ?)`,
      ...[made!.row, words(title), words(body)],
    );
  };
  return {
    add,
    put: async (ref, project, title, body) => {
      const old = await rowOf(ref);
      if (old === undefined) {
        await add(ref, project, title, body);
      } else {
        await sql`UPDATE ${refs} SET project = ${project} WHERE row = ${old} AND project <> ${project}`.execute(
          tables(),
        );
        await sql`UPDATE ${text} SET title = ${words(title)}, body = ${words(body)} WHERE rowid = ${old}`.execute(
          tables(),
        );
      }
    },
    remove: async (ref) => {
      const old = await rowOf(ref);
      if (old === undefined) return;
      await sql`DELETE FROM ${text} WHERE rowid = ${old}`.execute(tables());
      await sql`DELETE FROM ${refs} WHERE row = ${old}`.execute(tables());
    },
    search: async ({ query, project, limit }) => {
      const asked = searchWords(query);
      const ask = async (match: string | undefined) =>
        match === undefined
          ? []
          : (
              await sql<TextHit>`
                SELECT r.ref AS ref, -bm25(${text}, 4.0, 1.0) AS score FROM ${text} t JOIN ${refs} r ON r.row = t.rowid
                WHERE ${text} MATCH ${match} AND (${project ?? null} IS NULL OR r.project = ${project ?? null})
                ORDER BY score DESC, r.ref LIMIT ${limit}`.execute(tables())
            ).rows;
      const strict = await ask(matchAll(asked));
      return strict.length > 0 ? strict : ask(matchAny(asked));
    },
  };
}
