// owns: the question — what kind it is, what counts for it, what answers it — over every registered source
// knows: passages, vectors, the history of files, the other stores as sources, indexing
// must not know: surfaces, operations, engines above it
export { isAside } from './asked-for.ts';
export { readWorktreeFile } from './code-source.ts';
export { heldTree, nearestOnly, nothingHere } from './nearest.ts';
export { type OpenedRecall, openRecall } from './open.ts';
export { type RecallQuery, readQuery } from './query.ts';
export { searchAll } from './search-all.ts';
export { similarTo } from './similar.ts';
export { hintFor, type SmartReply, smartSearch } from './smart-search.ts';
export type { Card } from './source.ts';
export { relevanceOfPassage } from './store-sources.ts';
export { suggestTouches } from './touches.ts';
export {
  hierarchy,
  isGround,
  kindOfFile,
  type SourceKind,
  type TrustLevel,
  trustOf,
  type Verified,
} from './trust.ts';
export { formsOf } from './word-shares.ts';
