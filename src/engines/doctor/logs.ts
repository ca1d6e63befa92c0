import { state } from '../../base/files/index.ts';

export interface LogEntry {
  time: string;
  level: string;
  message: string;
  [field: string]: unknown;
}

export interface LogQuestion {
  level?: 'debug' | 'info' | 'warn' | 'error' | undefined;
  /** Only entries after this time. */
  since?: string | undefined;
  contains?: string | undefined;
  limit: number;
}

const order = ['debug', 'info', 'warn', 'error'];

/** The newest matching entries, oldest first. A torn line (a kill during a write) is counted, not fatal. */
export function readLog(
  file: string,
  question: LogQuestion,
): { entries: LogEntry[]; total: number; unreadable: number } {
  const lines = [`${file}.1`, file]
    .flatMap((path) => (state.readText(path) ?? '').split('\n'))
    .filter(Boolean);
  const least = order.indexOf(question.level ?? 'debug');
  const entries: LogEntry[] = [];
  let unreadable = 0;
  for (const line of lines) {
    const entry = parse(line);
    if (!entry) unreadable++;
    else if (
      order.indexOf(entry.level) >= least &&
      (question.since === undefined || entry.time > question.since) &&
      (question.contains === undefined || line.includes(question.contains))
    )
      entries.push(entry);
  }
  return { entries: entries.slice(-question.limit), total: entries.length, unreadable };
}

function parse(line: string): LogEntry | undefined {
  try {
    const entry = JSON.parse(line) as LogEntry;
    return typeof entry.message === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}
