import type { StaticEmbedder } from '../../../base/embedding/index.ts';
import { product } from '../../../base/files/index.ts';
import { once } from '../../../base/once.ts';
import { buckets, messageFeatures } from './message-features.ts';
import type { LaneScore } from './rules.ts';

/** Everything that can be known of a message. Vectors are left out where there are none. */
export interface MessageInput {
  text: string;
  /** What the rules say. */
  ruled: LaneScore[];
  /** From the static table: what it is about, and how it is put. */
  quick?: Float32Array | undefined;
  /** From the embedding model. */
  model?: Float32Array | undefined;
}

/** Which vectors there were: how sure a probability is depends on it. */
export const forms = ['words', 'quick', 'model'] as const;
export type Form = (typeof forms)[number];
export function formOf({ quick, model }: Pick<MessageInput, 'quick' | 'model'>): Form {
  if (model) return 'model';
  return quick ? 'quick' : 'words';
}

/** Rows of the table of weights, by what they belong to; a column is a lane. */
const vector = 384;
export const blocksFor = (lanes: number) => ({
  words: { from: 0, rows: buckets },
  quick: { from: buckets, rows: 2 * vector },
  model: { from: buckets + 2 * vector, rows: vector },
  rules: { from: buckets + 3 * vector, rows: lanes },
  bias: { from: buckets + 3 * vector + lanes, rows: 1 },
});
export type Block = keyof ReturnType<typeof blocksFor>;

/** Brings the parts of a message to comparable sizes. Chosen on the development messages. */
export const partScale: Record<Exclude<Block, 'words' | 'bias'>, number> = {
  quick: 2,
  model: 3,
  rules: 0.125,
};

export interface LearnedHeader {
  lanes: string[];
  /** What one step of a weight is worth, for each block. */
  scales: Record<Block, number>;
  /** Divides the sums before they become probabilities, so that 0.8 means right eight times of ten. */
  temperatures: Record<Form, number>;
  /** The digest of the messages that it was trained on. */
  trained_on: string;
}

export type Learned = ReturnType<typeof openLearned>;

/** `learned.bin`: the length of the header, the header in JSON, and a table of weights of one byte each. */
export function openLearned(bytes: Uint8Array) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as LearnedHeader;
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset + 4 + length);
  const { lanes, scales, temperatures } = header;
  const blocks = blocksFor(lanes.length);
  const width = lanes.length;
  const sums = (input: MessageInput): Float64Array => {
    const total = new Float64Array(width);
    const add = (row: number, worth: number) => {
      const start = row * width;
      for (let lane = 0; lane < width; lane++) total[lane]! += worth * weights[start + lane]!;
    };
    add(blocks.bias.from, scales.bias);
    const { at, value } = messageFeatures(input.text);
    for (let place = 0; place < at.length; place++) add(at[place]!, value[place]! * scales.words);
    for (const block of ['quick', 'model'] as const) {
      const vector = input[block];
      if (!vector) continue;
      const worth = partScale[block] * scales[block];
      for (let row = 0; row < vector.length; row++) add(blocks[block].from + row, vector[row]! * worth);
    }
    for (const { lane, score } of input.ruled)
      add(blocks.rules.from + lanes.indexOf(lane), score * partScale.rules * scales.rules);
    return total;
  };
  /** How probable each lane is; a bonus is added to its sum. */
  const probabilities = (
    input: MessageInput,
    bonus: Map<string, number> = new Map(),
  ): Map<string, number> => {
    const temperature = temperatures[formOf(input)];
    const total = sums(input).map((sum, at) => sum / temperature + (bonus.get(lanes[at] ?? '') ?? 0));
    const most = Math.max(...total);
    const raised = total.map((sum) => Math.exp(sum - most));
    const all = raised.reduce((sum, value) => sum + value, 0);
    return new Map(lanes.map((lane, at) => [lane, (raised[at] ?? 0) / all]));
  };
  return { header, probabilities };
}

/** The two static vectors of a text, one after the other. */
export async function quickVectors(embedder: StaticEmbedder, texts: string[]): Promise<Float32Array[]> {
  const [about, put] = [await embedder.embed(texts), await embedder.wording(texts)];
  return about.map((vector, at) => Float32Array.from([...vector, ...(put[at] ?? [])]));
}

/** The weights of the package, read at the first message. */
export const learned = once(() => openLearned(product.read(new URL('./learned.bin', import.meta.url))));
