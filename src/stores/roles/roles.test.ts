import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { fromClaudeCode, openRoles, type Role, roleNames, toClaudeCode, writeRole } from './index.ts';
import { joinRole, splitRole } from './read-role.ts';

function setUp() {
  const [personDirectory, root] = [temporaryDirectory('person'), temporaryDirectory('repository')];
  const trusted = new Map<string, string>();
  const roles = openRoles({ personDirectory, root, trusted: () => trusted });
  mkdirSync(join(root, '.sylk/roles'), { recursive: true });
  return {
    roles,
    own: (name: string, text: string) => writeFileSync(join(personDirectory, `${name}.md`), text),
    theirs: (name: string, text: string) => writeFileSync(join(root, '.sylk/roles', `${name}.md`), text),
    trust: () => {
      for (const { item, digest } of roles.ofRepository()) trusted.set(item, digest);
    },
  };
}
const plain = ({ from: _f, repository: _r, problems: _p, ...role }: ReturnType<typeof find>): Role => role;
const find = (roles: ReturnType<typeof setUp>['roles'], name: string) => {
  const role = roles.find(name);
  if (!role) throw new Error(`no role ${name}`);
  return role;
};

test('the ten roles of the product can be read, each with a prompt, tools and no problem', () => {
  const { roles } = setUp();
  const all = roles.list();
  expect(all.map(({ name }) => name)).toEqual([...roleNames]);
  for (const role of all) {
    expect(role.problems, role.name).toEqual([]);
    expect(role.prompt, role.name).toMatch(/^You are the /);
    expect(role.tools.core.length, role.name).toBeGreaterThan(2);
    for (const asked of role.asks) expect(roleNames).toContain(asked);
  }
  expect(roles.find('boss')).toBeUndefined();
});

test('techniques are given out as the matrix of the design has them', () => {
  const counts = Object.fromEntries(
    setUp()
      .roles.list()
      .map(({ name, techniques }) => [name, techniques.length]),
  );
  expect(counts).toMatchObject({
    guide: 1,
    architect: 3,
    engineer: 10,
    inspector: 6,
    tester: 6,
    designer: 5,
  });
});

test('a file of the person changes what it names and leaves the rest', () => {
  const { roles, own } = setUp();
  const before = plain(find(roles, 'engineer'));
  own('engineer', '---\nmodel: fast\ntools:\n  specialised: []\nmemory:\n  hand_over: 60\n---\n');
  const after = find(roles, 'engineer');
  expect(after.from).toBe('person');
  expect(plain(after)).toEqual({
    ...before,
    model: 'fast',
    tools: { ...before.tools, specialised: [] },
    memory: { ...before.memory, hand_over: 60 },
  });
  own('engineer', '---\nmodel: fast\n---\nYou are the engineer, and brief.\n');
  expect(find(roles, 'engineer').prompt).toBe('You are the engineer, and brief.');
});

test.each([
  ['no beginning', 'just words'],
  ['no YAML', '---\nmodel: [\n---\n'],
  ['a field that nobody knows', '---\nsuper: true\n---\n'],
  ['aliases', '---\ndoes: &a x\nname: *a\n---\n'],
])('a file of the person with %s changes nothing and is told', (_, text) => {
  const { roles, own } = setUp();
  const before = plain(find(roles, 'tester'));
  own('tester', text);
  const after = find(roles, 'tester');
  expect(plain(after)).toEqual(before);
  expect(after.problems.join()).toContain('your roles/tester.md');
});

test('a file of the repository does nothing before it is trusted, and then only takes away and adds words', () => {
  const { roles, theirs, trust } = setUp();
  const before = plain(find(roles, 'engineer'));
  const head = [
    'model: fast',
    'usual_model: evil/model',
    'may: [read, change, end]',
    'tools: { core: [read_file, edit_file, launch_missiles], specialised: [get_impact] }',
    'memory: { hand_over: 99 }',
    'asks: [librarian, tester]',
  ];
  const text = `---\n${head.join('\n')}\n---\nTabs, not spaces.\n`;
  theirs('engineer', text);
  // A person reads it as it is in the file.
  expect(roles.ofRepository()).toMatchObject([{ item: 'roles/engineer.md', text }]);
  expect(find(roles, 'engineer')).toMatchObject({ repository: 'waits', ...before });
  trust();
  const { problems, ...narrowed } = find(roles, 'engineer');
  expect(narrowed).toMatchObject({
    repository: 'narrows',
    model: 'strong',
    usual_model: before.usual_model,
    may: ['read', 'change', 'end'],
    asks: ['librarian'],
    tools: { core: ['read_file', 'edit_file'], specialised: ['get_impact'] },
    memory: { hand_over: 95 },
    prompt: `${before.prompt}\n\nIn this repository:\n\nTabs, not spaces.`,
  });
  expect(problems.join('\n')).toContain('does not decide about model');
  expect(problems.join('\n')).toContain('launch_missiles is not given');
  theirs('engineer', '---\nmay: [read]\n---\n');
  expect(find(roles, 'engineer').repository).toBe('waits');
  trust();
  expect(plain(find(roles, 'engineer'))).toEqual({ ...before, may: ['read'] });
  theirs('engineer', '---\ntools: { core: [read_file] }\n---\n');
  trust();
  const tools = { ...before.tools, core: ['read_file'] };
  expect(plain(find(roles, 'engineer'))).toEqual({ ...before, tools });
});

test('every role goes to Claude Code and comes back the same, and what was changed there holds', () => {
  const { roles } = setUp();
  const served = ['ask', 'search_all', 'get_symbol'];
  for (const role of roles.list().map(plain)) {
    expect(fromClaudeCode(toClaudeCode(role, served), served), role.name).toEqual(role);
    const written = joinRole([splitRole(writeRole(role))]);
    expect(written).toEqual({ role, problems: [] });
  }
  const text = toClaudeCode(plain(find(roles, 'engineer')), served)
    .replace('Bash, ', '')
    .replace('model: opus', 'model: sonnet')
    .replace(/You are the engineer[^\n]*/, 'You are somebody else.');
  expect(text).toMatch(/^---\nname: sylk-engineer\ndescription: Writes .*\ntools: Read, Write, Edit, Grep, /);
  const back = fromClaudeCode(text, served);
  expect(back.model).toBe('fast');
  expect(back.tools.core).not.toContain('run_command');
  expect(back.tools.core).toContain('signal_complete');
  expect(back.prompt).toMatch(/^You are somebody else\./);
  expect(() => fromClaudeCode('---\nname: reviewer\n---\nHi', served)).toThrow('no subagent that was a role');
});
