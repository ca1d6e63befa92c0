import { expect, test } from 'vitest';
import { conventionsWith } from '../../../../tests/support/conventions.ts';
import { capabilities } from './capabilities.ts';

const check = (files: Record<string, string>, need: string, path = '') =>
  conventionsWith(files).conventions.dependencies.check({ need, path, limit: 5 });

const shop = {
  'package.json': JSON.stringify({
    dependencies: { 'date-fns': '^2.0.0' },
    devDependencies: { zod: '^4.0.0' },
    peerDependencies: { react: '>=18' },
  }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': {},
      'node_modules/date-fns': { version: '2.30.0' },
      'node_modules/zod': { version: '4.1.2' },
    },
  }),
  'src/day.ts':
    "import { format, parse } from 'date-fns';\n\nexport const day = (at: Date) => format(at, 'yyyy-MM-dd');\nexport const read = (text: string) => parse(text, 'yyyy-MM-dd', new Date());\n",
};

test('Dependency Awareness: a need is answered by the installed package, with version, type and usage from the code', async () => {
  const reply = await check(shop, 'date formatting');
  expect(reply).toMatchObject({ already_available: true, suggestions: [] });
  expect(reply.packages).toEqual([
    {
      name: 'date-fns',
      version: '2.30.0',
      type: 'runtime',
      ecosystem: 'npm',
      capabilities: ['date formatting', 'date parsing', 'date manipulation'],
      usage_examples: {
        format:
          "import { format, parse } from 'date-fns';\nexport const day = (at: Date) => format(at, 'yyyy-MM-dd');  // src/day.ts:3",
        parse:
          "import { format, parse } from 'date-fns';\nexport const read = (text: string) => parse(text, 'yyyy-MM-dd', new Date());  // src/day.ts:4",
      },
      manifest: 'package.json',
    },
  ]);
});

test('Dependency Awareness: types are runtime, dev and peer, and a package is found by its name too', async () => {
  expect((await check(shop, 'schema validation')).packages[0]).toMatchObject({ name: 'zod', type: 'dev' });
  expect((await check(shop, 'react')).packages[0]).toMatchObject({
    name: 'react',
    type: 'peer',
    version: '>=18',
  });
});

test('Dependency Awareness: nothing fitting comes with suggestions of the same ecosystem and what is built in', async () => {
  const reply = await check(shop, 'HTTP client');
  expect(reply).toMatchObject({ already_available: false, packages: [] });
  expect(reply.suggestions.map((entry) => entry.name)).toEqual(['axios', 'got', 'ky']);
  expect(reply.builtin).toEqual([{ ecosystem: 'npm', name: 'fetch' }]);
});

test('a package that no table knows is found by what it says about itself', async () => {
  const { repository, conventions } = conventionsWith({
    'package.json': JSON.stringify({ dependencies: { zorbl: '1.0.0' } }),
    '.gitignore': 'node_modules\n',
  });
  repository.write(
    'node_modules/zorbl/package.json',
    JSON.stringify({ description: 'Barcode scanner for browsers', keywords: ['qr'] }),
  );
  const { packages } = await conventions.dependencies.check({ need: 'barcode scanner', path: '', limit: 5 });
  expect(packages[0]).toMatchObject({ name: 'zorbl', version: '1.0.0' });
});

const locks: Array<
  [title: string, files: Record<string, string>, need: string, name: string, version: string]
> = [
  [
    'npm, lock file version 1',
    {
      'package.json': '{"dependencies":{"zod":"^3"}}',
      'package-lock.json': '{"dependencies":{"zod":{"version":"3.22.4"}}}',
    },
    'schema validation',
    'zod',
    '3.22.4',
  ],
  [
    'pnpm, in a workspace',
    {
      'p/package.json': '{"dependencies":{"zod":"^4"}}',
      'pnpm-lock.yaml':
        "lockfileVersion: '9.0'\nimporters:\n  p:\n    dependencies:\n      zod:\n        specifier: ^4\n        version: 4.1.0\n",
    },
    'schema validation',
    'zod',
    '4.1.0',
  ],
  [
    'yarn, classic',
    {
      'package.json': '{"dependencies":{"zod":"^4"}}',
      'yarn.lock': '# yarn lockfile v1\n\n"zod@^3.0.0", zod@^4:\n  version "4.2.0"\n  resolved "x"\n',
    },
    'schema validation',
    'zod',
    '4.2.0',
  ],
  [
    'yarn, current',
    {
      'package.json': '{"dependencies":{"@tanstack/react-query":"^5"}}',
      'yarn.lock':
        '__metadata:\n  version: 8\n\n"@tanstack/react-query@npm:^5":\n  version: 5.1.0\n  resolution: "x"\n',
    },
    'data fetching',
    '@tanstack/react-query',
    '5.1.0',
  ],
  [
    'bun',
    {
      'package.json': '{"dependencies":{"hono":"^4"}}',
      'bun.lock':
        '{\n "lockfileVersion": 1,\n "packages": {\n  "hono": ["hono@4.9.1", "", {}, "sha512-x"],\n },\n}\n',
    },
    'web server',
    'hono',
    '4.9.1',
  ],
  [
    'uv',
    {
      'pyproject.toml': '[project]\nname="x"\ndependencies=["httpx>=0.27"]\n',
      'uv.lock': 'version = 1\n\n[[package]]\nname = "httpx"\nversion = "0.28.1"\n',
    },
    'HTTP client',
    'httpx',
    '0.28.1',
  ],
  [
    'poetry',
    {
      'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.12"\nPyYAML = "^6"\n',
      'poetry.lock': '[[package]]\nname = "pyyaml"\nversion = "6.0.2"\n',
    },
    'YAML',
    'pyyaml',
    '6.0.2',
  ],
  [
    'requirements.txt',
    { 'requirements.txt': '# pinned\nrequests[socks]==2.32.3 ; python_version > "3.8"\n' },
    'HTTP client',
    'requests',
    '2.32.3',
  ],
  [
    'Cargo',
    {
      'Cargo.toml':
        '[package]\nname="x"\n[dependencies]\nreqwest = { version = "0.12", features = ["json"] }\n',
      'Cargo.lock': '[[package]]\nname = "reqwest"\nversion = "0.12.9"\n',
    },
    'HTTP client',
    'reqwest',
    '0.12.9',
  ],
  [
    'Go',
    {
      'go.mod':
        'module x\n\nrequire (\n\tgithub.com/spf13/cobra v1.9.1\n\tgithub.com/x/y v1.0.0 // indirect\n)\n',
      'go.sum': 'github.com/spf13/cobra v1.8.0 h1:a=\ngithub.com/spf13/cobra v1.9.1 h1:b=\n',
    },
    'command line parsing',
    'github.com/spf13/cobra',
    '1.9.1',
  ],
  [
    'Bundler',
    {
      Gemfile: "source 'https://rubygems.org'\ngem 'faraday', '~> 2.0'\n",
      'Gemfile.lock': 'GEM\n  specs:\n    faraday (2.12.1)\n      faraday-net_http (>= 2.0)\n',
    },
    'HTTP client',
    'faraday',
    '2.12.1',
  ],
  [
    'Composer',
    {
      'composer.json': '{"require":{"guzzlehttp/guzzle":"^7"}}',
      'composer.lock': '{"packages":[{"name":"guzzlehttp/guzzle","version":"v7.9.2"}]}',
    },
    'HTTP client',
    'guzzlehttp/guzzle',
    '7.9.2',
  ],
];

test.each(locks)(
  'the exact version comes from the lock file: %s',
  async (_title, files, need, name, version) => {
    const path = Object.keys(files)[0]!.includes('/') ? 'p' : '';
    expect((await check(files, need, path)).packages[0]).toMatchObject({ name, version });
  },
);

test('a dev group, an optional group and a test scope are told from what runs', async () => {
  const types = async (files: Record<string, string>, need: string) =>
    (await check(files, need)).packages.map((found) => `${found.name} ${found.type}`);
  expect(
    await types(
      { 'pyproject.toml': '[project]\nname="x"\n[dependency-groups]\ndev=["pytest"]\n' },
      'testing',
    ),
  ).toEqual(['pytest dev']);
  expect(
    await types({ Gemfile: "group :development, :test do\n  gem 'rspec'\nend\ngem 'faraday'\n" }, 'testing'),
  ).toEqual(['rspec dev']);
  expect(
    await types(
      {
        'pom.xml':
          '<dependency><groupId>org.mockito</groupId><artifactId>mockito-core</artifactId><version>5.1.0</version><scope>test</scope></dependency>',
      },
      'mocking',
    ),
  ).toEqual(['org.mockito:mockito-core dev']);
});

test('the table of capabilities is whole: every entry has words and at least one package', () => {
  expect(capabilities().length).toBeGreaterThan(60);
  for (const capability of capabilities()) {
    expect(capability.words.length, capability.name).toBeGreaterThan(3);
    expect(Object.values(capability.packages).flat().length, capability.name).toBeGreaterThan(0);
  }
});
