import { searchEverywhere, smart } from './everywhere.ts';
import { search } from './search.ts';
import { explainRanking, similar } from './similar.ts';

export const operations = [search, searchEverywhere, smart, similar, explainRanking];
