import { entryOperations } from './entries.ts';
import { preferenceOperations } from './preferences.ts';
import { recollectionOperations } from './recollections.ts';
import { searchOperations } from './search-history.ts';
import { sharingOperations } from './sharing.ts';
import { teamOperations } from './team.ts';
import { techniqueOperations } from './techniques.ts';
import { verifyOperations } from './verify.ts';

export const operations = [
  ...entryOperations,
  ...searchOperations,
  ...recollectionOperations,
  ...techniqueOperations,
  ...preferenceOperations,
  ...sharingOperations,
  ...teamOperations,
  ...verifyOperations,
];
