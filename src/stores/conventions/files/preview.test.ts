import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conventionsWith } from '../../../../tests/support/conventions.ts';
import { previewEdit } from './preview.ts';
import { unifiedDiff } from './unified-diff.ts';

const file =
  "import { x } from './x.ts';\n\nexport function login() {\n  const token = localStorage.getItem('token')\n  return token\n}\n";

test('Diff Preview: diff, lines added and removed, files affected, reversible; and the file stays as it is', async () => {
  const { repository, conventions } = conventionsWith({ 'src/auth/handler.ts': file });
  const preview = await conventions.files.preview({
    path: 'src/auth/handler.ts',
    oldString: "const token = localStorage.getItem('token')",
    newString: 'const token = await getSecureToken()',
  });
  expect(preview).toMatchObject({
    found: true,
    match_count: 1,
    match_lines: [4],
    lines_added: 1,
    lines_removed: 1,
    files_affected: 1,
    reversible: true,
  });
  expect(preview.diff).toContain('--- src/auth/handler.ts\n+++ src/auth/handler.ts\n@@ -1,6 +1,6 @@\n');
  expect(preview.diff).toContain(
    "-  const token = localStorage.getItem('token')\n+  const token = await getSecureToken()\n",
  );
  expect(readFileSync(join(repository.path, 'src/auth/handler.ts'), 'utf8')).toBe(file);
});

test('Diff Preview: several matches warn that only the first is replaced', async () => {
  const preview = await previewEdit('a = 1\nb = 2\na = 1\n', {
    path: 'x',
    oldString: 'a = 1',
    newString: 'a = 2',
  });
  expect(preview).toMatchObject({ match_count: 2, match_lines: [1, 3], lines_added: 1, lines_removed: 1 });
  expect(preview.warnings).toEqual(['old_string matches 2 times - only first will be replaced']);
  const all = await previewEdit('a = 1\nb = 2\na = 1\n', {
    path: 'x',
    oldString: 'a = 1',
    newString: 'a = 2',
    replaceAll: true,
  });
  expect(all).toMatchObject({ lines_added: 2, lines_removed: 2, warnings: [] });
});

test('Diff Preview: a text that is missing comes with what is there instead', async () => {
  const miss = (oldString: string) => previewEdit(file, { path: 'x.ts', oldString, newString: '' });
  expect(await miss("const  token =\tlocalStorage.getItem('token')")).toMatchObject({
    found: false,
    error: 'old_string not found in file',
    suggestion: "Line 4 differs only in whitespace. It reads:\n  const token = localStorage.getItem('token')",
  });
  expect((await miss("const token = sessionStorage.getItem('token')")).suggestion).toContain(
    'Did you mean line 4?',
  );
  expect((await miss('entirely other words')).suggestion).toBe(
    'Check for whitespace differences or use a larger context',
  );
});

test('Diff Preview warns of broken syntax, other line ends, other indentation and no change', async () => {
  const warnings = async (content: string, oldString: string, newString: string) =>
    (await previewEdit(content, { path: 'x.ts', oldString, newString })).warnings;
  expect(await warnings(file, 'login() {', 'login( {')).toEqual(['the edited file no longer parses']);
  expect(await warnings('let a;\r\nlet b;\r\n', 'let b;', 'let b;\nlet c;')).toEqual([
    'the file ends its lines with CRLF, new_string with LF',
  ]);
  expect(await warnings(file, '  return token', '\treturn token\n\t// done')).toContain(
    'new_string is indented with tabs, the file with spaces',
  );
  expect(await warnings(file, 'token', 'token')).toContain('new_string equals old_string: nothing changes');
});

test('the diff of any two texts, applied by git, gives the second text', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-diff-'));
  const line = fc.constantFrom('a', 'b', 'c', '', '  d', 'a\r');
  const lines = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    .map(([all, closed]) => all.join('\n') + (closed && all.length ? '\n' : ''));
  try {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { text, added, removed } = unifiedDiff('file.txt', before, after);
        if (before === after) return text === '';
        writeFileSync(join(directory, 'file.txt'), before);
        const applied = spawnSync('git', ['apply', '-p0', '--unidiff-zero', '--whitespace=nowarn', '-'], {
          cwd: directory,
          input: text,
          encoding: 'utf8',
        });
        expect(applied.stderr).toBe('');
        expect(readFileSync(join(directory, 'file.txt'), 'utf8')).toBe(after);
        expect(added - removed).toBe(count(after) - count(before));
        return true;
      }),
      { seed: 7, numRuns: 150 },
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

const count = (text: string): number => text.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
