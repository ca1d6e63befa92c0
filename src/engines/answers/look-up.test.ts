import { expect, it } from 'vitest';
import { composeLookUp } from './look-up.ts';

const place = { ref: 'file:a.ts', domain: 'code', place: 'a.ts:3', reason: 'start' };
const login = { kind: 'uses', name: 'login' } as const;

it('a look-up says how many there are, and the command that lists the rest', () => {
  const answer = composeLookUp(login, { cited: [place], total: 40 }, []);
  expect(answer).toMatchObject({ status: 'ok', target: 'librarian', intent: 'LOCATE', subject: 'login' });
  expect(answer.answer).toBe('── Uses of login: 40 places\n[1] a.ts:3 — start');
  expect(answer.notes).toEqual(['39 more: sylk callers login']);
});

it('a symbol that nothing uses is an answer', () => {
  expect(composeLookUp(login, { cited: [], total: 0 }, [])).toMatchObject({ status: 'ok' });
  expect(composeLookUp(login, { cited: [], total: 0 }, []).answer).toContain('No uses found');
});
