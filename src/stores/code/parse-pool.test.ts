import { expect, test } from 'vitest';
import { openTestCode } from '../../../tests/support/code.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import type { ParsedFile } from './parse-file.ts';
import { type ParseJob, parseAll } from './parse-pool.ts';

const program = new URL('../../../tests/support/odd-worker.ts', import.meta.url);
const job = (path: string): ParseJob => ({ path, root: '', modified: 1, size: 10 });

test('a parser that crashes or hangs loses one file, not the run', async () => {
  const files: ParsedFile[] = [];
  // The last of three batches holds both, beside a few that are innocent and have time enough on a busy machine.
  const paths = [...Array.from({ length: 52 }, (_, index) => `f${index}.ts`), 'crash.ts', 'hang.ts'];
  await parseAll(paths.map(job), (some) => files.push(...some), { workers: 2, timeoutMs: 2000, program });
  expect(files.map((file) => file.path).sort()).toEqual([...paths].sort());
  expect(
    files
      .filter((file) => file.skip)
      .map((file) => `${file.path} ${file.skip}`)
      .sort(),
  ).toEqual(['crash.ts parser failed', 'hang.ts parser failed']);
});

test('workers are replaced after so many bytes and nothing is lost', async () => {
  const files: ParsedFile[] = [];
  const paths = Array.from({ length: 200 }, (_, index) => `f${index}.ts`);
  await parseAll(paths.map(job), (some) => files.push(...some), { workers: 2, recycleBytes: 300, program });
  expect(files.map((file) => file.path).sort()).toEqual([...paths].sort());
});

test('an aborted run ends at once and says why', async () => {
  const abort = new AbortController();
  const run = parseAll(
    Array.from({ length: 500 }, (_, index) => job(`f${index}.ts`)),
    () => abort.abort(new Error('stop')),
    {
      workers: 1,
      program,
      signal: abort.signal,
    },
  );
  await expect(run).rejects.toThrow('stop');
});

test('a file that the parser cannot survive is reported, and the next update tries it no sooner than it changes', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'crash.ts': 'export const a = 1;\n',
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`ok${index}.ts`, 'export const b = 1;\n']),
    ),
  });
  const { code } = openTestCode(repository.path, { workers: 1 }, { pool: { program, timeoutMs: 500 } });
  const report = await code.update();
  expect(report.problems).toEqual([{ path: 'crash.ts', reason: 'parser failed' }]);
  expect(report.files).toBe(12);
  expect((await code.freshness()).state).toBe('fresh');
  expect((await code.update()).parsed).toBe(0);
});
