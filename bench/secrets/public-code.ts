import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../../src/base/redact.ts';

/** A line that redaction changed, as it was, with the file and the kinds that were said to be there. */
export interface Hit {
  file: string;
  line: number;
  kinds: string;
  text: string;
}

const largest = 500_000;
const leftOut = /^(?:\.git|node_modules)$/;

function* textsBelow(directory: string): Generator<[file: string, text: string]> {
  for (const name of readdirSync(directory).sort()) {
    if (leftOut.test(name)) continue;
    const path = join(directory, name);
    const is = lstatSync(path);
    if (is.isDirectory()) yield* textsBelow(path);
    if (!is.isFile() || is.size > largest) continue;
    const text = readFileSync(path, 'utf8');
    if (!text.includes('\0') && !text.includes('\ufffd')) yield [path, text];
  }
}

/** Passes every file of a folder through redaction, as indexing does, and lists what was cut out. */
export function scan(directory: string): { lines: number; bytes: number; milliseconds: number; hits: Hit[] } {
  const total = { lines: 0, bytes: 0, milliseconds: 0, hits: [] as Hit[] };
  for (const [file, text] of textsBelow(directory)) {
    const started = process.cpuUsage().user;
    const clean = redact(text);
    total.milliseconds += (process.cpuUsage().user - started) / 1000;
    total.lines += text.split('\n').length;
    total.bytes += text.length;
    if (clean !== text) total.hits.push(...hitsOf(file, text, clean));
  }
  return total;
}

/** The texts differ only where something was cut out: between two cuts they are the same. */
function hitsOf(file: string, text: string, clean: string): Hit[] {
  const hits: Hit[] = [];
  let at = 0;
  const parts = clean.split(/(\[redacted:[a-z0-9-]+\])/);
  for (let part = 0; part < parts.length; part += 2) {
    const same = parts[part] ?? '';
    const start = part === 0 ? 0 : text.indexOf(same === '' ? '' : same, at);
    const mark = parts[part - 1];
    if (mark !== undefined) {
      const from = text.lastIndexOf('\n', at - 1) + 1;
      const to = text.indexOf('\n', Math.max(start, at));
      hits.push({
        file,
        line: text.slice(0, at).split('\n').length,
        kinds: mark.slice(10, -1),
        text: `${text.slice(Math.max(from, at - 80), at)}«${text.slice(at, start).slice(0, 120)}»${text.slice(start, to < 0 ? undefined : to).slice(0, 60)}`,
      });
    }
    at = start + same.length;
  }
  return hits;
}
