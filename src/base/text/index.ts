export { escapeLike, matchAll, matchAny } from './match-query.ts';
export { isStopWord, searchWords, splitWords, stem } from './words.ts';
