import type { Selectable } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { parseJsonObject, parseJsonTexts } from '../../base/json.ts';
import type { Library } from '../../base/library/index.ts';
import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { createDocumentIndex } from '../../base/search/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { searchWords } from '../../base/text/index.ts';
import type { Entry } from './entry.ts';
import type { ChronicleTables } from './tables.ts';

export type EntryRow = Selectable<ChronicleTables['entries']>;

export function entryOf(row: EntryRow): Entry {
  const { seq, digest, subject, promoted_at, use_sessions, archived, expires_at, ...entry } = row;
  return {
    ...entry,
    tags: parseJsonTexts(row.tags),
    refs: parseJsonTexts(row.refs),
    derived_from: parseJsonTexts(row.derived_from),
    metadata: parseJsonObject(row.metadata),
    promoted: row.promoted === 1,
    needs_review: row.needs_review === 1,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The word index of entries, by ref. */
export const createEntryWords = (library: Library, index: (() => Sqlite) | undefined) =>
  createDocumentIndex({
    name: 'entry_words',
    library,
    index,
    weights: { title: 2, content: 1, tags: 1 },
    owns: (ref) => isRefOf(ref, 'entry'),
    read: async (refs) => {
      const rows = await library
        .tables<ChronicleTables>()
        .selectFrom('entries')
        .select(['id', 'session_id', 'title', 'content', 'tags'])
        .where('id', 'in', refs.map(idOf))
        .execute();
      return rows.map(({ id, session_id, title, content, tags }) => ({
        ref: refOf('entry', id),
        scope: session_id,
        fields: [
          // A title that repeats the start of the text adds nothing.
          content.startsWith(title) ? [] : searchWords(title),
          searchWords(content),
          searchWords(parseJsonTexts(tags).join(' ')),
        ],
      }));
    },
  });
