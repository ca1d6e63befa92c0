import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a lab has done, one line of JSON each, so that the next take continues where the last one stopped. */
export interface Journal<T> {
  lines: T[];
  add(line: T): void;
}

export function openJournal<T>(file: string): Journal<T> {
  mkdirSync(dirname(file), { recursive: true });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // A take that was killed may have left half a line at the end.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
  if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
  return {
    lines,
    add: (line) => {
      lines.push(line);
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}
