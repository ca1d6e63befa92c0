import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../../src/base/process/index.ts';
import { isStopWord, splitWords } from '../../src/base/text/index.ts';

/** What an agent without an index does: search for each word, read the files that hold most of them. */
export interface ReadingCost {
  tokens: number;
  /** Gold files met before giving up. */
  found: number;
  filesRead: number;
}

const mostFiles = 20;
const window = 40;
const listedFiles = 100;

export async function grepAndRead(
  tree: string,
  question: string,
  gold: Set<string>,
  wanted: number,
  how: 'whole' | 'window',
  count: (text: string) => number,
): Promise<ReadingCost> {
  const words = [...new Set(splitWords(question))].filter((word) => word.length > 2 && !isStopWord(word));
  const hits = new Map<string, { words: Set<string>; lines: Set<number> }>();
  let tokens = 0;
  for (const word of words) {
    const { stdout } = await runProcess(
      'git',
      [
        '-C',
        tree,
        'grep',
        '-n',
        '-i',
        '-I',
        '-F',
        '-e',
        word,
        '--',
        '.',
        ':!*.lock',
        ':!package-lock.json',
        ':!CHANGELOG.md',
        ':!dist',
        ':!*.min.js',
        ':!*.map',
      ],
      { timeoutMs: 60_000, maxOutputBytes: 64_000_000 },
    );
    const files = new Set<string>();
    for (const line of stdout.toString('utf8').split('\n')) {
      const [, path, at] = /^(.+?):(\d+):/.exec(line) ?? [];
      if (!path) continue;
      files.add(path);
      const hit = hits.get(path) ?? { words: new Set<string>(), lines: new Set<number>() };
      hit.words.add(word);
      hit.lines.add(Number(at));
      hits.set(path, hit);
    }
    // The list of files is what a search for a word shows; its lines would cost far more.
    tokens += count([...files].slice(0, listedFiles).join('\n'));
  }
  const order = [...hits].sort(
    ([leftPath, left], [rightPath, right]) =>
      right.words.size - left.words.size ||
      right.lines.size - left.lines.size ||
      (leftPath < rightPath ? -1 : 1),
  );
  let found = 0;
  let filesRead = 0;
  for (const [path, { lines }] of order.slice(0, mostFiles)) {
    tokens += count(
      how === 'whole' ? readFileSync(join(tree, path), 'utf8') : around(join(tree, path), lines),
    );
    filesRead++;
    if (gold.has(path) && ++found >= wanted) break;
  }
  return { tokens, found, filesRead };
}

function around(path: string, lines: Set<number>): string {
  const all = readFileSync(path, 'utf8').split('\n');
  const shown = new Set<number>();
  for (const line of lines)
    for (let at = Math.max(1, line - window); at <= Math.min(all.length, line + window); at++) shown.add(at);
  return all.filter((_, at) => shown.has(at + 1)).join('\n');
}
