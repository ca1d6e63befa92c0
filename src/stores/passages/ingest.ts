import { createHash } from 'node:crypto';
import { redact } from '../../base/redact.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { termsOf } from '../../base/text/index.ts';
import { type Domain, type NewPassage, type OwnerRecord, words } from './tables.ts';

export const headingSeparator = ' › ';

/** Vectors are stored under this: equal texts are embedded once. */
export const keyOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

export function replaceOwner(sqlite: Sqlite, owner: OwnerRecord, passages: NewPassage[]): void {
  sqlite.write(() => {
    removeOwner(sqlite, owner.domain, owner.owner);
    const { lastInsertRowid: ownerId } = sqlite.run(
      'INSERT INTO passage_owners (domain, owner, title, hash, priority, updated) VALUES (?, ?, ?, ?, ?, ?)',
      owner.domain,
      owner.owner,
      redact(owner.title ?? owner.owner),
      owner.hash,
      owner.priority ?? 0,
      owner.updated ?? 0,
    );
    const documents = passages.map((passage) => {
      const { lastInsertRowid: id } = sqlite.run(
        'INSERT INTO passages (owner_id, start_line, end_line, heading, key) VALUES (?, ?, ?, ?, ?)',
        ownerId,
        passage.startLine,
        passage.endLine,
        redact(passage.heading.join(headingSeparator)),
        keyOf(passage.embedded),
      );
      return {
        id: Number(id),
        fields: [termsOf(redact(passage.place)), termsOf(redact(passage.body))],
      };
    });
    words[owner.domain].add(sqlite, documents);
  });
}

export function removeOwner(sqlite: Sqlite, domain: Domain, owner: string): void {
  const found = sqlite.get<{ id: number }>(
    'SELECT id FROM passage_owners WHERE domain = ? AND owner = ?',
    domain,
    owner,
  );
  if (!found) return;
  const ids = sqlite.all<{ id: number }>('SELECT id FROM passages WHERE owner_id = ?', found.id);
  words[domain].remove(
    sqlite,
    ids.map(({ id }) => id),
  );
  sqlite.run('DELETE FROM passages WHERE owner_id = ?', found.id);
  sqlite.run('DELETE FROM passage_owners WHERE id = ?', found.id);
}
