import { searchEverywhere, smart } from './everywhere.ts';
import { search } from './search.ts';
import { explainRanking, similar, similarSymbols } from './similar.ts';

export const operations = [search, searchEverywhere, smart, similar, similarSymbols, explainRanking];
