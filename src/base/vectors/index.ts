// owns: vectors under keys, the nearest-neighbour graph over them and its file
// knows: SQLite and the native library
// must not know: what the vectors stand for
export { openVectorShelf, type ShelfEmbedder, type VectorShelf } from './vector-shelf.ts';
export {
  openVectorSpace,
  type VectorMatch,
  type VectorSpace,
  type VectorSpaceState,
} from './vector-space.ts';
export type { VectorRow } from './vector-table.ts';
