import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SylkError } from '../../../base/errors.ts';
import { endGroup, spawnGroup } from '../../../base/process/index.ts';
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

/** The compiler in a process of its own, kept between requests so that the next one costs little. */
export function openCompiler(limits: CompilerLimits = {}) {
  const { megabytes = 1500, timeoutMs = 300_000 } = limits;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const program = limits.program ?? new URL(`./typescript-worker.${extension}`, import.meta.url);
  let child: ReturnType<typeof spawnGroup> | undefined;

  const start = () => {
    child ??= spawnGroup(
      process.execPath,
      [`--max-old-space-size=${megabytes}`, '--disable-warning=ExperimentalWarning', fileURLToPath(program)],
      {},
    );
    return child;
  };
  const close = () => {
    if (child) endGroup(child);
    child = undefined;
  };

  return {
    isOff: megabytes === 0,
    /** Hands on the links of each wanted file as they come. What came before a failure is kept. */
    compile: async (
      request: CompileRequest,
      deliver: (file: CompiledFile) => void,
      signal?: AbortSignal,
    ): Promise<void> => {
      const running = start();
      let said = '';
      running.stderr.removeAllListeners('data');
      running.stderr.on('data', (chunk) => {
        said = `${said}${chunk}`.slice(-2000);
      });
      running.stdin.on('error', () => {
        // It ended: the end of its output says so.
      });
      const timer = setTimeout(close, timeoutMs);
      signal?.addEventListener('abort', close, { once: true });
      try {
        running.stdin.write(`${JSON.stringify(request)}\n`);
        for await (const line of createInterface({ input: running.stdout })) {
          const reply: CompileReply = JSON.parse(line);
          if ('done' in reply) return;
          deliver(reply);
        }
        signal?.throwIfAborted();
        child = undefined;
        throw new SylkError('UNAVAILABLE', `The compiler ended before it was done: ${lastLine(said)}`, {
          hint: 'Links through imports and scopes are used instead.',
        });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', close);
      }
    },
    close,
  };
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) || 'no message';
