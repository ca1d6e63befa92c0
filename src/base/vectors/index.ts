// owns: vectors under keys, the nearest-neighbour graph over them and its file
// knows: SQLite and the native library
// must not know: what the vectors stand for
export { openVectorSpace, type VectorSpace, type VectorSpaceState } from './vector-space.ts';
export type { VectorMatch, VectorRow } from './vector-table.ts';
