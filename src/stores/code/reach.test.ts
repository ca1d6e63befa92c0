import { expect, test } from 'vitest';
import type { LinkedSymbol } from './query.ts';
import { reachedFiles } from './reach.ts';

const link = (at: number, name: string): LinkedSymbol =>
  ({
    ...{ path: 'src/a.ts', kind: 'method', depth: 1, confidence: 0.9, measured: true },
    ...{ qualified: name, at_line: at },
  }) as LinkedSymbol;

test('what is not listed is counted, and one that is defined again is one', () => {
  const links = Array.from({ length: 30 }, (_, at) => link(at + 1, `Request.m${at}`));
  const [file] = reachedFiles([...links, link(40, 'Request.m0~2'), link(1, 'Request.m0')], 'src/b.ts');
  expect(file!.symbols).toHaveLength(20);
  expect(file!.more_symbols).toBe(10);
  expect(file!.lines.slice(0, 3)).toEqual([1, 2, 3]);
});
