import {
  type Block,
  blocksFor,
  type Form,
  type LearnedHeader,
  partScale,
} from '../../src/engines/answers/reader/learned.ts';
import { type MessageFeatures, messageFeatures } from '../../src/engines/answers/reader/message-features.ts';
import type { LaneScore } from '../../src/engines/answers/reader/rules.ts';
import { randomNumbers, shuffled } from '../random.ts';

export interface TrainingMessage {
  text: string;
  lane: number;
  ruled: LaneScore[];
  quick: Float32Array;
  model: Float32Array;
}

/** How often a message is shown with which vectors, so that one table serves with and without them. */
const shown: Array<[Form, number]> = [
  ['model', 0.5],
  ['quick', 0.85],
  ['words', 1],
];
/** `doubt` is the share of certainty that is spread over all lanes: labels have borders. */
const settings = { epochs: 10, averagedFrom: 4, rate: 0.3, decay: 1e-4, batch: 16, seed: 7, doubt: 0.05 };

/**
 * Weights of a multinomial logistic regression by AdaGrad, averaged over the later rounds: a row for each feature, a column
 * for each lane.
 */
export function trainWeights(messages: TrainingMessage[], lanes: string[]): Float32Array {
  const width = lanes.length;
  const blocks = blocksFor(width);
  const rows = blocks.bias.from + 1;
  const weights = new Float32Array(rows * width);
  const squares = new Float32Array(rows * width).fill(1e-6);
  const gradient = new Float32Array(rows * width);
  const marked = new Uint8Array(rows);
  const touched: number[] = [];
  const sums = new Float32Array(width);
  const random = randomNumbers(settings.seed);
  const prepared = messages.map((message) => ({ ...prepare(message, lanes), lane: message.lane }));
  let pending = 0;

  const update = () => {
    for (const row of touched) {
      marked[row] = 0;
      for (let at = row * width; at < (row + 1) * width; at++) {
        const slope = gradient[at]! / pending + settings.decay * weights[at]!;
        gradient[at] = 0;
        squares[at]! += slope * slope;
        weights[at]! -= (settings.rate * slope) / Math.sqrt(squares[at]!);
      }
    }
    touched.length = 0;
    pending = 0;
  };
  const learn = (parts: Part[], right: number) => {
    sums.fill(0);
    for (const { rows: own, amounts } of parts)
      for (let at = 0; at < own.length; at++) {
        const start = own[at]! * width;
        const amount = amounts[at]!;
        for (let lane = 0; lane < width; lane++) sums[lane]! += weights[start + lane]! * amount;
      }
    const most = sums.reduce((left, value) => Math.max(left, value), -Infinity);
    let all = 0;
    for (let lane = 0; lane < width; lane++) all += sums[lane] = Math.exp(sums[lane]! - most);
    for (let lane = 0; lane < width; lane++)
      sums[lane] = sums[lane]! / all - settings.doubt / width - (lane === right ? 1 - settings.doubt : 0);
    for (const { rows: own, amounts } of parts)
      for (let at = 0; at < own.length; at++) {
        const row = own[at]!;
        const amount = amounts[at]!;
        if (!marked[row]) touched.push(row);
        marked[row] = 1;
        const start = row * width;
        for (let lane = 0; lane < width; lane++) gradient[start + lane]! += sums[lane]! * amount;
      }
    if (++pending === settings.batch) update();
  };

  const mean = new Float32Array(weights.length);
  const averaged = settings.epochs - settings.averagedFrom;
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    for (const { always, vectors, lane } of shuffled(prepared, random)) {
      const chance = random();
      const form = shown.find(([, below]) => chance < below)![0];
      const seen = { words: [], quick: [vectors.quick], model: [vectors.quick, vectors.model] }[form];
      learn([always, ...seen], lane);
    }
    if (pending > 0) update();
    if (epoch >= settings.averagedFrom)
      for (let at = 0; at < mean.length; at++) mean[at]! += weights[at]! / averaged;
  }
  return mean;
}

interface Part {
  rows: Uint16Array;
  amounts: Float32Array;
}

function prepare({ text, ruled, quick, model }: TrainingMessage, lanes: string[]) {
  const blocks = blocksFor(lanes.length);
  const words: MessageFeatures = messageFeatures(text);
  const rules = ruled.map(({ lane, score }) => [
    blocks.rules.from + lanes.indexOf(lane),
    score * partScale.rules,
  ]);
  const vector = (block: 'quick' | 'model', values: Float32Array): Part => ({
    rows: Uint16Array.from({ length: blocks[block].rows }, (_, at) => blocks[block].from + at),
    amounts: values.map((value) => value * partScale[block]),
  });
  return {
    always: {
      rows: Uint16Array.from([...words.at, ...rules.map(([row]) => row!), blocks.bias.from]),
      amounts: Float32Array.from([...words.value, ...rules.map(([, amount]) => amount!), 1]),
    },
    vectors: { quick: vector('quick', quick), model: vector('model', model) },
  };
}

/** The table in bytes, as the product reads it. */
export function packWeights(
  weights: Float32Array,
  lanes: string[],
  rest: Pick<LearnedHeader, 'temperatures' | 'trained_on'>,
): Uint8Array {
  const blocks = blocksFor(lanes.length);
  const scales = {} as LearnedHeader['scales'];
  const bytes = new Int8Array(weights.length);
  for (const [name, { from, rows }] of Object.entries(blocks)) {
    const [start, end] = [from * lanes.length, (from + rows) * lanes.length];
    const most = weights.subarray(start, end).reduce((left, value) => Math.max(left, Math.abs(value)), 0);
    const scale = most / 127 || 1;
    scales[name as Block] = scale;
    for (let at = start; at < end; at++) bytes[at] = Math.round(weights[at]! / scale);
  }
  const header = new TextEncoder().encode(JSON.stringify({ lanes, scales, ...rest } satisfies LearnedHeader));
  const packed = new Uint8Array(4 + header.length + bytes.length);
  new DataView(packed.buffer).setUint32(0, header.length, true);
  packed.set(header, 4);
  packed.set(new Uint8Array(bytes.buffer), 4 + header.length);
  return packed;
}
