/**
 * Owns every use of node:fs: three doors, one for each kind of place, and what ships with the product.
 * Knows: errors.
 * Must not know: what the files mean.
 */

export type { Dirent } from 'node:fs';
export { isWithin, resolveInside } from './inside.ts';
export * as person from './person.ts';
export * as product from './product.ts';
export { type Entry, isRefusedFile, type ReadOptions, readSmallFile } from './regular.ts';
export { onSkippedFile } from './skipped.ts';
export * as state from './state.ts';
export * as system from './system.ts';
export * as tree from './tree.ts';
export { isLeftAside } from './write-aside.ts';
