import { SylkError } from '../errors.ts';
import { batchesByLength } from './batches.ts';
import { encoderModel, miniLm } from './bert-graph.ts';
import { findWeights, openTensors, readVocabulary, type WeightFiles } from './weights.ts';
import { createWordPiece, modelTokenLimit } from './word-piece.ts';

/** A loaded model. Vectors come as one flat array, unit length each, in the order of the texts. */
export interface Engine {
  runtime: 'onnx' | 'wasm';
  embed(texts: string[]): Promise<Float32Array>;
}

export interface EngineOptions {
  weights?: string;
  runtime: 'onnx' | 'wasm' | 'auto';
  threads: number;
}

/** The native runtime where it loads, else WebAssembly: slower, and good enough for a query. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const files = findWeights(options.weights);
  if (options.runtime === 'wasm') return await wasmEngine(files);
  try {
    return await onnxEngine(files, options.threads);
  } catch (error) {
    if (options.runtime === 'onnx' || error instanceof SylkError) throw error;
    return await wasmEngine(files);
  }
}

async function onnxEngine(files: WeightFiles, threads: number): Promise<Engine> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const tokenizer = createWordPiece(readVocabulary(files.tokenizer));
  const tensors = openTensors(files.weights);
  let model: Buffer;
  try {
    model = encoderModel(tensors);
  } finally {
    tensors.close();
  }
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  const width = miniLm.hidden;

  const runBatch = async (tokens: number[][]): Promise<Float32Array> => {
    const length = Math.max(...tokens.map((ids) => ids.length));
    const ids = new BigInt64Array(tokens.length * length);
    const mask = new BigInt64Array(tokens.length * length);
    for (const [row, line] of tokens.entries()) {
      for (const [column, id] of line.entries()) {
        ids[row * length + column] = BigInt(id);
        mask[row * length + column] = 1n;
      }
    }
    const dimensions = [tokens.length, length];
    const output = await session.run({
      input_ids: new Tensor('int64', ids, dimensions),
      attention_mask: new Tensor('int64', mask, dimensions),
    });
    return output['embedding']!.data;
  };

  return {
    runtime: 'onnx',
    embed: async (texts) => {
      const tokens = texts.map((text) => tokenizer.encode(text, modelTokenLimit));
      const flat = new Float32Array(texts.length * width);
      for (const batch of batchesByLength(tokens.map((ids) => ids.length))) {
        const result = await runBatch(batch.map((at) => tokens[at]!));
        for (const [row, at] of batch.entries())
          flat.set(unit(result.subarray(row * width, (row + 1) * width)), at * width);
      }
      return flat;
    },
  };
}

async function wasmEngine(files: WeightFiles): Promise<Engine> {
  const { createEmbedder } = await import('@lat.md/embed');
  const embedder = await createEmbedder({
    model: {
      id: 'minilm-l6-v2',
      dimensions: miniLm.hidden,
      maxTokens: modelTokenLimit,
      pooling: 'mean',
      normalize: true,
      weightsPath: files.weights,
      tokenizerPath: files.tokenizer,
      configPath: files.config,
    },
  });
  return {
    runtime: 'wasm',
    embed: async (texts) => {
      const flat = new Float32Array(texts.length * miniLm.hidden);
      // One at a time: the package would start threads of its own for more.
      for (const [at, text] of texts.entries())
        flat.set((await embedder.embed([text]))[0] ?? [], at * miniLm.hidden);
      return flat;
    },
  };
}

function unit(values: Float32Array): Float32Array {
  let sum = 0;
  for (const value of values) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  return values.map((value) => value * scale);
}
