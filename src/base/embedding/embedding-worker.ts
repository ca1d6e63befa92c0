import { messageOf, SylkError } from '../errors.ts';
import { openEngine } from './engine.ts';

/** The process that holds the model. One message in, one message out; it ends with its owner. */
export interface WorkerStart {
  weights?: string;
  runtime: 'onnx' | 'wasm' | 'auto';
  threads: number;
}

export type WorkerRequest = { id: number; texts: string[] };
export type WorkerReply =
  | { ready: true; runtime: string }
  | { failed: string; hint?: string | undefined }
  | { id: number; vectors: Float32Array }
  | { id: number; error: string };

if (process.send) {
  const reply = (message: WorkerReply) => process.connected && process.send!(message);
  process.on('disconnect', () => process.exit(0));
  // A Ctrl-C in the terminal reaches the whole group; the owner decides when this ends.
  process.on('SIGINT', () => {});
  try {
    const engine = await openEngine(JSON.parse(process.argv[2] ?? '{}') as WorkerStart);
    reply({ ready: true, runtime: engine.runtime });
    process.on('message', async ({ id, texts }: WorkerRequest) => {
      try {
        reply({ id, vectors: await engine.embed(texts) });
      } catch (error) {
        reply({ id, error: messageOf(error) });
      }
    });
  } catch (error) {
    reply({
      failed: messageOf(error),
      hint: error instanceof SylkError ? error.hint : undefined,
    });
    process.disconnect?.();
  }
}
