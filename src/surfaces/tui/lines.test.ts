import { visibleWidth } from '@earendil-works/pi-tui';
import { describe, expect, test } from 'vitest';
import { readLine, wordsOf } from './commands.ts';
import { helpLines } from './help-lines.ts';
import { itemLines } from './item-lines.ts';
import { themeOf } from './theme.ts';
import type { Item } from './view.ts';

const theme = themeOf({});
const bare = themeOf({ NO_COLOR: '1' });
const answer = [
  '[1] source/core/Ky.ts:470-485 — Ky › #calculateDelay and a long name that needs more than one line of 80',
  '      > \tconst 日本語 = await 👩‍💻("é"); // a comment that is far too long for a narrow screen, 日本語日本語',
  '── Commits, last month',
  'def __init__(self): *args and `code` stay as they are',
  '',
].join('\n');
const items: Item[] = [
  { kind: 'told', text: 'where is 日本語?\nand 👩‍💻?' },
  { kind: 'said', text: answer, markdown: false },
  {
    kind: 'said',
    text: '# Why\n\n- **one** 日本語日本語日本語日本語\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |',
    markdown: true,
  },
  { kind: 'failed', text: 'It failed for a reason that takes a whole sentence to tell.', hint: 'Do this.' },
  { kind: 'note', text: 'note' },
  { kind: 'event', text: 'event' },
];

describe('lines of a conversation', () => {
  test('none is wider than the screen, whatever its width', () => {
    for (let width = 10; width <= 240; width += 7)
      for (const item of items)
        for (const line of itemLines(item, width, theme))
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    for (const width of [20, 80, 200])
      for (const line of helpLines(width, theme)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
  });

  test('our own answers are not read as Markdown', () => {
    expect(itemLines(items[1]!, 120, bare).map(unstyled)).toContain(
      'def __init__(self): *args and `code` stay as they are',
    );
  });

  test('NO_COLOR leaves no colour', () => {
    const drawn = items.flatMap((item) => itemLines(item, 80, bare)).join('\n');
    expect(drawn).not.toMatch(/\x1b\[(?:3[0-8]|9[0-7]|4[0-8])/);
  });
});

const unstyled = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '');

describe('a typed line', () => {
  const verbs = ['run', 'run show', 'runs', 'runs waiting', 'callers', 'status'];
  const verbOf = (words: string[]) =>
    verbs
      .filter((verb) => `${words.join(' ')} `.startsWith(`${verb} `))
      .toSorted((a, b) => b.length - a.length)[0];
  test.each([
    ['where is it?', 'words', ''],
    ['/run add a limit', 'terminal', 'run'],
    ['/run show abc', 'command', 'run show'],
    ['/runs', 'terminal', 'runs'],
    ['/runs waiting', 'command', 'runs waiting'],
    ['/callers login', 'command', 'callers'],
    ['/exit', 'terminal', 'quit'],
    ['/task 3 use fewer files', 'words', ''],
  ])('%s', (text, kind, name) => {
    expect(readLine(text, verbOf)).toMatchObject({ kind, name });
  });
  test('quotes hold words together', () => {
    expect(wordsOf(`memory add "a \\"b\\" c" 'd e' f`)).toEqual(['memory', 'add', 'a "b" c', 'd e', 'f']);
  });
});
