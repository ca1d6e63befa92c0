import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SylkError } from '../../../base/errors.ts';
import { endGroup, spawnGroup } from '../../../base/process/index.ts';
import { coresForBackground } from '../../../base/turns.ts';
import type { CompiledFile, CompileReply, CompileRequest } from './protocol.ts';

export interface CompilerLimits {
  /** Of the process's heap. */
  megabytes?: number | undefined;
  /** Of one request. */
  timeoutMs?: number;
  /** The program; tests pass one that fails. */
  program?: URL;
}

export type CompilerProcess = ReturnType<typeof openCompiler>;

/** Compilers of this process that wait for their next request, the one that waits longest first. */
const idle = new Set<() => void>();

/**
 * The compiler in a process of its own, kept between requests so that the next one costs little. Of all repositories that
 * this process has open only so many are kept: each may have its megabytes.
 */
export function openCompiler(limits: CompilerLimits = {}) {
  const { megabytes = 1500, timeoutMs = 300_000 } = limits;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const program = limits.program ?? new URL(`./typescript-worker.${extension}`, import.meta.url);
  let running: Running | undefined;

  const start = (): Running => {
    const child = spawnGroup(
      process.execPath,
      [`--max-old-space-size=${megabytes}`, '--disable-warning=ExperimentalWarning', fileURLToPath(program)],
      {},
    );
    const started: Running = { child, said: '' };
    child.stderr.on('data', (chunk) => {
      started.said = `${started.said}${chunk}`.slice(-2000);
    });
    child.stdin.on('error', () => {
      // It ended: the end of its output says so.
    });
    createInterface({ input: child.stdout })
      .on('line', (line) => started.onReply?.(JSON.parse(line)))
      .on('close', () => {
        if (running === started) running = undefined;
        started.onEnd?.();
      });
    return started;
  };
  const close = () => {
    idle.delete(close);
    if (running) endGroup(running.child);
    running = undefined;
  };

  return {
    isOff: megabytes === 0,
    /** Hands on the links of each wanted file as they come. What came before a failure is kept. */
    compile: async (
      request: CompileRequest,
      deliver: (file: CompiledFile) => void,
      signal?: AbortSignal,
    ): Promise<void> => {
      idle.delete(close);
      if (!running) for (const other of [...idle].slice(0, 1 - coresForBackground || idle.size)) other();
      running ??= start();
      const current = running;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      current.onReply = (reply) => {
        try {
          if ('done' in reply) resolve();
          else deliver(reply);
        } catch (error) {
          close();
          reject(error);
        }
      };
      current.onEnd = () =>
        reject(
          new SylkError('UNAVAILABLE', `The compiler ended before it was done: ${lastLine(current.said)}`, {
            hint: 'Links through imports and scopes are used instead.',
          }),
        );
      const timer = setTimeout(close, timeoutMs);
      signal?.addEventListener('abort', close, { once: true });
      try {
        current.child.stdin.write(`${JSON.stringify(request)}\n`);
        await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', close);
        if (running === current) idle.add(close);
      }
    },
    close,
  };
}

interface Running {
  child: ReturnType<typeof spawnGroup>;
  /** The last of what it wrote to its standard error. */
  said: string;
  onReply?: (reply: CompileReply) => void;
  onEnd?: () => void;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) || 'no message';
