// owns: what agents did, decided and learned, and the memory techniques. knows: base. must not know: sessions' states, code, git.
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { TextVectors } from '../../base/search/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { createConflicts } from './conflicts.ts';
import { activityMark, raiseVisibility, visibilityVersion } from './context.ts';
import type { NewEntry } from './entry.ts';
import { type ForgetRequest, forget } from './forget.ts';
import { storeEntry } from './ingest.ts';
import { createMistakes } from './mistakes.ts';
import { createPreferences } from './preferences.ts';
import { createPromotion, type PromotionPolicy } from './promotion.ts';
import { type EntryFilter, findEntries, findPatterns, getEntry, type Viewer } from './query.ts';
import { createEntryWords } from './rows.ts';
import { createCheckpoints, createFileLog, createScratchpad } from './session-notes.ts';
import { type OfferedEntry, putShared, readShared, type SharedEntry, takeShared } from './shared.ts';
import { type CheckResult, createStanding, mark } from './standing.ts';
import { type ChronicleTables, chronicleMigrations } from './tables.ts';

export {
  type Author,
  authorSchema,
  type Category,
  categories,
  categoryOfSummary,
  commonCategories,
  doubtAbout,
  type Entry,
  entrySchema,
  type NewEntry,
  type Submission,
  summaryTypes,
  textOfEntry,
} from './entry.ts';
export { extractFacts, extractRefs } from './facts.ts';
export { mistakeSchema, type NewMistake } from './mistakes.ts';
export type { Preferences } from './preferences.ts';
export { type PreferenceProposal, proposalSchema } from './proposals.ts';
export type { FoundEntry, Viewer } from './query.ts';
export { type Checkpoint, checkpointBodySchema, checkpointStatuses, noteSchema } from './session-notes.ts';
export {
  contentHash,
  type OfferedEntry,
  type SharedEntry,
  sharedEntrySchema,
  type TakenEntry,
} from './shared.ts';

export function openChronicle({
  library,
  clock,
  promotion,
  meaning,
  index,
}: {
  library: Library;
  clock: Clock;
  promotion: PromotionPolicy;
  meaning?: TextVectors;
  /** Where the words of entries are indexed; in memory when omitted. */
  index?: (() => Sqlite) | undefined;
}) {
  library.migrate(chronicleMigrations);
  const words = createEntryWords(library, index);
  const context = { library, db: library.tables<ChronicleTables>(), clock, meaning, words };
  return {
    store: (entry: NewEntry) => storeEntry(context, entry),
    get: (viewer: Viewer, id: string) => getEntry(context, viewer, id),
    find: (viewer: Viewer, filter: EntryFilter) => findEntries(context, viewer, filter),
    findPatterns: (viewer: Viewer, request: Parameters<typeof findPatterns>[2]) =>
      findPatterns(context, viewer, request),
    promotion: createPromotion(context, promotion),
    conflicts: createConflicts(context),
    mark: (id: string, result: CheckResult) => mark(context, id, result),
    standing: createStanding(context),
    forget: (request: ForgetRequest) => forget(context, request),
    /** Entries that everybody sees, as they travel between a laptop and its team. */
    shared: {
      read: (ids: string[]) => readShared(context, ids),
      put: (entries: SharedEntry[]) => putShared(context, entries),
      take: (offers: OfferedEntry[], by: string) => takeShared(context, offers, by),
    },
    scratchpad: createScratchpad(context),
    mistakes: createMistakes(context),
    preferences: createPreferences(context),
    checkpoints: createCheckpoints(context),
    files: createFileLog(context),
    /** Invalidates all caches after entries were imported as rows. */
    reindex: () => raiseVisibility(context.db),
    /** Changes whenever what a session, or anyone, can see changes. */
    visibilityVersion: (session?: string) => visibilityVersion(context.db, session),
    /** Changes with anything else that a session, or any session, records. */
    activityMark: (session?: string) => activityMark(context.db, session),
  };
}

export type Chronicle = ReturnType<typeof openChronicle>;
