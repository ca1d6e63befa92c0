import { expect, test } from 'vitest';
import { codeAliases, errorTable, isAbort, reportOf, SylkError } from './errors.ts';

test('every code has an exit code and a status of the documented sets', () => {
  for (const [code, { exit, http }] of Object.entries(errorTable)) {
    expect([1, 2, 3, 4, 5, 6, 130], code).toContain(exit);
    expect(http, code).toBeGreaterThanOrEqual(400);
    expect(http, code).toBeLessThan(600);
  }
  expect(Object.values(errorTable).some((row) => (row.exit as number) === 0)).toBe(false);
});

test('the codes that design documents promise are all there', () => {
  const promised =
    'VALIDATION_ERROR NOT_FOUND CONFLICT INVARIANT_VIOLATION INVALID_OPERATION BLOCKED CIRCULAR_DEPENDENCY DUPLICATE_NAME PIPELINE_CLOSED PROTECTED_TEMPLATE TEMPLATE_DISABLED DENIED APPROVAL_REQUIRED BUDGET_EXCEEDED TIMEOUT UNAVAILABLE CANCELLED INTERNAL_ERROR';
  expect(Object.keys(errorTable).sort()).toEqual(promised.split(' ').sort());
  for (const code of Object.values(codeAliases)) expect(errorTable).toHaveProperty(code);
});

test('a failure of ours is reported with its code, words, next step and facts', () => {
  const error = new SylkError('CONFLICT', 'Somebody was faster.', {
    hint: 'Read it again.',
    data: { version: 3 },
  });
  expect(reportOf(error)).toEqual({
    code: 'CONFLICT',
    message: 'Somebody was faster.',
    hint: 'Read it again.',
    data: { version: 3 },
  });
});

test.each([
  [Object.assign(new Error('write'), { code: 'ENOSPC' }), /disk is full \(ENOSPC\)/],
  [Object.assign(new Error('database or disk is full'), { errcode: 13 }), /disk is full \(ENOSPC\)/],
  [Object.assign(new Error('open'), { code: 'EMFILE' }), /Too many open files/],
  [Object.assign(new Error('write'), { code: 'EFBIG' }), /size limit/],
  [Object.assign(new Error('open'), { code: 'EROFS' }), /read-only/],
  [Object.assign(new Error('disk I/O error'), { errcode: 778 }), /disk failed/],
  [Object.assign(new Error('database is locked'), { errcode: 5 }), /keeps the database busy/],
  [Object.assign(new Error('attempt to write'), { errcode: 1544 }), /cannot be written/],
  [Object.assign(new Error('unable to open'), { errcode: 14 }), /cannot be opened/],
])('a failure of the system is named, with the next step', (error, words) => {
  expect(reportOf(error)).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(words),
    hint: expect.any(String),
  });
});

test('an unknown failure keeps its message and never shows its stack', () => {
  const report = reportOf(new Error('boom'));
  expect(report).toMatchObject({ code: 'INTERNAL_ERROR', message: 'Unexpected failure: boom' });
  expect(JSON.stringify(report)).not.toContain('errors.test.ts');
  expect(reportOf('just a text').message).toContain('just a text');
  expect(reportOf(undefined).code).toBe('INTERNAL_ERROR');
});

test('an abort is a cancellation, not a failure', () => {
  const aborted = AbortSignal.abort().reason;
  expect(isAbort(aborted)).toBe(true);
  expect(reportOf(aborted).code).toBe('CANCELLED');
});
