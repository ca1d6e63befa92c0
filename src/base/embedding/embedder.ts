/** Turns texts into unit vectors. Two embedders with equal fingerprints give vectors that can be compared. */
export interface Embedder {
  /** Model, precision and dimensions; stored beside every vector. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** How exact its vectors are among embedders of one fingerprint: 0 is the static table, 1 the model. */
  readonly tier: number;
  /** One unit vector for each text, in order. */
  embed(texts: string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  /** True while a model is held in memory. */
  loaded(): boolean;
  /** Lets go of the model and its thread; the next call loads it again. */
  release(): Promise<void>;
}

/** Scales in place to length one; a vector of zeros stays as it is. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at]! *= scale;
  return vector;
}

/** Cosine of two unit vectors. */
export function similarity(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!;
  return sum;
}
