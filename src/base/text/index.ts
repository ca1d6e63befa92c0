export { escapeLike, matchAll, matchAny } from './match-query.ts';
export { subjectKey, subjectOf } from './subject.ts';
export { type TimeScope, timeScopeOf, withoutTime } from './time-scope.ts';
export { isStopWord, searchWords, splitWords, stem } from './words.ts';
