import { browsing } from './browse.ts';
import { loading } from './load.ts';
import { trusting } from './trust.ts';

export const operations = [...browsing, ...loading, ...trusting];
