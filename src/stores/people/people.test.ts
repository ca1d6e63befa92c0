import { describe, expect, test } from 'vitest';
import { allRows, databases, openForTest } from '../../../tests/support/libraries.ts';
import { fixedClock } from '../../base/clock.ts';
import { openPeople } from './index.ts';

describe.each(databases)('people on $name', ({ freshUrl }) => {
  const open = async () => {
    const clock = fixedClock();
    const library = openForTest(await freshUrl());
    const people = openPeople({ library, clock });
    await people.add({ name: 'Ada', kind: 'person', by: 'test' });
    await people.giveRight({ name: 'Ada', repository: '*', right: 'reviewer', by: 'test' });
    return { people, library, clock };
  };

  test('a token names its holder and the rights of this moment, until it expires or is revoked', async () => {
    const { people, clock } = await open();
    const { token, shown } = await people.createToken({ member: 'ada', label: 'laptop', days: 1 });
    const access = await people.identify(token);
    expect([access?.name, access?.kind, access?.rightIn('shop')]).toEqual(['Ada', 'person', 'reviewer']);
    await people.giveRight({ name: 'Ada', repository: 'shop', right: 'none', by: 'test' });
    const later = await people.identify(token);
    expect([later?.rightIn('shop'), later?.rightIn('site')]).toEqual([undefined, 'reviewer']);
    expect((await people.listTokens('Ada'))[0]?.last_used_at).toBe(new Date(clock.now()).toISOString());
    await people.revokeToken(shown.id);
    expect(await people.identify(token)).toBeUndefined();
    const second = await people.createToken({ member: 'Ada', label: 'laptop', days: 1 });
    clock.advance(86_400_000);
    expect(await people.identify(second.token)).toBeUndefined();
  });

  test('what is stored opens nothing, and another secret under the same id neither', async () => {
    const { people, library } = await open();
    const { token, shown } = await people.createToken({ member: 'Ada', label: 'laptop', days: 1 });
    const stored = JSON.stringify(await allRows(library, 'member_tokens'));
    expect(stored).not.toContain(token.split('_')[2]);
    expect(await people.identify(`sylk_${shown.id}_${'a'.repeat(43)}`)).toBeUndefined();
    for (const wrong of ['', shown.id, token.slice(0, -1), `${token}a`, token.toUpperCase()])
      expect(await people.identify(wrong)).toBeUndefined();
  });

  test('a narrowed token has no more than was asked for it', async () => {
    const { people } = await open();
    const wish = { member: 'Ada', label: 'ci', days: 1 };
    const { token } = await people.createToken({ ...wish, right: 'reader', repositories: ['shop'] });
    const access = await people.identify(token);
    expect(['shop', 'site', '*'].map((name) => access?.rightIn(name))).toEqual([
      'reader',
      undefined,
      undefined,
    ]);
  });

  test('an agent writes for its person at most, and ends with it', async () => {
    const { people } = await open();
    await people.add({ name: 'claude', kind: 'agent', person: 'Ada', by: 'test' });
    const { token } = await people.createToken({ member: 'claude', label: 'mcp', days: 1 });
    expect((await people.identify(token))?.rightIn('shop')).toBe('writer');
    await people.giveRight({ name: 'claude', repository: '*', right: 'admin', by: 'test' });
    expect((await people.identify(token))?.rightIn('shop')).toBe('reviewer');
    await people.giveRight({ name: 'Ada', repository: 'shop', right: 'none', by: 'test' });
    expect((await people.identify(token))?.rightIn('shop')).toBeUndefined();
    expect((await people.identify(token))?.person).toBe('Ada');
    await people.end('Ada');
    expect(await people.identify(token)).toBeUndefined();
    await expect(people.add({ name: 'ADA', kind: 'person', by: 'test' })).rejects.toThrow(
      /name of this team/,
    );
  });

  test('a password is checked by its hash, and nobody else has it', async () => {
    const { people, library } = await open();
    await people.setPassword('Ada', 'correct horse battery');
    expect(await people.checkPassword('ada', 'correct horse battery')).toMatchObject({ name: 'Ada' });
    for (const [name, password] of [
      ['Ada', 'correct horse batterz'],
      ['Bob', 'correct horse battery'],
      ['Ada', ''],
    ] as const)
      expect(await people.checkPassword(name, password)).toBeUndefined();
    expect(JSON.stringify(await allRows(library, 'members'))).not.toContain('correct horse');
    await expect(people.setPassword('Ada', 'short')).rejects.toThrow(/12 characters/);
  });
});
