import { ask } from './ask.ts';
import { cacheStats, clearCache } from './cache.ts';
import { searchEverywhere, smart } from './everywhere.ts';
import { search } from './search.ts';
import { explainRanking, similar, similarSymbols } from './similar.ts';

export const operations = [
  ask,
  search,
  searchEverywhere,
  smart,
  similar,
  similarSymbols,
  explainRanking,
  cacheStats,
  clearCache,
];
