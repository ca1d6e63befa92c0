import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { readTomlEntry, removeTomlEntry, setTomlEntry } from './toml-entry.ts';

const keys = ['mcp_servers', 'sylk'];
const entry = { command: '/opt/sylk/bin/sylk', args: ['mcp', '--repo', '/a "quoted" path'] };

const texts: Record<string, string> = {
  empty: '',
  'keys and tables':
    'model = "o" # mine\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a", # first\n]\n',
  'no newline at the end': 'model = "o"',
  'carriage returns': 'model = "o"\r\n[tui]\r\ntheme = "dark"\r\n',
  'a header inside a text':
    'note = """\n[mcp_servers.sylk]\ncommand = "not this"\n"""\nother = \'\'\'\n[x]\n\'\'\'\n',
  'lists of tables': '[[profiles]]\nname = "a"\n\n[[profiles]]\nname = "b" # [mcp_servers.sylk]\n#',
};

test.each(Object.entries(texts))('a table goes in and comes out to the byte: %s', (_name, text) => {
  const after = setTomlEntry(text, keys, entry);
  expect(after.startsWith(text)).toBe(true);
  expect(readTomlEntry(after, keys)).toEqual(entry);
  expect(setTomlEntry(after, keys, entry)).toBe(after);
  const without = removeTomlEntry(after, keys);
  expect(without.replace(/\s+$/, '')).toBe(text.replace(/\s+$/, ''));
  if (text === '' || text.endsWith('\n')) expect(without).toBe(text);
});

test('our table is replaced where it stands, with its own sub-tables, and comments around it stay', () => {
  const text =
    '# top\n[mcp_servers."sylk"] # ours\ncommand = "old"\n# about env\n[mcp_servers.sylk.env]\nA = "1"\n\n# about tui\n[tui]\nx = 1\n';
  const after = setTomlEntry(text, keys, entry);
  expect(parse(after)).toEqual({ mcp_servers: { sylk: entry }, tui: { x: 1 } });
  expect(after).toContain('# top\n');
  expect(after).toContain('\n# about tui\n[tui]\nx = 1\n');
});

test('an entry that is written inline is refused instead of rewritten', () => {
  const inline = 'a = 1\nmcp_servers = { sylk = { command = "x" } }\n';
  expect(() => setTomlEntry(inline, keys, entry)).toThrow(/line 2: mcp_servers.sylk is written inline/);
  expect(() => removeTomlEntry(inline, keys)).toThrow(/inline/);
  expect(() => setTomlEntry('mcp_servers = { other = {} }\n', keys, entry)).toThrow(/inline/);
});

test('a file that is not TOML is refused by line', () => {
  expect(() => setTomlEntry('a = 1\nb = = 2\n', keys, entry)).toThrow(/line 2: not valid TOML/);
});
