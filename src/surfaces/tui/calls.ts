import { Worker } from 'node:worker_threads';
import { messageOf, SylkError } from '../../base/errors.ts';
import type { CallEvent } from '../../operations/operation.ts';

/** One call: an operation with its input, or the words of a command. */
export interface CallRequest {
  operation?: string;
  words?: string[];
  /** The help page of a command or a topic, in place of a call; `menu` is one line for each command. */
  help?: string[] | 'menu';
  /** With words: what holds where the words say nothing. */
  input?: object;
  /** The person has seen what a decision is about, and said yes to it. */
  isConfirmed?: boolean;
}

/** What a call answered, as text for the screen and as data. Everything in it is safe to show. */
export type CallAnswer =
  | { kind: 'done'; operation: string; text: string; output: unknown; isFailure: boolean; notes: string[] }
  | { kind: 'failed'; code: string; message: string; hint: string | undefined }
  /** A decision: what it is about. Ask the person, then call again with `isConfirmed`. */
  | { kind: 'asks'; text: string };

export interface CallOptions {
  signal?: AbortSignal;
  onEvent?: (event: CallEvent) => void;
}

/** The operations as a terminal calls them. */
export interface Calls {
  call(request: CallRequest, options?: CallOptions): Promise<CallAnswer>;
  /** Stops what runs, in order, and closes the repository. */
  close(): Promise<void>;
}

export interface CallsStart {
  directory: string;
  env: NodeJS.ProcessEnv;
  flags: string[];
  person: string;
}
export type ToWorker =
  | { type: 'call'; id: number; request: CallRequest }
  | { type: 'cancel'; id: number }
  | { type: 'close' };
export type FromWorker =
  | { type: 'ready'; root: string }
  | { type: 'told'; text: string }
  | { type: 'event'; id: number; event: CallEvent }
  | { type: 'answer'; id: number; answer: CallAnswer }
  | { type: 'broken'; code: string; message: string; hint: string | undefined };

interface Pending {
  onEvent: ((event: CallEvent) => void) | undefined;
  settle(answer: CallAnswer): void;
}

const closeMs = 4000;

/**
 * Operations in a thread of their own: they read databases synchronously, and a key has to reach the screen meanwhile.
 * Rejects where the repository can't be opened.
 */
export function callsInThread(
  start: CallsStart,
  onTold: (line: string) => void,
): Promise<{ calls: Calls; root: string }> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  // What a library prints would stand across the screen.
  const worker = new Worker(new URL(`./calls-worker.${extension}`, import.meta.url), {
    workerData: start,
    stdout: true,
    stderr: true,
  });
  const pending = new Map<number, Pending>();
  let last = 0;
  const post = (message: ToWorker) => worker.postMessage(message);
  const endAll = (message: string) => {
    for (const { settle } of pending.values())
      settle({ kind: 'failed', code: 'UNAVAILABLE', message, hint: 'Open the terminal again.' });
    pending.clear();
  };
  const ended = new Promise<void>((resolve) => worker.on('exit', () => resolve()));
  const calls: Calls = {
    call: (request, { signal, onEvent } = {}) =>
      new Promise((resolve) => {
        const id = ++last;
        pending.set(id, { onEvent, settle: resolve });
        post({ type: 'call', id, request });
        signal?.addEventListener('abort', () => post({ type: 'cancel', id }), { once: true });
      }),
    close: async () => {
      post({ type: 'close' });
      const late = setTimeout(() => void worker.terminate(), closeMs);
      await ended;
      clearTimeout(late);
    },
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve({ calls, root: message.root });
      else if (message.type === 'told') onTold(message.text);
      else if (message.type === 'broken')
        reject(new SylkError('UNAVAILABLE', message.message, { hint: message.hint }));
      else {
        const waiting = pending.get(message.id);
        if (message.type === 'event') return waiting?.onEvent?.(message.event);
        pending.delete(message.id);
        waiting?.settle(message.answer);
      }
    });
    worker.on('error', (error) => {
      endAll(`The thread of the operations ended: ${messageOf(error)}`);
      reject(error);
    });
    worker.on('exit', () => endAll('The thread of the operations has ended.'));
  });
}
