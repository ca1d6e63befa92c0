import { expect, test } from 'vitest';
import { seatbeltProfile } from './seatbelt.ts';

test('a profile for macOS denies what is not given, and quotes paths', () => {
  const profile = seatbeltProfile({
    shell: 'true',
    cwd: '/',
    writable: ['/home/ada/a "b"'],
    hidden: ['/home/ada/state'],
    limits: { seconds: 1 },
  });
  expect(profile).toContain('(deny default)');
  expect(profile).toContain('(deny network*)');
  expect(profile).toContain('(allow file-read* file-write* (subpath "/home/ada/a \\"b\\"")');
  expect(profile.indexOf('/home/ada/state')).toBeGreaterThan(profile.indexOf('/home/ada/a'));
});
