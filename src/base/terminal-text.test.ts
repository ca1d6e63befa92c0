import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText, sanitizeTerminalText, showName, visibleText, withShownNames } from './terminal-text.ts';

test.each([
  ['a title', '\u001b]0;owned\u0007ok', 'ok'],
  ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007ok', 'ok'],
  ['a link', '\u001b]8;;http://evil.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['colours and movement', '\u001b[31mred\u001b[2J\u001b[10;10H', 'red'],
  ['a question to the terminal', '\u001b[6nok', 'ok'],
  ['C1 controls', '\u009b31mred\u009d0;x\u009c', 'red'],
  ['a device string', '\u001bPq#0\u001b\\ok', 'ok'],
  ['an application string', '\u001b_Gx\u001b\\ok', 'ok'],
  ['an unfinished sequence', 'ok\u001b]52;c;AAAA', 'ok'],
  ['carriage returns that hide a line', 'good\rbad', 'good\nbad'],
  ['backspaces', 'ab\b\bcd', 'abcd'],
  ['direction overrides', 'a\u202egnp.exe\u2066b', 'agnp.exeb'],
  ['zero width text', 'a\u200bb\ufeffc\u2060d', 'abcd'],
  ['NUL and bell', 'a\u0000\u0007b', 'ab'],
])('%s does not reach the terminal', (_title, hostile, plain) => {
  expect(sanitizeTerminalText(hostile)).toBe(plain);
});

test('tabs, lines and every language stay', () => {
  const text = 'a\tb\nc — «é» 日本 👩‍💻 العربية';
  expect(sanitizeTerminalText(text)).toBe(text);
});

test('no text keeps a control character, and cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const clean = sanitizeTerminalText(text);
      expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      expect(sanitizeTerminalText(clean)).toBe(clean);
    }),
    { seed: 13, numRuns: 1000 },
  );
});

test('a name is written out in one line, whatever stands in it', () => {
  expect(showName('a\nb\tc\u001b[31m\u202ed\u200b\u2028e')).toBe(
    'a\\nb\\tc\\u{1b}[31m\\u{202e}d\\u{200b}\\u{2028}e',
  );
  expect(showName('src/日本 é 👩‍💻.ts')).toBe('src/日本 é 👩‍💻.ts');
});

test('what joins emoji and letters stays in names and texts, and is shown where a text is judged', () => {
  const text = '❤️ 👩‍💻 می‌خواهم';
  expect(showName(text)).toBe(text);
  expect(sanitizeTerminalText(text)).toBe(text);
  expect(visibleText(text)).toContain('\\u{200d}');
  expect(showName('a\u200db\u{e0041}\u00ad\u3164')).toBe('a\\u{200d}b\\u{e0041}\\u{ad}\\u{3164}');
  expect(sanitizeTerminalText('a\u200db\u{e0041}\u00ad\u2028c')).toBe('ab\nc');
});

test('in an answer, texts keep their lines and every other string is a name', () => {
  expect(
    withShownNames({ path: 'a\nb', content: 'a\nb', tags: ['x\ny'], 'k\n1': [{ title: 'z\n' }] }),
  ).toEqual({
    path: 'a\\nb',
    content: 'a\nb',
    tags: ['x\\ny'],
    'k\\n1': [{ title: 'z\\n' }],
  });
});

test('JSON for a terminal has nothing hidden in it, and is the same value when parsed', () => {
  const name = 'a\u202eb\u0085c\u200bd\u{e0101}\u2028\u007f\u001b[31m';
  const text = jsonText({ [name]: [name, 1, null] });
  expect(text).toBe(showName(text));
  expect(text).toContain('\\u202e');
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(jsonText(JSON.parse(json)))).toEqual(JSON.parse(json));
    }),
  );
});
