export { escapeLike, matchAll, matchAny } from './match-query.ts';
export { isNestedTooDeep } from './nesting.ts';
export { quoteForPattern } from './quote-pattern.ts';
export { isForAgents, isProseOrSettings } from './repository-text.ts';
export { subjectKey, subjectOf } from './subject.ts';
export { isTestPath } from './test-path.ts';
export { type TimeScope, timeScopeOf, withoutTime } from './time-scope.ts';
export { isStopWord, searchWords, splitWords, stem, termsOf } from './words.ts';
