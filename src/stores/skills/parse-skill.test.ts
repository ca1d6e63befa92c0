import { describe, expect, test } from 'vitest';
import { parseSkill } from './parse-skill.ts';

const parse = (content: string | Uint8Array, id = 'tools/mender') =>
  parseSkill(content, { id, file: `${id}/SKILL.md`, scope: 'project' });
const codes = (content: string | Uint8Array, id?: string) =>
  parse(content, id).problems.map((problem) => `${problem.severity} ${problem.code} ${problem.line}`);

test('a skill of the standard loads without a word, with every field', () => {
  const { document, problems } = parse(
    [
      '---',
      'name: mender',
      'description: Mends nets. Use when a net is torn.',
      'license: MIT',
      'compatibility: needs a needle',
      'allowed-tools: Bash(git:*) Read',
      'metadata:',
      '  author: someone',
      '  version: "1.0"',
      'requires_capabilities: [sewing, knots]',
      '---',
      '',
      '# Mend',
      '',
      '---',
      'Done.',
      '',
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(document).toEqual({
    descriptor: {
      id: 'tools/mender',
      name: 'mender',
      description: 'Mends nets. Use when a net is torn.',
      scope: 'project',
      requires_capabilities: ['sewing', 'knots'],
      metadata: { author: 'someone', version: '1.0' },
      source_name: '',
    },
    body: '# Mend\n\n---\nDone.',
    extensions: { license: 'MIT', compatibility: 'needs a needle', 'allowed-tools': 'Bash(git:*) Read' },
  });
});

/** Each reproduces one oddity that public collections have; the expectation is what most clients do with it. */
const odd: Array<[why: string, text: string | Uint8Array, loaded: boolean, problems: string[]]> = [
  [
    'a description of several lines',
    '---\nname: mender\ndescription: |-\n  Mends nets.\n  TRIGGER: torn net\n---\nb',
    true,
    [],
  ],
  ['a folded description', '---\nname: mender\ndescription: >\n  Mends\n  nets.\n---\nb', true, []],
  [
    'a name that differs from the directory',
    '---\nname: other\ndescription: d\n---\nb',
    true,
    ['warning name-differs 2'],
  ],
  ['a description with <tags>', '---\nname: mender\ndescription: Uses `<View>` & more\n---\nb', true, []],
  [
    'a name outside [a-z0-9-]',
    '---\nname: -Mender_1\ndescription: d\n---\nb',
    true,
    ['warning name 2', 'warning name-differs 2'],
  ],
  [
    'allowed-tools as a list',
    '---\nname: mender\ndescription: d\nallowed-tools:\n  - Read\n---\nb',
    true,
    ['note allowed-tools 4'],
  ],
  [
    'allowed-tools with commas',
    '---\nname: mender\ndescription: d\nallowed-tools: Read, Write\n---\nb',
    true,
    ['note allowed-tools 4'],
  ],
  ['a description in another script', '---\nname: mender\ndescription: "自动配置飞书"\n---\nb', true, []],
  [
    'metadata values that are not text',
    '---\nname: mender\ndescription: d\nmetadata:\n  a: 1\n  b: [x]\n---\nb',
    true,
    ['note metadata 4'],
  ],
  [
    'a key that stands twice',
    '---\nname: mender\ndescription: d\nname: mender\n---\nb',
    true,
    ['warning duplicate-key 4'],
  ],
  [
    'a key that stands twice further in',
    '---\nname: mender\ndescription: d\nmetadata:\n  a: x\n  a: y\n---\nb',
    true,
    ['warning duplicate-key 6'],
  ],
  ['no front matter', '# Mender\n\nMend.\n', false, ['error no-front-matter 1']],
  ['no name', '---\ndescription: d\n---\nb', true, ['warning no-name 2']],
  [
    'a byte order mark',
    '\ufeff---\nname: mender\ndescription: d\n---\nb',
    true,
    ['warning byte-order-mark 1'],
  ],
  [
    'metadata that is no mapping',
    '---\nname: mender\ndescription: d\nmetadata:\n---\nb',
    true,
    ['warning metadata 4'],
  ],
  [
    'text before the opening line',
    '```skill\n---\nname: mender\ndescription: d\n---\nb',
    false,
    ['error text-before 2'],
  ],
  [
    'hidden characters',
    '---\nname: mender\ndescription: d\n---\nb\u200b\nc\u202e',
    true,
    ['warning hidden-text 6', 'warning hidden-text 5'],
  ],
  [
    'unknown keys',
    '---\nname: mender\ndescription: d\nversion: 1.0.0\nhomepage: x\n---\nb',
    true,
    ['note unknown-keys 4'],
  ],
  ['CR LF', '---\r\nname: mender\r\ndescription: d\r\n---\r\nb\r\n', true, ['note line-ends 1']],
  [
    'an unquoted colon',
    '---\nname: mender\ndescription: Use when: a net is torn\n---\nb',
    true,
    ['warning yaml 3'],
  ],
  ['tabs', '---\nname: mender\ndescription:\n\tMends nets.\n---\nb', true, ['warning yaml 4']],
  ['no description', '---\nname: mender\n---\nb', false, ['error no-description 2']],
  ['an empty description', '---\nname: mender\ndescription: ""\n---\nb', false, ['error no-description 3']],
  [
    'a description that is a mapping',
    '---\nname: mender\ndescription:\n  a: b\n---\nb',
    false,
    ['error description 3'],
  ],
  [
    'a description that is a number',
    '---\nname: mender\ndescription: 7\n---\nb',
    true,
    ['warning description 3'],
  ],
  ['a front matter that never ends', '---\nname: mender\ndescription: d\n\nb', false, ['error unclosed 1']],
  ['a front matter of prose', '---\njust words\n---\nb', false, ['error yaml 2']],
  [
    'a description that is too long',
    `---\nname: mender\ndescription: ${'d '.repeat(600)}\n---\nb`,
    true,
    ['warning description-length 3'],
  ],
  [
    'aliases that grow',
    '---\nname: mender\ndescription: d\na: &a [x, x]\nb: [*a, *a]\n---\nb',
    true,
    ['warning yaml 2', 'note unknown-keys 4'],
  ],
  [
    'an HTML comment',
    '---\nname: mender\ndescription: d\n---\nb\n<!-- secret -->',
    true,
    ['note html-comment 6'],
  ],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x2d, 0x00]), false, ['error encoding 1']],
  [
    'bytes that are not UTF-8',
    Buffer.from('---\nname: mender\ndescription: d\n---\nb \xff', 'latin1'),
    true,
    ['warning encoding 5'],
  ],
  ['nothing at all', '', false, ['error no-front-matter 1']],
];

describe('an odd file is a skill, a problem with its line, or both, and never an exception', () => {
  test.each(odd)('%s', (_why, text, loaded, problems) => {
    expect(parse(text).document !== undefined).toBe(loaded);
    expect(codes(text)).toEqual(problems);
  });

  test('every problem says how to fix it, and an error means that nothing was loaded', () => {
    for (const [, text, loaded] of odd) {
      const { problems } = parse(text);
      for (const problem of problems) expect(problem.fix.length).toBeGreaterThan(8);
      expect(problems.some((problem) => problem.severity === 'error')).toBe(!loaded);
    }
  });
});

test('what was read leniently keeps its words', () => {
  const { document } = parse(
    '---\nname: mender\ndescription: Use when: a net is torn\nlicense: "MIT"\n---\nb',
  );
  expect(document?.descriptor.description).toBe('Use when: a net is torn');
  expect(document?.extensions).toEqual({ license: 'MIT' });
});

test('lines of a description become one line', () => {
  const { document } = parse('---\nname: mender\ndescription: |\n  One.\n\n  Two.\n---\nb');
  expect(document?.descriptor.description).toBe('One. Two.');
});

test('an id that no message can name is loaded with a warning', () => {
  expect(codes('---\nname: Mender\ndescription: d\n---\nb', 'My Tools/Mender')).toEqual([
    'warning name 2',
    'warning not-referable 1',
  ]);
});

test('the short way through simple front matters reads exactly what YAML reads', () => {
  const values = [
    'plain words',
    '"quoted: with colon"',
    "it's here",
    '(parenthesis) first',
    'a-b_c',
    'ends with colon:',
    '1.0',
    'true',
    'null',
    '~',
    '- dash',
    'x # comment',
    '[a, b]',
    "'single'",
    '"tab\\t"',
    'https://a.b/c',
    'a & b',
    '*star',
    '2024-01-01',
    'e: f',
    '0x1f',
    '.5',
    '@at',
    'yes',
    '\n  author: someone\n  version: "1.0"',
    '\n  mcp: [rube, other]',
    '\n  a: 1',
    '\n  a:\n    b: c',
    '\n  - one',
    '[1, 2]',
    '[a, -b]',
    '[]',
    '',
    '\n   odd: indent',
  ];
  for (const value of values) {
    const simple = parse(`---\nname: mender\ndescription: d\nlicense: ${value}\nlast: x\n---\nb`).document
      ?.extensions;
    // A comment line makes the short way step aside.
    const yaml = parse(`---\n# all of it\nname: mender\ndescription: d\nlicense: ${value}\nlast: x\n---\nb`)
      .document?.extensions;
    expect(simple, value).toEqual(yaml);
  }
});
