/** The part of the runtime that is used here; its package ships no declarations. */
declare module 'onnxruntime-node' {
  export class Tensor {
    constructor(type: 'int64', data: BigInt64Array, dimensions: number[]);
    readonly data: Float32Array;
  }
  export const InferenceSession: {
    create(
      model: Uint8Array,
      options: Record<string, unknown>,
    ): Promise<{ run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>> }>;
  };
}
