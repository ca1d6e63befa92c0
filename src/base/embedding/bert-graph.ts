import { type Attribute, type ElementType, writeModel, writeNode, writeTensor } from './onnx-format.ts';
import type { TensorFile } from './weights.ts';

/** The shape of a BERT encoder. */
export interface EncoderShape {
  layers: number;
  hidden: number;
  heads: number;
  feedForward: number;
  epsilon: number;
}

export const miniLm: EncoderShape = { layers: 6, hidden: 384, heads: 12, feedForward: 1536, epsilon: 1e-12 };

/**
 * Weights in eight bits: three times the speed and a quarter of the memory for one part in a hundred of likeness.
 * An ONNX model in memory: `input_ids`, `attention_mask` → `embedding`, the mean over the tokens of the mask.
 */
export function encoderModel(weights: TensorFile, shape: EncoderShape = miniLm): Buffer {
  const graph = graphWriter();
  const { hidden, heads } = shape;
  const vector = (name: string) => graph.constant('f32', [hidden], weights.values(name));
  const integers = (...values: number[]) =>
    graph.constant('i64', [values.length], BigInt64Array.from(values.map(BigInt)));
  const number = (value: number) => graph.constant('f32', [1], Float32Array.of(value));

  const linear = (input: string, name: string, inputs: number, outputs: number): string => {
    const { values, scales } = quantiseColumns(weights.values(`${name}.weight`), outputs, inputs);
    const matrix = graph.constant('i8', [inputs, outputs], values);
    const scale = graph.constant('f32', [outputs], scales);
    const zeros = graph.constant('i8', [outputs], new Int8Array(outputs));
    const bias = graph.constant('f32', [outputs], weights.values(`${name}.bias`));
    return graph.add('DynamicQuantizeMatMul', [input, matrix, scale, zeros, bias], {}, 'com.microsoft');
  };
  const layerNorm = (input: string, name: string): string =>
    graph.add('LayerNormalization', [input, vector(`${name}.weight`), vector(`${name}.bias`)], {
      axis: { integer: -1 },
      epsilon: { float: shape.epsilon },
    });

  const zero = integers(0);
  const one = integers(1);
  const splitHeads = integers(0, 0, heads, hidden / heads);
  const joinHeads = integers(0, 0, hidden);
  const scale = number(1 / Math.sqrt(hidden / heads));

  const words = quantiseRows(weights.values('embeddings.word_embeddings.weight'), hidden);
  const table = graph.constant('i8', [words.scales.length, hidden], words.values);
  const tableScales = graph.constant('f32', [words.scales.length, 1], words.scales);
  const word = graph.add('Mul', [
    graph.add('Cast', [graph.add('Gather', [table, 'input_ids'])], { to: { integer: 1 } }),
    graph.add('Gather', [tableScales, 'input_ids']),
  ]);
  const positions = positionTable(weights, hidden);
  const places = graph.constant('f32', [positions.length / hidden, hidden], positions);
  const length = graph.add('Gather', [graph.add('Shape', ['input_ids']), one]);
  const embedded = graph.add('Add', [word, graph.add('Slice', [places, zero, length, zero])]);
  let state = layerNorm(embedded, 'embeddings.LayerNorm');

  const mask = graph.add('Cast', ['attention_mask'], { to: { integer: 1 } });
  const away = graph.add('Mul', [graph.add('Sub', [number(1), mask]), number(-10_000)]);
  const bias = graph.add('Unsqueeze', [away, integers(1, 2)]);
  const headsOf = (input: string, order: number[]) =>
    graph.add('Transpose', [graph.add('Reshape', [input, splitHeads])], { perm: { integers: order } });

  for (let layer = 0; layer < shape.layers; layer++) {
    const name = `encoder.layer.${layer}`;
    const query = headsOf(linear(state, `${name}.attention.self.query`, hidden, hidden), [0, 2, 1, 3]);
    const key = headsOf(linear(state, `${name}.attention.self.key`, hidden, hidden), [0, 2, 3, 1]);
    const value = headsOf(linear(state, `${name}.attention.self.value`, hidden, hidden), [0, 2, 1, 3]);
    const scores = graph.add('Add', [graph.add('Mul', [graph.add('MatMul', [query, key]), scale]), bias]);
    const attention = graph.add('MatMul', [graph.add('Softmax', [scores], { axis: { integer: -1 } }), value]);
    const context = graph.add('Reshape', [
      graph.add('Transpose', [attention], { perm: { integers: [0, 2, 1, 3] } }),
      joinHeads,
    ]);
    const attended = linear(context, `${name}.attention.output.dense`, hidden, hidden);
    state = layerNorm(graph.add('Add', [attended, state]), `${name}.attention.output.LayerNorm`);
    const wide = linear(state, `${name}.intermediate.dense`, hidden, shape.feedForward);
    const active = graph.add('Gelu', [wide], {}, 'com.microsoft');
    const narrow = linear(active, `${name}.output.dense`, shape.feedForward, hidden);
    state = layerNorm(graph.add('Add', [narrow, state]), `${name}.output.LayerNorm`);
  }

  const counted = graph.add('Unsqueeze', [mask, integers(2)]);
  const sum = (input: string) => graph.add('ReduceSum', [input, one], { keepdims: { integer: 0 } });
  const mean = graph.add('Div', [sum(graph.add('Mul', [state, counted])), sum(counted)]);
  return graph.finish(mean, hidden);
}

function graphWriter() {
  const nodes: Buffer[] = [];
  const tensors: Buffer[] = [];
  let names = 0;
  return {
    constant: (
      type: ElementType,
      dimensions: number[],
      data: Float32Array | BigInt64Array | Int8Array,
    ): string => {
      const name = `constant_${names++}`;
      tensors.push(writeTensor(name, type, dimensions, data));
      return name;
    },
    add: (
      operator: string,
      inputs: string[],
      attributes: Record<string, Attribute> = {},
      domain = '',
    ): string => {
      const output = `${operator}_${names++}`;
      nodes.push(writeNode({ operator, inputs, outputs: [output], attributes, domain }));
      return output;
    },
    finish: (result: string, hidden: number): Buffer => {
      nodes.push(writeNode({ operator: 'Identity', inputs: [result], outputs: ['embedding'] }));
      return writeModel({
        nodes,
        tensors,
        inputs: [
          { name: 'input_ids', type: 'i64', dimensions: ['batch', 'length'] },
          { name: 'attention_mask', type: 'i64', dimensions: ['batch', 'length'] },
        ],
        outputs: [{ name: 'embedding', type: 'f32', dimensions: ['batch', hidden] }],
      });
    },
  };
}

/** Every token is of the first type, so its embedding is part of the position. */
function positionTable(weights: TensorFile, hidden: number): Float32Array {
  const positions = weights.values('embeddings.position_embeddings.weight');
  const type = weights.rows('embeddings.token_type_embeddings.weight', 0, 1);
  for (let at = 0; at < positions.length; at++) positions[at]! += type[at % hidden]!;
  return positions;
}

interface Quantised {
  values: Int8Array;
  scales: Float32Array;
}

/** One scale for each output. Weights are kept as [outputs, inputs]; a product needs [inputs, outputs]. */
function quantiseColumns(matrix: Float32Array, outputs: number, inputs: number): Quantised {
  const { values: rows, scales } = quantiseRows(matrix, inputs);
  const values = new Int8Array(matrix.length);
  for (let output = 0; output < outputs; output++)
    for (let input = 0; input < inputs; input++)
      values[input * outputs + output] = rows[output * inputs + input]!;
  return { values, scales };
}

function quantiseRows(matrix: Float32Array, width: number): Quantised {
  const count = matrix.length / width;
  const values = new Int8Array(matrix.length);
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row++) {
    let largest = 1e-9;
    for (let at = row * width; at < (row + 1) * width; at++)
      largest = Math.max(largest, Math.abs(matrix[at]!));
    scales[row] = largest / 127;
    for (let at = row * width; at < (row + 1) * width; at++)
      values[at] = Math.round((matrix[at]! * 127) / largest);
  }
  return { values, scales };
}
