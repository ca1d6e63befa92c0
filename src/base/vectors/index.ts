// owns: vectors under keys, the nearest-neighbour graph over them and its file
// knows: SQLite and the native library
// must not know: what the vectors stand for
export { openVectorSpace, type VectorSpace } from './vector-space.ts';
