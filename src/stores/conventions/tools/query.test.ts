import { expect, test } from 'vitest';
import { conventionsOf, conventionsWith } from '../../../../tests/support/conventions.ts';
import { databases } from '../../../../tests/support/libraries.ts';
import { toolCategories } from './record.ts';
import { registry, toolFacts } from './registry.ts';

const project = { 'package.json': '{}', '.eslintrc.json': '{}', 'a.ts': 'x\n' };

test('Caching and Persistence: the second question is answered from the cache', async () => {
  const { repository, conventions } = conventionsWith(project);
  const first = await conventions.tools.discover({ path: '', category: 'linter' });
  const second = await conventionsOf(repository).tools.discover({ path: '', category: 'linter' });
  expect([first.cache_hit, second.cache_hit]).toEqual([false, true]);
  expect(second.tools).toEqual(first.tools);
  expect(second.discovered_at).toBe(first.discovered_at);
});

test('Caching and Persistence, invalidation 1: a configuration file that changed, appeared or went', async () => {
  const { repository, conventions } = conventionsWith(project);
  const ask = () => conventions.tools.discover({ path: '', category: 'linter' });
  await ask();
  repository.write('biome.json', '{}');
  const appeared = await ask();
  expect(appeared.cache_hit).toBe(false);
  expect(appeared.tools.map((tool) => tool.name).sort()).toEqual(['biome', 'eslint']);
  repository.write('package.json', JSON.stringify({ scripts: { lint: 'eslint src' } }));
  expect((await ask()).tools[0]).toMatchObject({ name: 'eslint', run_command: 'npm run lint' });
  repository.remove('.eslintrc.json');
  repository.write('package.json', '{}');
  expect((await ask()).tools.map((tool) => tool.name)).toEqual(['biome']);
  repository.write('a.ts', 'y\n');
  expect((await ask()).cache_hit).toBe(true);
});

test('Caching and Persistence, invalidation 2: a person asks again', async () => {
  const { conventions } = conventionsWith(project);
  await conventions.tools.discover({ path: '' });
  expect((await conventions.tools.discover({ path: '', force: true })).cache_hit).toBe(false);
});

test('Caching and Persistence, invalidation 3: another branch or commit', async () => {
  const { repository, conventions } = conventionsWith(project);
  const ask = () => conventions.tools.discover({ path: '', category: 'linter' });
  await ask();
  repository.git('switch', '-q', '-c', 'other');
  expect(await ask()).toMatchObject({ cache_hit: false, branch: 'other' });
  repository.git('switch', '-q', '--detach');
  expect((await ask()).branch).toMatch(/^[0-9a-f]{40}$/);
  repository.git('switch', '-q', 'main');
  expect(await ask()).toMatchObject({ cache_hit: true, branch: 'main' });
});

test('Protocol, tier 2: one candidate in the registry is satisfactory and asks nobody', async () => {
  const { conventions } = conventionsWith({ 'a.sh': 'x\n' });
  const found = await conventions.tools.discover({ path: '', category: 'linter' });
  expect(found).toMatchObject({
    tier: 2,
    confidence: 'low',
    requires_user: false,
    registry_date: registry().date,
  });
  expect(found.tools[0]).toMatchObject({ name: 'shellcheck', source: 'registry', confidence: 'low' });
  expect(found.answers[0]).toMatchObject({ satisfactory: true });
});

test('Protocol, tier 3: several candidates ask a person, with pros, cons, one recommendation and a way out', async () => {
  const { conventions } = conventionsWith({ 'a.ts': 'x\n' });
  const found = await conventions.tools.discover({ path: '', category: 'linter' });
  expect(found).toMatchObject({ tier: 3, confidence: 'low', requires_user: true, tools: [] });
  expect(found.user_options.map((option) => option.tool.name)).toEqual([
    'oxlint',
    'eslint',
    'biome',
    'custom',
  ]);
  expect(found.user_options.filter((option) => option.recommended)).toHaveLength(1);
  expect(found.user_options.every((option) => option.pros.length > 0 && option.cons.length > 0)).toBe(true);
});

test.each(databases)(
  'Protocol, tier 3: what a person chose is applied at once, kept for later sessions, and can be taken back, on $name',
  async ({ freshUrl }) => {
    const { repository } = conventionsWith({ 'a.ts': 'x\n', 'packages/p/b.ts': 'x\n' });
    const url = await freshUrl();
    const choice = {
      path: '',
      language: 'typescript',
      category: 'linter' as const,
      tool: 'biome',
      by: 'Ada',
    };
    await conventionsOf(repository, { url }).tools.choose(choice);
    const later = conventionsOf(repository, { url }).tools;
    const found = await later.discover({ path: 'packages/p', category: 'linter' });
    expect(found).toMatchObject({
      tier: 3,
      requires_user: false,
      user_overrides: { 'typescript linter': 'biome' },
    });
    expect(found.tools[0]).toMatchObject({
      name: 'biome',
      source: 'user_choice',
      run_command: 'npx biome lint .',
    });
    // A configuration of another tool that comes later changes neither the command nor the choice, and is named.
    repository.commit('configure another', { 'eslint.config.js': 'export default [];\n' });
    const [kept] = (await conventionsOf(repository, { url }).tools.discover({ path: '', category: 'linter' }))
      .tools;
    expect(kept).toMatchObject({ run_command: 'npx biome lint .', install_cmd: found.tools[0]?.install_cmd });
    expect(kept?.rationale).toContain('the project configures eslint (eslint.config.js');
    await later.choose({ ...choice, path: 'packages/p', tool: 'our-lint', runCommand: './our-lint' });
    expect((await later.discover({ path: 'packages/p', category: 'linter' })).tools[0]).toMatchObject({
      run_command: './our-lint',
    });
    expect(await later.unchoose({ ...choice, path: 'packages/p' })).toBe(true);
    expect((await later.discover({ path: 'packages/p', category: 'linter' })).tools[0]?.name).toBe('biome');
    await expect(later.choose({ ...choice, tool: 'prettier' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  },
);

test('Language Defaults Registry: 22 languages, every tool known with a command for its category', () => {
  const { languages, trade_offs } = registry();
  expect(Object.keys(languages).sort()).toEqual(
    'bash c cpp csharp dart elixir go java javascript kotlin nix ocaml php python ruby rust svelte swift terraform typescript vue zig'.split(
      ' ',
    ),
  );
  for (const [language, tools] of Object.entries(languages)) {
    for (const category of toolCategories) {
      for (const name of tools[category])
        expect(toolFacts(name)?.uses[category], `${language} ${category} ${name}`).toBeTruthy();
      if (tools[category].length > 1)
        for (const name of tools[category])
          expect(trade_offs[name], `${language} ${category} ${name}`).toBeDefined();
    }
  }
});

test('the registry is corrected: ruff checks no types, ruff-lsp is gone, biome installs from its real package', () => {
  expect(toolFacts('ruff')?.uses.type_checker).toBeUndefined();
  expect(registry().languages.python?.type_checker).not.toContain('ruff');
  expect(toolFacts('ruff')?.uses.lsp).toBe('ruff server');
  expect(toolFacts('ruff-lsp')).toBeUndefined();
  expect(toolFacts('biome')?.install).toBe('@biomejs/biome');
});

test('the language server of TypeScript follows the version of the compiler', async () => {
  const { conventions } = conventionsWith({
    'new/package.json': JSON.stringify({ devDependencies: { typescript: '^7.0.2' } }),
    'new/a.ts': 'x\n',
    'old/package.json': JSON.stringify({ devDependencies: { typescript: '~5.9.0' } }),
    'old/a.ts': 'x\n',
  });
  const server = async (path: string) =>
    (await conventions.tools.discover({ path, category: 'lsp' })).tools[0]?.run_command;
  expect(await server('new')).toBe('npx tsc --lsp --stdio');
  expect(await server('old')).toBe('npx typescript-language-server --stdio');
});
