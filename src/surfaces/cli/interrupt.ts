import { Worker } from 'node:worker_threads';

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;

/** All writes are transactions, so an interrupt keeps finished work; what can stop in order, does. */
const graceMs = 1500;

/** A timer would wait for a long query or loop to end; a separate thread does not. */
const latestMs = 3500;

export interface Interrupt {
  signal: AbortSignal;
  /** The error a command returns after a request to stop. */
  exitCode(): number | undefined;
  /** From now on a request to stop is the ordinary end, however long the rest takes. */
  serving(): void;
  end(): void;
}

/** The first signal asks the work to stop where it can be resumed; a second one, or a timeout, ends the process. */
export function listenForInterrupt(signals: Signal[], say: (line: string) => void): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  let isServing = false;
  const onSignal = (signal: Signal) => {
    if (code !== undefined) process.exit(code);
    code = exitCodes[signal];
    exitLater(isServing ? 0 : code);
    say('\nStopping. Finished work is saved. Press Ctrl-C again to quit at once.\n');
    controller.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    exitCode: () => code,
    serving: () => {
      isServing = true;
    },
    end: () => {
      if (code === undefined) for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

/** The time limit after which the process ends, whatever this thread is doing. */
export function exitLater(code: number, afterMs = graceMs): void {
  setTimeout(() => process.exit(code), afterMs).unref();
  const deadline = Date.now() + latestMs;
  const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${deadline} - Date.now())`;
  new Worker(kill, { eval: true }).unref();
}
