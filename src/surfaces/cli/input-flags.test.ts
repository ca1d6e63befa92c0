import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation } from '../../operations/operation.ts';
import { readInput } from './input-flags.ts';

const definition = operation({
  name: 'sample',
  summary: 'A sample for the reading of words and flags.',
  effect: 'read',
  input: z.object({
    query: z.string(),
    version: z.coerce.number().optional(),
    text: z.string().optional(),
    tags: z.array(z.string()).optional(),
    include_deleted: z.boolean().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.object({}),
  examples: [{ query: 'x' }],
  command: { positionals: ['query'], rest: true },
  run: async () => ({}),
});
const sample = { ...definition, toolset: 'test' };

test.each([
  [['rate', 'limit'], { query: 'rate limit' }],
  [['x', '--version', '3'], { query: 'x', version: '3' }],
  [['x', '--text', '---\nkind: atom'], { query: 'x', text: '---\nkind: atom' }],
  [['x', '--text=--version'], { query: 'x', text: '--version' }],
  [['x', '--tags', 'a,b', '--tags', '["c"]'], { query: 'x', tags: ['a', 'b', 'c'] }],
  [['--include-deleted', 'x'], { query: 'x', include_deleted: true }],
  [['x', '--no-include-deleted'], { query: 'x', include_deleted: false }],
  [['x', '--metadata', '{"a":1}'], { query: 'x', metadata: { a: 1 } }],
  [['--', '--text'], { query: '--text' }],
])('%j is read as %j', (args, input) => {
  expect(readInput(sample, args)).toEqual(input);
});

test('an unknown flag is refused with the nearest one', () => {
  expect(() => readInput(sample, ['x', '--tag', 'a'])).toThrow(
    expect.objectContaining({ hint: 'Did you mean --tags?' }),
  );
});
