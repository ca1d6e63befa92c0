import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryDirectory } from '../../tests/support/temporary.ts';
import { fixedClock, isoTime } from './clock.ts';
import { closest } from './closest.ts';
import { newId, newUuid, parseUuid } from './ids.ts';
import { looseBoolean, looseList } from './loose-input.ts';
import { once } from './once.ts';
import { userDirectories } from './user-directory.ts';

test('ids name their kind, are unique and sort by creation', () => {
  const ids = Array.from({ length: 500 }, (_, at) => newId('ent', 1_700_000_000_000 + at));
  expect(new Set(ids).size).toBe(500);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toMatch(/^ent_[0-9a-z]+$/);
});

test('a UUID is taken with and without dashes, in any case, and answered dashed in lower case', () => {
  const uuid = newUuid();
  expect(parseUuid(uuid.toUpperCase())).toBe(uuid);
  expect(parseUuid(` ${uuid.replaceAll('-', '')} `)).toBe(uuid);
  for (const wrong of ['', 'x', `${uuid}0`, uuid.slice(1), "'; DROP TABLE x"])
    expect(() => parseUuid(wrong, 'task')).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test('a mistyped word finds the one that was meant, a foreign one finds none', () => {
  const known = ['status', 'search', 'index', 'get_provenance'];
  expect(closest('staus', known)).toBe('status');
  expect(closest('SEARHC', known)).toBe('search');
  expect(closest('get_provenace', known)).toBe('get_provenance');
  expect(closest('xyzzy', known)).toBeUndefined();
  expect(closest('', known)).toBeUndefined();
  expect(closest('a', [])).toBeUndefined();
});

test('a list is a list, however a client writes it', () => {
  const schema = looseList(z.string());
  for (const given of [['a', 'b'], '["a","b"]', 'a,b', ' a , b '] as unknown[])
    expect(schema.parse(given)).toEqual(['a', 'b']);
  expect(schema.parse('')).toEqual([]);
  expect(schema.safeParse('[broken').success).toBe(false);
  expect(schema.safeParse(7).success).toBe(false);
});

test('yes and no are understood in every spelling, and nothing else is', () => {
  for (const yes of [true, 'true', 'TRUE', '1', 'yes', 'on']) expect(looseBoolean.parse(yes)).toBe(true);
  for (const no of [false, 'false', '0', 'no', 'off', '']) expect(looseBoolean.parse(no)).toBe(false);
  for (const neither of ['maybe', 2, null]) expect(looseBoolean.safeParse(neither).success).toBe(false);
});

test('once makes one value, and tries again after a failure', async () => {
  let made = 0;
  const value = once(() => ++made);
  expect(value.peek()).toBeUndefined();
  expect([value(), value(), value.peek()]).toEqual([1, 1, 1]);
  let attempts = 0;
  const flaky = once(async () => {
    if (++attempts === 1) throw new Error('first');
    return 'second';
  });
  await expect(flaky()).rejects.toThrow('first');
  expect(await flaky()).toBe('second');
  const throwing = once(() => {
    throw new Error('always');
  });
  expect(throwing).toThrow('always');
  expect(throwing).toThrow('always');
});

test("a person's directories: SYLK_HOME, else XDG; what 0.1 left in ~/.sylk is used as long as nothing else is there", () => {
  expect(userDirectories({ SYLK_HOME: '/s', XDG_DATA_HOME: '/d', HOME: '/h' })).toEqual({
    config: '/s',
    data: '/s',
    cache: '/s/cache',
    state: '/s/state',
  });
  expect(userDirectories({ HOME: '/h' })).toEqual({
    config: '/h/.config/sylk',
    data: '/h/.local/share/sylk',
    cache: '/h/.cache/sylk',
    state: '/h/.local/state/sylk',
  });
  const home = temporaryDirectory('home');
  mkdirSync(join(home, '.sylk'));
  const before = { data: join(home, '.sylk'), cache: join(home, '.cache/sylk') };
  const state = join(home, '.local/state/sylk');
  expect(userDirectories({ HOME: home, XDG_CONFIG_HOME: '/c' })).toEqual({
    ...before,
    config: '/c/sylk',
    state,
  });
  mkdirSync(join(home, '.config/sylk'), { recursive: true });
  expect(userDirectories({ HOME: home })).toEqual({ ...before, config: join(home, '.config/sylk'), state });
});

test('an empty or relative home is none: no directory of a person is ever relative', () => {
  for (const HOME of ['', 'relative', './x'])
    for (const XDG_STATE_HOME of ['', 'relative', '../x']) {
      const places = Object.values(userDirectories({ HOME, XDG_STATE_HOME, XDG_DATA_HOME: 'd' }));
      expect(places.filter((place) => !isAbsolute(place))).toEqual([]);
    }
});

test('time moves only when it is moved', () => {
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  clock.advance(90_000);
  expect(isoTime(clock.now())).toBe('2026-01-01T00:01:30.000Z');
});
