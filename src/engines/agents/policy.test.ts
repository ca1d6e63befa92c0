import { describe, expect, test } from 'vitest';
import type { Standing } from '../../stores/approvals/index.ts';
import { type Circumstances, judge } from './policy.ts';
import { plainCommands } from './tools/plain-commands.ts';
import type { Permission } from './worker.ts';

const usual: Circumstances = { rules: [], known: ['npm test'], isConfined: true, isTainted: true };
const command = (line: string): Permission => ({
  tool: 'run_command',
  effect: 'command',
  input: { command: line },
  command: line,
});
const write = (path: string): Permission => ({
  tool: 'write_file',
  effect: 'change',
  input: { path },
  paths: [path],
});
const verdict = (permission: Permission, circumstances: Partial<Circumstances> = {}) =>
  judge(permission, { ...usual, ...circumstances }).verdict;

test.each([
  ['ls -la src', 'allow'],
  ['git diff HEAD~1', 'allow'],
  ['npm test', 'allow'],
  ['npm test -- --watch=false', 'allow'],
  ['git status && npm test', 'allow'],
  ['cat a.txt 2>&1 | head -5', 'allow'],
  ['npm testing', 'ask'],
  ['npm publish', 'ask'],
  ['ls; rm -rf .', 'ask'],
  ['ls && curl http://x', 'ask'],
  ['cat $(which sh)', 'ask'],
  ['cat `id`', 'ask'],
  ['ls > out.txt', 'ask'],
  ['cat < /etc/passwd', 'ask'],
  ['ls\nrm a', 'ask'],
  ['ls & rm a', 'ask'],
  ['PATH=. ls', 'ask'],
  ['git -c alias.x=!sh x', 'ask'],
  ['git push', 'ask'],
  ['echo "$HOME"', 'ask'],
  ['l\\s', 'ask'],
  ['', 'ask'],
])('the command %j is judged %s without rules of the person', (line, expected) => {
  expect(verdict(command(line))).toBe(expected);
});

test('a line is read as plain words only where a shell reads it the same', () => {
  expect(plainCommands('grep -n \'a b\' "c d" && ls')).toEqual([['grep', '-n', 'a b', 'c d'], ['ls']]);
  for (const line of [
    'a $b',
    'a `b`',
    'a > b',
    'a\nb',
    'a & b',
    '(a)',
    'a {b}',
    'a ~',
    'A=1 b',
    'a \\b',
    'a #b',
    '! a',
  ])
    expect(plainCommands(line), line).toBeUndefined();
});

describe('rules of the person', () => {
  test('the strictest rule that matches holds', () => {
    const rules = [
      { action: 'allow' as const, command: 'npm' },
      { action: 'deny' as const, command: 'npm publish' },
    ];
    expect(verdict(command('npm run build'), { rules })).toBe('allow');
    expect(verdict(command('npm publish --tag x'), { rules })).toBe('deny');
    expect(verdict(command('echo ok && npm publish'), { rules })).toBe('deny');
    expect(verdict(command('sh -c "npm publish"'), { rules })).toBe('ask');
    expect(verdict(command('$(echo npm publish)'), { rules })).toBe('deny');
  });

  test('a rule for paths, tools and hosts', () => {
    expect(verdict(write('secret/a.txt'), { rules: [{ action: 'deny', path: 'secret/**' }] })).toBe('deny');
    expect(verdict(write('src/a.ts'), { rules: [{ action: 'ask', tool: 'write_file' }] })).toBe('ask');
    const fetch = (host: string): Permission => ({
      tool: 'fetch',
      effect: 'fetch',
      input: {},
      hosts: [host],
    });
    const rules = [{ action: 'allow' as const, host: '*.example.org' }];
    expect(verdict(fetch('docs.example.org'), { rules, isTainted: false })).toBe('allow');
    expect(verdict(fetch('example.org.evil.net'), { rules, isTainted: false })).toBe('ask');
  });
});

test('an agent that has read text of others reaches outside only when a person says so', () => {
  const rules = [{ action: 'allow' as const, effect: 'fetch' as const }];
  const fetch: Permission = { tool: 'fetch', effect: 'fetch', input: {}, hosts: ['a.org'] };
  expect(verdict(fetch, { rules, isTainted: false })).toBe('allow');
  expect(verdict(fetch, { rules, isTainted: true })).toBe('ask');
});

test('without a sandbox every command is asked for, whatever rules say', () => {
  expect(verdict(command('npm test'), { isConfined: false })).toBe('ask');
  expect(verdict(command('ls'), { isConfined: false, rules: [{ action: 'allow', effect: 'command' }] })).toBe(
    'ask',
  );
});

test.each([
  ['.git/config', 'deny'],
  ['sub/.git/hooks/pre-commit', 'deny'],
  ['.sylk/config.yaml', 'ask'],
  ['.claude/settings.json', 'ask'],
  ['pkg/.mcp.json', 'ask'],
  ['AGENTS.md', 'ask'],
  ['AGENTS.override.md', 'ask'],
  ['sub/CLAUDE.local.md', 'ask'],
  ['.cursorrules', 'ask'],
  ['src/Agents.MD', 'ask'],
  ['.woodpecker.yml', 'ask'],
  ['.forgejo/workflows/x.yml', 'ask'],
  ['lefthook.yml', 'ask'],
  ['.drone.yml', 'ask'],
  ['.clinerules/a.md', 'ask'],
  ['.devcontainer/devcontainer.json', 'ask'],
  ['docs/agents.md', 'allow'],
  ['.github/workflows/ci.yml', 'ask'],
  ['.env', 'ask'],
  ['src/a.ts', 'allow'],
  ['AGENTS.md.txt', 'allow'],
])('changing %s is judged %s', (path, expected) => {
  expect(verdict(write(path))).toBe(expected);
});

describe('what a person allowed always', () => {
  const standing = (given: Partial<Standing>): Standing => ({
    id: 'perm_1',
    repository: '/r',
    tool: 'run_command',
    command: null,
    path: null,
    exact: true,
    decision: 'approved',
    given_at: '',
    given_by: 'ada',
    approval_id: 'apr_1',
    ...given,
  });
  const always = [
    standing({ command: 'npm run build' }),
    standing({ command: 'make check', exact: false }),
    standing({ tool: 'write_file', path: 'AGENTS.md' }),
  ];

  test.each([
    ['npm run build', 'allow'],
    ['npm run build -- --watch', 'ask'],
    ['npm run build && ls', 'allow'],
    ['npm run build && rm a', 'ask'],
    ['npm run build; make check', 'allow'],
    ['make check -j4', 'allow'],
    ['make checks', 'ask'],
    ['make', 'ask'],
    ['make check > out.txt', 'ask'],
    ['make check "$(rm a)"', 'ask'],
  ])('the command %j is then judged %s', (line, expected) => {
    expect(verdict(command(line), { standing: always })).toBe(expected);
  });

  test.each([
    ['make check', 'deny'],
    ['npm run build && make check', 'deny'],
    ['make', 'ask'],
    ['ls', 'allow'],
  ])('what they refused always wins: %j is judged %s', (line, expected) => {
    const refused = standing({ command: 'make check', decision: 'denied' });
    expect(verdict(command(line), { standing: [...always, refused] })).toBe(expected);
  });

  test('it holds for the same tool and path only', () => {
    expect(verdict(write('AGENTS.md'), { standing: always })).toBe('allow');
    expect(verdict(write('sub/AGENTS.md'), { standing: always })).toBe('ask');
    expect(verdict({ ...write('AGENTS.md'), tool: 'edit_file' }, { standing: always })).toBe('ask');
    expect(verdict({ ...command('make check'), tool: 'Bash' }, { standing: always })).toBe('ask');
  });

  test('rules of the person that deny or ask still win, and so does a machine without a sandbox', () => {
    const rule = (action: 'ask' | 'deny') => ({ rules: [{ action, command: 'make' }], standing: always });
    expect(verdict(command('make check'), rule('deny'))).toBe('deny');
    expect(verdict(command('make check'), rule('ask'))).toBe('ask');
    expect(verdict(command('make check'), { standing: always, isConfined: false })).toBe('ask');
    expect(
      verdict(write('.git/config'), { standing: [standing({ tool: 'write_file', path: '.git/config' })] }),
    ).toBe('deny');
  });

  test('it is offered for plain commands and paths, never for what reaches outside or what a rule of the person asks for', () => {
    const offer = (permission: Permission, circumstances: Partial<Circumstances> = {}) =>
      judge(permission, { ...usual, ...circumstances }).always;
    expect(offer(command('make x && ls && rm "a b"'))).toEqual([
      { tool: 'run_command', command: 'make x' },
      { tool: 'run_command', command: "rm 'a b'" },
    ]);
    expect(offer(write('.env'))).toEqual([{ tool: 'write_file', path: '.env' }]);
    expect(offer(command('make $x'))).toBeUndefined();
    expect(offer(command('make x && $y'))).toBeUndefined();
    expect(offer(command('make x'), { isConfined: false })).toBeUndefined();
    expect(offer(command('make x'), { rules: [{ action: 'ask', command: 'make' }] })).toBeUndefined();
    expect(offer({ tool: 'fetch', effect: 'fetch', input: {}, hosts: ['a.org'] })).toBeUndefined();
  });
});
