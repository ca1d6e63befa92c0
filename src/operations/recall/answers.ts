import { ask } from './ask.ts';
import { cacheStats, clearCache } from './cache.ts';

/** Apart from searching, which does without the Guide, trust and links, and starts faster for it. */
export const operations = [ask, cacheStats, clearCache];
