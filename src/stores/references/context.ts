import type { Clock } from '../../base/clock.ts';
import type { Embedder } from '../../base/embedding/index.ts';
import type { Log } from '../../base/log.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import type { VectorSpace } from '../../base/vectors/index.ts';
import type { FetchBudget } from './settings.ts';
import type { Shelf } from './shelf.ts';
import type { Outside } from './sources/outside.ts';

/** The derived index of a shelf: opened when first needed, set aside and made anew when damaged. */
export interface ShelfIndex {
  sqlite: Sqlite;
  chunks: VectorSpace;
  /** What each file is about, by its title, description and headings. */
  files: VectorSpace;
  topics: VectorSpace;
}

/** What every function of this store works on. */
export interface ReferencesContext {
  shelf: Shelf;
  index(): ShelfIndex;
  /** Fast and always there; what it embeds is replaced by the model's vectors when they come. */
  embedder: Embedder;
  /** A question as a vector: by the model where it is loaded, at once otherwise. */
  question(text: string): Promise<Float32Array>;
  /** The model itself; loaded by whoever asks for it. */
  model(): Embedder;
  clock: Clock;
  log: Log;
  outside: Outside;
  budget: FetchBudget;
}
