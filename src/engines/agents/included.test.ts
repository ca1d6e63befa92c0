import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { includedForAgents } from './included.ts';

test('agents get included files without secrets, and others only where the person names them', () => {
  const root = temporaryDirectory('included');
  mkdirSync(join(root, 'config'));
  const key = `AKIA${'IOSFODNN7ABCDEFG'}`;
  const texts = {
    'config/local.json': '{ "port": 3000 }\n',
    'config/cloud.json': `{ "id": "${key}", "secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzKEY" }\n`,
    '.env': 'PORT=3000\n',
    '.env.test': 'PORT=3000\n',
  };
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text);
  symlinkSync('/etc/passwd', join(root, 'link'));
  const files = [...Object.keys(texts), 'link', 'gone'];
  expect(includedForAgents(root, files, [])).toEqual(['config/local.json', '.env.test']);
  expect(includedForAgents(root, files, ['.env', 'config/*'])).toEqual([
    'config/local.json',
    'config/cloud.json',
    '.env',
    '.env.test',
  ]);
});
