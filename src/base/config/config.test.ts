import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { actingKey, addingKey, configSection, dataKey, loadConfig, userKey } from './index.ts';

const section = configSection('demo', {
  depth: dataKey(z.number().int().min(1).default(3), 'how deep'),
  url: actingKey(z.string().default(''), 'where'),
  hosts: userKey(z.array(z.string()).default([]), 'who'),
});

function layers(
  files: { user?: string; project?: string },
  more: Partial<Parameters<typeof loadConfig>[0]> = {},
) {
  const directory = temporaryDirectory('config');
  const path = (name: 'user' | 'project') => {
    if (files[name] === undefined) return undefined;
    writeFileSync(join(directory, `${name}.yaml`), files[name]);
    return join(directory, `${name}.yaml`);
  };
  const userFile = path('user');
  const projectFile = path('project');
  return loadConfig({
    sections: [section],
    ...(userFile ? { userFile } : {}),
    ...(projectFile ? { projectFile } : {}),
    trustOf: () => 'new',
    env: {},
    ...more,
  });
}

const depthOf = (loaded: ReturnType<typeof loadConfig>) => [
  loaded.sections.demo!.depth,
  loaded.origins.find((origin) => origin.key === 'demo.depth')!.from.replace(/.*\//, ''),
];

test('defaults < user file < project file < environment < flags, and each value knows where it stands', () => {
  const files = { user: 'demo:\n  depth: 4\n', project: '# mine\ndemo:\n  url: x\n  depth: 5\n' };
  expect(depthOf(layers({}))).toEqual([3, 'default']);
  expect(depthOf(layers({ user: files.user }))).toEqual([4, 'user.yaml:2']);
  expect(depthOf(layers(files))).toEqual([5, 'project.yaml:4']);
  expect(depthOf(layers(files, { env: { SYLK_DEMO_DEPTH: '6' } }))).toEqual([
    6,
    'environment SYLK_DEMO_DEPTH',
  ]);
  expect(depthOf(layers(files, { env: { SYLK_DEMO_DEPTH: '6' }, flags: ['demo.depth=7'] }))).toEqual([
    7,
    'flag --set',
  ]);
});

test('a repository decides what describes it at once, what acts only after trust, what is personal never', () => {
  const project = 'demo:\n  depth: 9\n  url: https://evil.example\n  hosts: [evil]\n';
  const untrusted = layers({ project });
  expect(untrusted.sections.demo).toEqual({ depth: 9, url: '', hosts: [] });
  expect(untrusted.warnings).toEqual([
    expect.stringMatching(/project\.yaml:3: demo\.url is inactive until you trust it: run `sylk trust`/),
    expect.stringMatching(/project\.yaml:4: demo\.hosts is never read from a repository/),
  ]);
  const trusted = layers({ project }, { trustOf: () => 'trusted' });
  expect(trusted.sections.demo).toEqual({ depth: 9, url: 'https://evil.example', hosts: [] });
  expect(layers({ user: project }).sections.demo).toMatchObject({
    hosts: ['evil'],
    url: 'https://evil.example',
  });
});

test('a value that acts is judged by what it says, not by how the file is laid out', () => {
  const nested = configSection('demo', { server: actingKey(z.unknown(), 'where') });
  const item = (project: string) => {
    const { acting } = layers({ project }, { sections: [nested] });
    return acting.map(({ item: name, digest, text }) => [name, digest, text])[0];
  };
  const first = item('demo:\n  server: { url: https://a.example, port: 1 }\n');
  expect(first?.[0]).toBe('project.yaml demo.server');
  expect(first?.[2]).toBe('{ "port": 1, "url": "https://a.example" }');
  expect(item('# new\ndemo:\n\n  server:\n    port: 1 # one\n    url: "https://a.example"\n')).toEqual(first);
  const others = ['port: "1"', 'port: 2', 'port: .nan', 'port: null', 'port: [1]'].map(
    (port) => item(`demo:\n  server: { url: https://a.example, ${port} }\n`)?.[1],
  );
  expect(new Set([first?.[1], ...others]).size).toBe(6);
});

test('values that changed since they were trusted do not hold, and one line says how many', () => {
  const project = 'demo:\n  url: https://b.example\n';
  const changed = layers({ user: 'demo:\n  url: mine\n', project }, { trustOf: () => 'changed' });
  expect(changed.sections.demo!.url).toBe('mine');
  expect(changed.warnings).toEqual([
    '1 setting of this repository changed since you trusted it and is inactive (project.yaml demo.url): run `sylk trust` to see the difference.',
  ]);
});

test('an unknown key or section is warned about with its line and the nearest name, and harms nothing', () => {
  const { warnings, sections } = layers({ project: 'demo:\n  depht: 5\ndmeo:\n  x: 1\n' });
  expect(sections.demo!.depth).toBe(3);
  expect(warnings[0]).toMatch(/project\.yaml:2: unknown key demo\.depht; did you mean depth\?/);
  expect(warnings[1]).toMatch(/project\.yaml:[34]: unknown section dmeo; did you mean demo\?/);
});

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`)}]`).join('\n')}\n`;

test.each([
  ['a wrong type', { user: 'demo:\n\n  depth: deep\n' }, {}, /user\.yaml:3: demo\.depth: .*expected number/i],
  ['out of range', { user: 'demo: { depth: 0 }\n' }, {}, /user\.yaml:1: demo\.depth/],
  ['broken YAML', { user: 'demo:\n  depth: [\n' }, {}, /user\.yaml:\d+: not valid YAML/],
  ['an alias of nothing', { user: 'a: *b\n' }, {}, /user\.yaml:1: not valid YAML: Unresolved alias/],
  ['a bomb of aliases', { user: bomb }, {}, /user\.yaml:1: not valid YAML: Excessive alias count/],
  ['a list for a file', { user: '- a\n' }, {}, /user\.yaml:1: expected keys/],
  ['the environment', {}, { env: { SYLK_DEMO_DEPTH: 'x' } }, /environment SYLK_DEMO_DEPTH: demo\.depth/],
  ['an unknown flag', {}, { flags: ['demo.dept=1'] }, /--set demo\.dept=1: unknown key/],
  ['brackets within brackets', { user: `a: ${'['.repeat(60_000)}` }, {}, /user\.yaml:1: .*deeper than 64/],
])('a bad value of the person is an error that names its place: %s', (_title, files, more, words) => {
  try {
    layers(files, more);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(words),
      hint: expect.any(String),
    });
  }
});

test.each([
  [
    'a wrong type',
    'demo:\n\n  depth: deep\n',
    /project\.yaml:3: demo\.depth: .*expected number.* It is ignored/i,
  ],
  ['out of range', 'demo: { depth: 0 }\n', /project\.yaml:1: demo\.depth: .* It is ignored/],
  ['broken YAML', 'demo:\n  depth: [\n', /project\.yaml:\d+: not valid YAML: .* The file is ignored/],
  [
    'an alias of nothing',
    'a: *b\n',
    /project\.yaml:1: not valid YAML: Unresolved alias.* The file is ignored/,
  ],
  ['a bomb of aliases', bomb, /project\.yaml:1: not valid YAML: Excessive alias count.* The file is ignored/],
  [
    'brackets within brackets',
    `a: ${'['.repeat(60_000)}`,
    /project\.yaml:1: .*deeper than 64 levels\. The file/,
  ],
  [
    'lists within lists',
    `a:\n  ${'- '.repeat(30_000)}`,
    /project\.yaml:1: .*deeper than 64 levels\. The file/,
  ],
  ['a list for a file', '- a\n', /project\.yaml:1: expected keys.* The file is ignored/],
])(
  'a bad value of the repository is one warning that names its place, and the rest holds: %s',
  (_title, project, words) => {
    const { sections, warnings } = layers({ user: 'demo:\n  depth: 4\n  url: mine\n', project });
    expect(sections.demo).toEqual({ depth: 4, url: 'mine', hosts: [] });
    expect(warnings).toEqual([expect.stringMatching(words)]);
  },
);

test('of a list of the repository, the items that break a rule are left out and the others hold', () => {
  const listed = configSection('demo', {
    names: dataKey(z.array(z.string().max(3)).max(4).default([]), 'who'),
  });
  const read = (names: string) => layers({ project: `demo:\n  names: ${names}\n` }, { sections: [listed] });
  const some = read('[abc, abcd, 7, x]');
  expect(some.sections.demo).toEqual({ names: ['abc', 'x'] });
  expect(some.warnings).toEqual([expect.stringMatching(/project\.yaml:2: demo\.names: .* It is ignored/)]);
  expect(read('[a, b, c, d, e]').sections.demo).toEqual({ names: [] });
});

test('another file of the repository gives one section, weaker than the project file, and can be bad too', () => {
  const directory = temporaryDirectory('config-extra');
  const path = join(directory, '.extra.yaml');
  const read = (text: string, project?: string) => {
    writeFileSync(path, text);
    return layers(project === undefined ? {} : { project }, { projectExtra: { path, section: 'demo' } });
  };
  expect(depthOf(read('# ours\ndepth: 5\n'))).toEqual([5, '.extra.yaml:2']);
  expect(depthOf(read('depth: 5\n', 'demo:\n  depth: 6\n'))).toEqual([6, 'project.yaml:2']);
  expect(depthOf(read('depth: [\n'))).toEqual([3, 'default']);
  expect(read('depth: none\n').warnings).toEqual([expect.stringMatching(/\.extra\.yaml:1: demo\.depth/)]);
});

test('a section that is not a table and a hostile key do no harm', () => {
  expect(layers({ project: 'demo: 7\n' }).sections.demo!.depth).toBe(3);
  layers({ project: '__proto__:\n  polluted: 1\nconstructor:\n  prototype: 1\n' });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('a list that every layer adds to holds all of them, and names all their places', () => {
  const adding = configSection('demo', { never: addingKey(z.array(z.string()).default([]), 'what not') });
  const all = layers(
    { user: 'demo:\n  never: [a]\n', project: 'demo:\n  never: [b, c]\n' },
    { sections: [adding], env: { SYLK_DEMO_NEVER: '[]' }, flags: ['demo.never=["d"]'] },
  );
  expect(all.sections.demo).toEqual({ never: ['a', 'b', 'c', 'd'] });
  expect(all.origins[0]!.from).toMatch(/user\.yaml:2, .*project\.yaml:2, environment .*, flag --set$/);
  expect(layers({}, { sections: [adding] }).sections.demo).toEqual({ never: [] });
  expect(() =>
    layers({ user: 'demo:\n  never: 3\n', project: 'demo:\n  never: [b]\n' }, { sections: [adding] }),
  ).toThrow(/user\.yaml:2: demo\.never/);
});
