import { Worker } from 'node:worker_threads';

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;

/** Everything is written in transactions, so ending in the middle keeps what was done; but what can, ends in order. */
const graceMs = 1500;

/** A timer waits for a long query or a long loop to end; a thread of its own does not. */
const latestMs = 2500;

export interface Interrupt {
  signal: AbortSignal;
  /** What the command answers once it was asked to stop. */
  exitCode(): number | undefined;
  end(): void;
}

/** Once is a request to stop where the work can be resumed; a second time, or a moment later, the process ends. */
export function listenForInterrupt(signals: Signal[], say: (line: string) => void): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (signal: Signal) => {
    if (code !== undefined) process.exit(code);
    code = exitCodes[signal];
    exitLater(code);
    say('\nStopping; what is done is kept. Press Ctrl-C again to end at once.\n');
    controller.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    exitCode: () => code,
    end: () => {
      if (code === undefined) for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

/** Nothing that is still under way after this long is waited for, whatever this thread is doing. */
export function exitLater(code: number, afterMs = graceMs): void {
  setTimeout(() => process.exit(code), afterMs).unref();
  const deadline = Date.now() + latestMs;
  const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${deadline} - Date.now())`;
  new Worker(kill, { eval: true }).unref();
}
