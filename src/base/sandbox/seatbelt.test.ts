import { expect, test } from 'vitest';
import { seatbeltProfile } from './seatbelt.ts';

test('a profile for macOS denies what is not given, and quotes paths', () => {
  const profile = seatbeltProfile({
    shell: 'true',
    cwd: '/',
    writable: ['/work/a "b"'],
    hidden: ['/work/state'],
    limits: { seconds: 1 },
  });
  expect(profile).toContain('(deny default)');
  expect(profile).toContain('(deny network*)');
  expect(profile).toContain('(allow file-read* file-write* (subpath "/work/a \\"b\\"")');
  expect(profile.indexOf('/work/state')).toBeGreaterThan(profile.indexOf('/work/a'));
});
