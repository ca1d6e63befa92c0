import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ReadStream } from 'node:tty';

export { type FSWatcher, watch } from 'node:fs';

/* What is no file of anybody: standard input, the terminal, the disk, programs on the PATH. */

export const readStandardInput = (): string => readFileSync(0, 'utf8');

/** The terminal device itself, not the standard streams: a program can fill and read those. */
function onTerminal<T>(use: (terminal: number) => T): T | undefined {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', 'r+');
  } catch {
    // No terminal.
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
    return buffer.toString('utf8', 0, readSync(terminal, buffer, 0, buffer.length, null)).trim();
  });

/** What was typed before a question is no answer to it. */
const typedAheadMs = 150;

/**
 * The same without holding the process up: undefined where there is no terminal, or once `signal` is aborted. What was typed
 * before the question was shown is thrown away.
 */
export async function readTerminalLine(question: string, signal: AbortSignal): Promise<string | undefined> {
  let device: number;
  try {
    device = openSync('/dev/tty', 'r+');
  } catch {
    // No terminal.
    return undefined;
  }
  const terminal = new ReadStream(device);
  const line = Promise.withResolvers<string | undefined>();
  const leave = () => line.resolve(undefined);
  let isAsked = false;
  let typed = '';
  terminal.on('data', (bytes) => {
    if (!isAsked) return;
    typed += bytes.toString('utf8');
    if (typed.includes('\n')) line.resolve(typed.trim());
  });
  terminal.on('error', leave);
  terminal.on('end', leave);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await setTimeout(typedAheadMs, undefined, { signal }).catch(leave);
    if (signal.aborted) return undefined;
    isAsked = true;
    writeSync(device, question);
    return await line.promise;
  } finally {
    signal.removeEventListener('abort', leave);
    terminal.destroy();
  }
}

/** A file of /proc: it has no size of its own. */
export const readProcessFile = (path: string): string => readFileSync(path, 'utf8');

/** Bytes that are free on the disk of a path. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

export const isReadable = (path: string): boolean => refusal(path, constants.R_OK) === undefined;

export const isProgram = (path: string): boolean => refusal(path, constants.X_OK) === undefined;

/** The failure that a write would meet; undefined where there is none. */
export const writeRefusal = (path: string): unknown => refusal(path, constants.W_OK);

function refusal(path: string, how: number): unknown {
  try {
    accessSync(path, how);
    return undefined;
  } catch (error) {
    return error;
  }
}
