export { escapeLike, matchAll, matchAny, quoteForPattern } from './match-query.ts';
export { isNestedTooDeep } from './nesting.ts';
export { isForAgents, isProseOrSettings, isTestPath } from './repository-text.ts';
export { subjectKey, subjectOf } from './subject.ts';
export { lastMomentOf, type TimeScope, timeScopeOf, withoutTime } from './time-scope.ts';
export { isStopWord, searchWords, splitWords, stem, termsOf } from './words.ts';
