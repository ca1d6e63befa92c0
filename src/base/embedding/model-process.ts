import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SylkError } from '../errors.ts';
import { childEnvironment } from '../process/index.ts';
import type { WorkerReply, WorkerRequest, WorkerStart } from './embedding-worker.ts';

interface Job {
  texts: string[];
  resolve(vectors: Float32Array): void;
  reject(error: Error): void;
}

export interface ModelProcess {
  /** Urgent jobs go before the others; each waits for one job at most. */
  ask(texts: string[], urgent: boolean): Promise<Float32Array>;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/**
 * A process of its own, because the runtime never gives its memory back and cannot be loaded by a second thread.
 * When it ends its memory is gone, and a crash of native code is a failed question and not the end of the server.
 */
export function startModelProcess(start: WorkerStart, ended: () => void): ModelProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const child = fork(
    fileURLToPath(new URL(`./embedding-worker.${extension}`, import.meta.url)),
    [JSON.stringify(start)],
    {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env: childEnvironment(),
    },
  );
  const urgentJobs: Job[] = [];
  const otherJobs: Job[] = [];
  let current: Job | undefined;
  let ready = false;
  let failure: SylkError | undefined;
  let ids = 0;

  const next = () => {
    if (!ready || current || failure) return;
    current = urgentJobs.shift() ?? otherJobs.shift();
    hold(child, current !== undefined);
    if (current) child.send({ id: ++ids, texts: current.texts } satisfies WorkerRequest);
  };
  const fail = (message: string, hint?: string) => {
    if (failure) return;
    failure = new SylkError('UNAVAILABLE', message, {
      hint: hint ?? 'Word search still works. Run `sylk doctor` to check the embedding runtime.',
    });
    for (const job of [current, ...urgentJobs.splice(0), ...otherJobs.splice(0)]) job?.reject(failure);
    current = undefined;
    ended();
  };
  child.on('message', (reply: WorkerReply) => {
    if ('ready' in reply) ready = true;
    else if ('failed' in reply) fail(reply.failed, reply.hint);
    else {
      const job = current;
      current = undefined;
      if ('error' in reply) job?.reject(new SylkError('UNAVAILABLE', `Embedding failed: ${reply.error}`));
      else job?.resolve(reply.vectors);
    }
    next();
  });
  child.on('error', (error) => fail(`The embedding process did not start: ${error.message}`));
  child.on('exit', (code, signal) => fail(`The embedding process ended (${signal ?? code}).`));
  return {
    pid: child.pid,
    ask: (texts, urgent) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        (urgent ? urgentJobs : otherJobs).push({ texts, resolve, reject });
        hold(child, true);
        next();
      }),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        hold(child, true);
        child.kill('SIGKILL');
      }),
  };
}

/** Our process stays alive for an answer that somebody waits for, and for nothing else. */
function hold(child: ChildProcess, wanted: boolean): void {
  if (wanted) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
