// owns: the question — what kind it is, what counts for it, what answers it — over every registered source
// knows: passages, vectors, the history of files; other stores through the sources that app registers
// must not know: surfaces, operations, other engines
export {
  type CacheQuestion,
  createIntentCaches,
  type IntentCaches,
  type World,
} from './intent-cache/index.ts';
export { type OpenedRecall, openRecall } from './open.ts';
export { searchAll } from './search-all.ts';
export { similarTo } from './similar.ts';
export { hintFor, smartSearch } from './smart-search.ts';
export type { OwnCard, RecallSource } from './source.ts';
