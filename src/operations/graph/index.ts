import { askOperations } from './ask.ts';
import { lifetimeOperations } from './lifetime.ts';
import { linkOperations } from './links.ts';
import { reviewOperations } from './review.ts';
import { sourceOperations } from './sources.ts';

export const operations = [
  ...linkOperations,
  ...sourceOperations,
  ...askOperations,
  ...reviewOperations,
  ...lifetimeOperations,
];
