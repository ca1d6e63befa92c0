import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('every program and file that a source finds beside itself is part of the bundle', () => {
  const build = read('scripts/build.ts');
  const beside = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/new URL\(\s*['"`]\.\/([^'"`]+)['"`],\s*import\.meta\.url/g)].map((match) =>
        // A file whose name is chosen when it is read: its whole folder is part of the bundle.
        join(path, '..', (match[1] ?? '').replace(`\${extension}`, 'ts').replace(/\/\$\{name\}.*/, '')),
      ),
    );
  expect(beside).toContain('src/base/embedding/static-map.bin');
  for (const path of beside) {
    expect(existsSync(join(root, path)), path).toBe(true);
    // A folder of data is copied whole.
    const folder = path.replace(/\/data\/.*$/, '/data');
    expect(build).toMatch(new RegExp(`'(?:${path}|${folder})'`));
  }
  // They share one folder there, so no two may have the same name.
  const names = [...new Set(beside)].flatMap((path) =>
    statSync(join(root, path)).isDirectory() ? readdirSync(join(root, path)) : [path.split('/').at(-1)],
  );
  expect(new Set(names).size).toBe(names.length);
});
