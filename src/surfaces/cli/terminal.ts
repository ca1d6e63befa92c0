import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** The terminal device itself, not the standard streams: a program can fill and read those. */
function onTerminal<T>(use: (terminal: number) => T): T | undefined {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  try {
    return use(terminal);
  } finally {
    closeSync(terminal);
  }
}

/** False where there is no terminal. */
export const writeToTerminal = (text: string): boolean =>
  onTerminal((terminal) => {
    writeSync(terminal, text);
    return true;
  }) ?? false;

/** The line that was typed; undefined where there is no terminal. */
export const askOnTerminal = (question: string): string | undefined =>
  onTerminal((terminal) => {
    writeSync(terminal, question);
    const buffer = Buffer.alloc(64);
    return buffer
      .subarray(0, readSync(terminal, buffer, 0, 64, null))
      .toString()
      .trim();
  });
