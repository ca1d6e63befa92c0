import { expect, test } from 'vitest';
import { conventionsWith } from '../../../../tests/support/conventions.ts';
import { caseOf, fileCaseOf } from './naming.ts';

const guide = async (files: Record<string, string>, language = 'all') =>
  conventionsWith(files).conventions.style.guide({ language, path: '' });

const web = (name: string) => `import { useState } from 'react'
import { readFile } from 'node:fs'
import axios from 'axios'
import { thing } from '@/lib/thing'
import { other } from './other-file'
import './style.css'

const MAX_RETRIES = 3
const userName = 'ada'

export interface ${name}Props {
  firstName: string
}

export class LoadError extends Error {}

export async function loadUser(userId: string) {
  try {
    const foundUser = await axios.get(userId, {
      headers: {},
    })
    return foundUser
  } catch (error) {
    throw new LoadError('no')
  }
}

export function ${name}Card({ firstName }: ${name}Props) {
  const [isOpen, setOpen] = useState(false)
  return <div className="card">{firstName}</div>
}
`;

const typescript = {
  'src/user-card.tsx': web('User'),
  'src/order-card.tsx': web('Order'),
  'src/item-card.tsx': web('Item'),
};

test('Code Style Inference: naming of functions, variables, constants, types, files and components', async () => {
  const { styles } = await guide(typescript, 'typescript');
  expect(styles[0]!.naming).toEqual({
    functions: 'camelCase',
    variables: 'camelCase',
    constants: 'UPPER_SNAKE_CASE',
    types: 'PascalCase',
    files: 'kebab-case',
    components: 'PascalCase',
  });
});

test('Code Style Inference: indentation, quotes, semicolons and trailing commas', async () => {
  const { styles } = await guide(typescript, 'ts');
  expect(styles[0]!.formatting).toEqual({
    indent_style: 'spaces',
    indent_size: 2,
    quote_style: 'single',
    semicolons: false,
    trailing_comma: 'es5',
  });
  const other = await guide({
    'a.ts':
      'export function a(\n\tx: string,\n\ty: string,\n) {\n\tconst value = "one";\n\tif (x) {\n\t\tcall(\n\t\t\tvalue,\n\t\t\ty,\n\t\t);\n\t}\n\tother(\n\t\tx,\n\t\ty,\n\t);\n\tlet b = "two";\n\tlet c = "three";\n\treturn value;\n}\n',
  });
  expect(other.styles[0]!.formatting).toEqual({
    indent_style: 'tabs',
    quote_style: 'double',
    semicolons: true,
    trailing_comma: 'all',
  });
});

test('Code Style Inference: error handling, async, component and export style, and the order of imports', async () => {
  const { styles } = await guide(typescript);
  expect(styles[0]!.patterns).toEqual({
    error_handling: 'try-catch with custom errors',
    async_style: 'async-await',
    component_style: 'functional with hooks',
    export_style: 'named exports',
    import_order: ['react', 'builtin', 'external', 'internal', 'relative', 'styles'],
  });
});

test('Code Style Inference: every field has its count, its share, what else was met, and an example at file and line', async () => {
  const { styles } = await guide({ ...typescript, 'src/odd.ts': 'export function odd_one() {}\n' });
  expect(styles[0]!.evidence['naming.functions']).toEqual({
    value: 'camelCase',
    count: 3,
    total: 4,
    share: 0.75,
    others: { snake_case: 1 },
    example: 'src/item-card.tsx:17',
  });
  expect(styles[0]!.examples).toContainEqual({
    pattern: 'error_handling',
    file: 'src/item-card.tsx',
    line: 23,
  });
});

test('Code Style Inference: one language or all, each with its own habits', async () => {
  const python =
    'import os\nfrom typing import Any\n\nimport requests\n\nfrom shop.models import User\n\nfrom .base import x\n\nMAX_SIZE = 10\n\n\nclass ShopError(Exception):\n    pass\n\n\ndef load_user(user_id: str) -> Any:\n    try:\n        return requests.get("a", timeout=3)\n    except OSError:\n        raise ShopError("no")\n';
  const files = {
    'shop/__init__.py': '',
    'shop/load_users.py': python,
    'shop/load_items.py': python,
    'shop/load_orders.py': python,
    'main.go':
      'package main\n\nimport "fmt"\n\nfunc readConfig() error {\n\tif err := load(); err != nil {\n\t\treturn fmt.Errorf("x: %w", err)\n\t}\n\treturn nil\n}\n',
  };
  const { styles, languages } = await guide(files);
  expect(languages).toEqual(['python', 'go']);
  expect(styles[0]).toMatchObject({
    language: 'python',
    naming: {
      functions: 'snake_case',
      constants: 'UPPER_SNAKE_CASE',
      types: 'PascalCase',
      files: 'snake_case',
    },
    formatting: { indent_style: 'spaces', indent_size: 4, quote_style: 'double' },
    patterns: {
      error_handling: 'try-except with custom errors',
      import_order: ['builtin', 'external', 'internal', 'relative'],
    },
  });
  expect(styles[1]).toMatchObject({
    language: 'go',
    formatting: { indent_style: 'tabs' },
    patterns: { error_handling: 'error-return with custom errors' },
  });
  expect((await guide(files, 'go')).styles.map((style) => style.language)).toEqual(['go']);
  await expect(guide(files, 'rust')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: 'Languages here: python, go.',
  });
});

test('generated, minified and vendored files say nothing about style; what is configured is named', async () => {
  const { styles } = await guide({
    'a.ts': 'export const oneThing = 1;\n',
    'dist/b.ts': 'export const other_thing = 1;\n',
    'gen.ts': '// @generated\nexport const third_thing = 1;\n',
    'x.min.js': 'var a_b=1;'.repeat(900),
    '.prettierrc': '{}',
  });
  expect(styles.map((style) => `${style.language} ${style.files_analysed}`)).toEqual(['typescript 1']);
  expect(styles[0]!.configured_by).toEqual(['.prettierrc']);
});

test('names are told apart by case, and an ambiguous one counts for nothing', () => {
  const cases: Array<[string, string | undefined]> = [
    ['getUser', 'camelCase'],
    ['get_user', 'snake_case'],
    ['GetUser', 'PascalCase'],
    ['HTTPServer', undefined],
    ['MAX_SIZE', 'UPPER_SNAKE_CASE'],
    ['user', undefined],
    ['_private_name', 'snake_case'],
  ];
  for (const [name, expected] of cases) expect(caseOf(name), name).toBe(expected);
  expect(fileCaseOf('src/user-card.test.tsx')).toBe('kebab-case');
  expect(fileCaseOf('src/UserCard.tsx')).toBe('PascalCase');
  expect(fileCaseOf('src/index.ts')).toBeUndefined();
});
