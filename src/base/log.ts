import { dirname } from 'node:path';
import { type Clock, isoTime, systemClock } from './clock.ts';
import { state } from './files/index.ts';
import { redact, redactValue } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const order: LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  with(fields: Record<string, unknown>): Log;
}

export interface LogOptions {
  level?: LogLevel;
  /** One JSON object a line. The file is rotated once it passes `maxBytes`; one older file is kept. */
  file?: string;
  maxBytes?: number;
  /** Also say warnings and errors here, in plain words. Never standard output: that is data. */
  tell?: (line: string) => void;
  clock?: Clock;
}

/** A log never throws and never carries a secret. */
export function createLog(options: LogOptions = {}, fields: Record<string, unknown> = {}): Log {
  const threshold = order.indexOf(options.level ?? 'info');
  const clock = options.clock ?? systemClock;
  const write = (level: LogLevel, message: string, more: Record<string, unknown> = {}) => {
    if (order.indexOf(level) < threshold) return;
    const safe = redact(message);
    if (options.tell && order.indexOf(level) >= 2) options.tell(`${level}: ${safe}`);
    if (!options.file) return;
    const entry = redactValue({
      time: isoTime(clock.now()),
      level,
      message: safe,
      pid: process.pid,
      ...fields,
      ...more,
    });
    appendLine(options.file, JSON.stringify(entry), options.maxBytes ?? 5_000_000);
  };
  return {
    debug: (message, more) => write('debug', message, more),
    info: (message, more) => write('info', message, more),
    warn: (message, more) => write('warn', message, more),
    error: (message, more) => write('error', message, more),
    with: (more) => createLog(options, { ...fields, ...more }),
  };
}

export const silentLog: Log = createLog({ level: 'error' });

function appendLine(file: string, line: string, maxBytes: number): void {
  try {
    // Only the folder of the log itself: what it lies in is made, with its id, by whoever opens state.
    if (!state.exists(dirname(dirname(file)))) return;
    const size = state.entry(file)?.size ?? 0;
    if (size > maxBytes) state.move(file, `${file}.1`);
    state.append(file, `${line}\n`);
  } catch {
    // A full disk, a vanished directory or a link in its place must not fail the work that is being logged.
  }
}
