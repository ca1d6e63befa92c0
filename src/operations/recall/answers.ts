import { ask } from './ask.ts';
import { cacheStats, clearCache } from './cache.ts';

/** Separate from search, which starts faster without the Guide, trust and links. */
export const operations = [ask, cacheStats, clearCache];
