import type { Clock } from '../../base/clock.ts';
import type { Embedder } from '../../base/embedding/index.ts';
import type { Log } from '../../base/log.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import type { VectorSpace } from '../../base/vectors/index.ts';
import type { FetchBudget } from './settings.ts';
import type { Shelf } from './shelf.ts';
import type { Outside } from './sources/outside.ts';

/** The derived index of a shelf: opened on first use, quarantined and rebuilt when damaged. */
export interface ShelfIndex {
  sqlite: Sqlite;
  chunks: VectorSpace;
  /** The subject of each file, from its title, description and headings. */
  files: VectorSpace;
  topics: VectorSpace;
}

/** Shared by all functions of this store. */
export interface ReferencesContext {
  shelf: Shelf;
  index(): ShelfIndex;
  /** Fast and always available; its vectors are replaced by the model's later. */
  embedder: Embedder;
  /** Embeds a question: with the model if loaded, otherwise at once with the static one. */
  question(text: string): Promise<Float32Array>;
  /** The model; loaded on first use. */
  model(): Embedder;
  clock: Clock;
  log: Log;
  outside: Outside;
  budget: FetchBudget;
}
