// owns: passages of every domain — their places and words — and which of them wait for a vector
// knows: base
// must not know: what a domain is, where texts come from, how vectors are made
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import { keyOf, removeOwner, replaceOwner } from './ingest.ts';
import {
  countsOf,
  embeddingOrder,
  hashOf,
  keysUnder,
  ownersOf,
  passagesById,
  passagesByKey,
  passagesOfOwner,
  searchPassages,
  type WordsRequest,
} from './query.ts';
import { type Domain, domains, type NewPassage, type OwnerRecord, passagesSchema, words } from './tables.ts';

export type { NewPassage, OwnerRecord, Passage } from './tables.ts';
export { type Domain, domains, keyOf };

export type Passages = ReturnType<typeof openPassages>;

export function openPassages(index: () => Sqlite) {
  let prepared: Sqlite | undefined;
  const sqlite = (): Sqlite => {
    const current = index();
    if (current !== prepared) {
      ensureDerived(current, passagesSchema);
      prepared = current;
    }
    return current;
  };
  return {
    sqlite,
    replace: (owner: OwnerRecord, passages: NewPassage[]) => replaceOwner(sqlite(), owner, passages),
    remove: (domain: Domain, owners: string[]) =>
      sqlite().write(() => {
        for (const owner of owners) removeOwner(sqlite(), domain, owner);
      }),
    /** Removes unused words from the text index. */
    settle: (domain: Domain) => words[domain].settle(sqlite()),
    /** Many changes in one transaction. */
    batch: (work: () => void) => sqlite().write(work),
    /** The generation that a source's passages match, as defined by the source. */
    generation: (source: string): string | undefined =>
      sqlite().get<{ generation: string }>('SELECT generation FROM passage_sources WHERE name = ?', source)
        ?.generation,
    setGeneration: (source: string, generation: string) =>
      sqlite().write(() =>
        sqlite().run('INSERT OR REPLACE INTO passage_sources VALUES (?, ?)', source, generation),
      ),
    owners: (domain: Domain) => ownersOf(sqlite(), domain),
    /** The content that the passages of one owner were made from. */
    hashOf: (domain: Domain, owner: string) => hashOf(sqlite(), domain, owner),
    counts: (domain: Domain) => countsOf(sqlite(), domain),
    frequencies: (domain: Domain, terms: string[]) => words[domain].frequencies(sqlite(), terms),
    wordsOfLength: (domain: Domain, shortest: number, longest: number) =>
      words[domain].ofLength(sqlite(), shortest, longest),
    size: (domain: Domain) => words[domain].size(sqlite()),
    search: (request: WordsRequest) => searchPassages(sqlite(), request),
    keysUnder: (domain: Domain, path: string) => keysUnder(sqlite(), domain, path),
    byKey: (domain: Domain, keys: string[]) => passagesByKey(sqlite(), domain, keys),
    ofOwner: (domain: Domain, owner: string) => passagesOfOwner(sqlite(), domain, owner),
    byId: (ids: number[]) => passagesById(sqlite(), ids),
    embeddingOrder: () => embeddingOrder(sqlite()),
  };
}
