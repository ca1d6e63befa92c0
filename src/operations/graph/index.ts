import type { AnyOperation } from '../operation.ts';
import { acrossOperations } from './across.ts';
import { askOperations } from './ask.ts';
import { lifetimeOperations } from './lifetime.ts';
import { linkOperations } from './links.ts';
import { reviewOperations } from './review.ts';
import { sourceOperations } from './sources.ts';

export const operations: AnyOperation[] = [
  ...linkOperations,
  ...sourceOperations,
  ...acrossOperations,
  ...askOperations,
  ...reviewOperations,
  ...lifetimeOperations,
];
