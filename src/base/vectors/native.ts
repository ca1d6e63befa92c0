import { createRequire } from 'node:module';
import { once } from '../once.ts';

type Usearch = typeof import('usearch');

/** The native library, or undefined where it does not load (an unknown platform): then vectors are compared one by one. */
export const loadUsearch = once((): Usearch | undefined => {
  try {
    return createRequire(import.meta.url)('usearch') as Usearch;
  } catch {
    return undefined;
  }
});
