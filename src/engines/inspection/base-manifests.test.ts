import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { withJudgesOf } from './base-manifests.ts';

const merged = (path: string, before: string | undefined, after: string) =>
  withJudgesOf({
    path,
    before,
    after,
    status: before === undefined ? 'added' : 'modified',
    lines: new Set(),
  });

test('settings of judges in a manifest are those of the base, the rest is that of the change', () => {
  const project = (version: string, options: string) =>
    `[project]\nname = "shop"\nversion = "${version}"\n\n[tool.pytest.ini_options]\n${options}\n`;
  const python = merged(
    'pyproject.toml',
    project('1.0', 'testpaths = ["tests"]'),
    project('1.1', 'addopts = "-k fast"'),
  );
  expect(parse(python ?? '')).toEqual({
    project: { name: 'shop', version: '1.1' },
    tool: { pytest: { ini_options: { testpaths: ['tests'] } } },
  });
  const added = merged('pyproject.toml', undefined, project('1.0', 'addopts = "-p quiet"'));
  expect(parse(added ?? '')).toEqual({ project: { name: 'shop', version: '1.0' }, tool: {} });
  const rust = merged(
    'Cargo.toml',
    '[package]\nname = "shop"\n',
    '[package]\nname = "shop"\nautotests = false\n[lib]\ntest = false\n[profile.test]\ndebug-assertions = false\n[dependencies]\nserde = "1"\n',
  );
  expect(parse(rust ?? '')).toEqual({ package: { name: 'shop' }, lib: {}, dependencies: { serde: '1' } });
  const node = merged(
    'package.json',
    JSON.stringify({ imports: { '#rates': './src/rates.js' }, scripts: { test: 'jest' }, jest: { bail: 1 } }),
    JSON.stringify({
      version: '2',
      imports: { '#rates': './test/fake.js', '#new': './src/new.js' },
      scripts: { test: 'true', build: 'tsc' },
      jest: { passWithNoTests: true },
    }),
  );
  expect(JSON.parse(node ?? '')).toEqual({
    version: '2',
    imports: { '#rates': './src/rates.js', '#new': './src/new.js' },
    scripts: { test: 'jest', build: 'tsc' },
    jest: { bail: 1 },
  });
  expect(
    merged(
      'setup.cfg',
      '[metadata]\nname = a\n[tool:pytest]\nx = 1\n',
      '[tool:pytest]\nx = 2\n[metadata]\nname = b\n',
    ),
  ).toBe('[metadata]\nname = b\n\n[tool:pytest]\nx = 1\n');
});

test('a manifest that says the same about its judges, or can not be read, stays as it is', () => {
  expect(merged('package.json', '{"version":"1"}', '{"version":"2"}')).toBeUndefined();
  expect(merged('pyproject.toml', '', '[broken')).toBeUndefined();
  expect(merged('src/a.toml', '', '[lints]\n')).toBeUndefined();
});
