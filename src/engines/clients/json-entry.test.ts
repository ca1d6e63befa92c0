import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { readJsonEntry, removeJsonEntry, setJsonEntry } from './json-entry.ts';

const keys = ['mcpServers', 'sylk'];
const entry = { command: '/opt/sylk/bin/sylk', args: ['mcp'] };

const texts: Record<string, string> = {
  'two spaces': '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
  tabs: '{\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
  'carriage returns': '{\r\n  "mcpServers": {\r\n    "other": {}\r\n  }\r\n}\r\n',
  'one line': '{"mcpServers":{"other":{"command":"x"}},"theme":"dark"}',
  'comments on every line':
    '// mine\n{\n  // servers\n  "mcpServers": { // keep\n    // about other\n    "other": {}, // trailing\n    /* block */ "more": {} // last\n  } // end\n}\n// tail',
  'trailing commas': '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n',
  'byte order mark': '\ufeff{\n  "mcpServers": {\n    "other": {}\n  }\n}',
  'no table yet': '{\n  "theme": "dark", // nice\n  "list": [1, 2]\n}\n',
};

test.each(Object.entries(texts))('an entry goes in and comes out to the byte: %s', (_name, text) => {
  const after = setJsonEntry(text, keys, entry);
  expect(readJsonEntry(after, keys)).toEqual(entry);
  expect(setJsonEntry(after, keys, entry)).toBe(after);
  const without = removeJsonEntry(after, text.includes('mcpServers') ? keys : ['mcpServers']);
  expect(without).toBe(text);
});

test('every comment stays in place when an entry is added, changed and removed', () => {
  const text = texts['comments on every line']!;
  const changed = setJsonEntry(setJsonEntry(text, keys, entry), keys, {
    ...entry,
    args: ['mcp', '--repo', '/a'],
  });
  for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g)!) expect(changed).toContain(comment);
  expect(changed).toContain('"other": {}, // trailing\n    /* block */ "more": {} // last');
  expect(removeJsonEntry(changed, keys)).toBe(text);
});

test('an empty file and an empty object become a file with the entry', () => {
  for (const text of ['', '\n', '{}', '{ }\n', '{\n}\n', '{"mcpServers":{}}'])
    expect(parse(setJsonEntry(text, keys, entry))).toEqual({ mcpServers: { sylk: entry } });
});

test('the last of several entries is removed with the comma before it', () => {
  expect(removeJsonEntry('{"mcpServers": {"a": 1, "sylk": 2}}', keys)).toBe('{"mcpServers": {"a": 1}}');
  expect(removeJsonEntry('{"mcpServers": {\n  "a": 1, // one\n  "sylk": 2\n}}', keys)).toBe(
    '{"mcpServers": {\n  "a": 1 // one\n}}',
  );
});

test('a file that is not JSON, or has something else in the place of the table, is refused by line', () => {
  expect(() => setJsonEntry('{\n  "a": 1,\n  oops\n}', keys, entry)).toThrow(/line 3: not valid JSON/);
  expect(() => setJsonEntry('[]', keys, entry)).toThrow(/line 1: the file is not an object/);
  expect(() => setJsonEntry('{\n"mcpServers": []}', keys, entry)).toThrow(
    /line 2: mcpServers is not an object/,
  );
});

test('whatever stands in a file, an entry changes nothing else in it', () => {
  const server = fc.record({ command: fc.string(), args: fc.array(fc.string()) });
  const file = fc.record(
    {
      theme: fc.json().map((text) => JSON.parse(text) as unknown),
      mcpServers: fc.dictionary(
        fc.string().filter((name) => name !== 'sylk' && name !== '__proto__'),
        server,
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(file, fc.constantFrom(undefined, 2, 4, '\t'), fc.boolean(), (value, indent, first) => {
      const text = JSON.stringify(value, null, indent);
      const after = setJsonEntry(text, keys, entry);
      expect(JSON.parse(after)).toEqual({ ...value, mcpServers: { ...value.mcpServers, sylk: entry } });
      const again = first ? removeJsonEntry(after, keys) : after;
      if (first && Object.keys(value.mcpServers ?? {}).length > 0) expect(again).toBe(text);
    }),
    { seed: 20_261, numRuns: 300 },
  );
});
