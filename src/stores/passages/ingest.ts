import { createHash } from 'node:crypto';
import { redact } from '../../base/redact.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { searchWords } from '../../base/text/index.ts';
import type { NewPassage, OwnerRecord } from './passage.ts';
import type { Domain } from './tables.ts';

export const headingSeparator = ' › ';

/** Vectors are kept under this: the same text anywhere is embedded once. */
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
    for (const passage of passages) {
      const { lastInsertRowid: id } = sqlite.run(
        'INSERT INTO passages (owner_id, start_line, end_line, heading, key) VALUES (?, ?, ?, ?, ?)',
        ownerId,
        passage.startLine,
        passage.endLine,
        redact(passage.heading.join(headingSeparator)),
        keyOf(passage.embedded),
      );
      sqlite.run(
        `INSERT INTO words_${owner.domain} (rowid, place, body) VALUES (?, ?, ?)`,
        id,
        wordsOf(passage.place),
        wordsOf(passage.body),
      );
    }
  });
}

export function removeOwner(sqlite: Sqlite, domain: Domain, owner: string): void {
  const found = sqlite.get<{ id: number }>(
    'SELECT id FROM passage_owners WHERE domain = ? AND owner = ?',
    domain,
    owner,
  );
  if (!found) return;
  sqlite.run(
    `DELETE FROM words_${domain} WHERE rowid IN (SELECT id FROM passages WHERE owner_id = ?)`,
    found.id,
  );
  sqlite.run('DELETE FROM passages WHERE owner_id = ?', found.id);
  sqlite.run('DELETE FROM passage_owners WHERE id = ?', found.id);
}

/** Words as they are asked for; identifiers also whole, so that an exact name outweighs its parts. */
const wordsOf = (text: string): string => {
  const clean = redact(text);
  return [...searchWords(clean), ...wholeIdentifiers(clean)].join(' ');
};

const identifier = /[\p{L}_$][\p{L}\p{N}_$]{2,63}/gu;
const compound = /[\p{Ll}\p{N}]\p{Lu}|_[\p{L}\p{N}]/u;

/** `getUserName` and `get_user_name` as one word each, in lower case and without marks. */
export function wholeIdentifiers(text: string): string[] {
  const found: string[] = [];
  for (const [name] of text.matchAll(identifier))
    if (compound.test(name)) found.push(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return found;
}
