import { expect, test } from 'vitest';
import { cutFile } from './chunks.ts';

test('a chunk of code carries the definition that contains it, the first one of the file included', async () => {
  const body = (name: string) =>
    Array.from({ length: 60 }, (_, at) => `    const ${name}${at} = ${at} * ${at};`);
  const text = [
    'export class Store {',
    ...['open', 'close'].flatMap((name) => [`  ${name}() {`, ...body(name), '  }']),
    '}',
  ].join('\n');
  const { chunks } = await cutFile('src/store.ts', text);
  expect([...new Set(chunks.map(({ heading }) => heading.join(' > ')))]).toEqual([
    'Store',
    'Store > open',
    'Store > close',
  ]);
});
