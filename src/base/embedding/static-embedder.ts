import { product } from '../files/index.ts';
import { type Embedder, normalise } from './embedder.ts';
import { fromHalf } from './half-floats.ts';
import { findWeights, miniLmFingerprint, openTensors, readVocabulary, type TensorFile } from './weights.ts';
import { createWordPiece, type WordPiece } from './word-piece.ts';

const table = 'embeddings.word_embeddings.weight';
const dimensions = 384;
const cachedRows = 8192;
/** A sum costs little, so it reads further than the model does. */
const wordsRead = 256;
/** Where the vocabulary's words begin to be sorted by how common they are. */
const firstCommonWord = 1996;

export interface StaticEmbedder extends Embedder {
  /**
   * How a text is put rather than what it is about: the sum of its words with small words counting in full. In no space
   * but its own.
   */
  wording(texts: string[]): Promise<Float32Array[]>;
}

/**
 * Vectors without running the model: each word's entry of the model's own table, rare words weighing more, their sum
 * carried into the model's space by a matrix that was fitted once. They can be compared with the model's vectors,
 * less exactly, and cost about a hundredth.
 */
export function createStaticEmbedder(options: { weights?: string } = {}): StaticEmbedder {
  let opened: StaticTable | undefined;
  const release = async () => {
    opened?.tensors.close();
    opened = undefined;
  };
  return {
    fingerprint: miniLmFingerprint,
    dimensions,
    tier: 0,
    loaded: () => opened !== undefined,
    release,
    embed: async (texts) => {
      opened ??= openTable(options.weights);
      return texts.map((text) => embedText(text, opened!));
    },
    wording: async (texts) => {
      opened ??= openTable(options.weights);
      const { tokenizer, tensors, rows } = opened;
      return texts.map((text) =>
        weightedSum(tokenizer.pieces(text, wordsRead), (id) => rowOf(id, tensors, rows), evenly),
      );
    },
  };
}

interface StaticTable {
  tensors: TensorFile;
  tokenizer: WordPiece;
  rows: Map<number, Float32Array>;
  map: StaticMap;
}

function openTable(weights: string | undefined): StaticTable {
  const files = findWeights(weights);
  const tokenizer = createWordPiece(readVocabulary(files.tokenizer));
  return { tensors: openTensors(files.weights), tokenizer, rows: new Map(), map: readMap() };
}

export interface StaticMap {
  /** Row-major, one row for each dimension of the sum. */
  matrix: Float32Array;
  offset: Float32Array;
}

/** `static-map.bin`: half floats, the offset of 384 values and then the matrix of 384 × 384. */
function readMap(): StaticMap {
  const bytes = product.read(new URL('./static-map.bin', import.meta.url));
  const values = fromHalf(new Uint16Array(new Uint8Array(bytes).buffer));
  return { offset: values.slice(0, dimensions), matrix: values.slice(dimensions) };
}

function embedText(text: string, { tokenizer, tensors, rows, map }: StaticTable): Float32Array {
  const sum = weightedSum(tokenizer.pieces(text, wordsRead), (id) => rowOf(id, tensors, rows));
  const mapped = Float32Array.from(map.offset);
  for (let row = 0; row < dimensions; row++) {
    const value = sum[row]!;
    if (value === 0) continue;
    const start = row * dimensions;
    for (let column = 0; column < dimensions; column++)
      mapped[column]! += value * map.matrix[start + column]!;
  }
  return normalise(mapped);
}

/** The unit sum of a text's word vectors; common words count little unless it is said otherwise. */
export function weightedSum(
  ids: number[],
  row: (id: number) => Float32Array,
  weightOf: (id: number) => number = rarity,
): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const id of ids) {
    const weight = weightOf(id);
    const values = row(id);
    for (let at = 0; at < dimensions; at++) sum[at]! += weight * values[at]!;
  }
  return normalise(sum);
}

/** Words are sorted by frequency, so a word's place says how common it is (Zipf). Punctuation weighs least. */
function rarity(id: number): number {
  if (id < firstCommonWord) return 0.02;
  const share = 1 / ((id - firstCommonWord + 2) * 10);
  return 0.001 / (0.001 + share);
}

/** Words alike, punctuation and single letters less. */
const evenly = (id: number): number => (id < firstCommonWord ? 0.3 : 1);

function rowOf(id: number, tensors: TensorFile, rows: Map<number, Float32Array>): Float32Array {
  let row = rows.get(id);
  if (!row) {
    if (rows.size >= cachedRows) rows.clear();
    row = normalise(tensors.rows(table, id, 1));
    rows.set(id, row);
  }
  return row;
}
