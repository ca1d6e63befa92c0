import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';
import { setting } from './fourth-set.ts';

/** Lists that others keep: every setting that this git has, and every sign of Unicode that nobody sees. */
const settings = execFileSync('git', ['help', '--config'], { encoding: 'utf8' })
  .split('\n')
  .filter((line) => /^[a-z]+\./i.test(line))
  .map((line) => line.replace(/<[^>]*>|\*/g, 'x'));

/** A repository that git itself refuses tries nothing else; `core.autocrlf` and its like are carried over. */
const isRefused = (name: string): boolean =>
  /^(?:core\.(?:bare|repositoryformatversion|worktree|filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol|safecrlf|sharedrepository|checkstat|trustctime)$|merge\.(?:ff|rename)|extensions\.)/i.test(
    name,
  );

const pipe = (place: Place): string => {
  place.fifo('.git/setting.fifo');
  return join(place.repository, '.git/setting.fifo');
};
const values: Record<string, (place: Place, name: string) => string> = {
  'a program': (place, name) => place.trap(name.replace(/\W/g, '-')),
  'a FIFO': pipe,
  '/dev/zero': () => '/dev/zero',
};
const aims = ['then: index, search, doctor', 'then: session worktree, merge', 'why forget', 'check'];

const settingCases: StrangerCase[] = Object.entries(values).flatMap(([what, valueFor]) => [
  {
    name: `listed: every setting of git is ${what}`,
    aims,
    make: (place) => {
      place.append(
        '.git/config',
        settings
          .filter((name) => !isRefused(name))
          .map((name) => setting(name, valueFor(place, name)))
          .join(''),
      );
      place.write('.git/info/attributes', '* filter=x diff=x merge=x\n');
    },
  },
  ...settings.map(
    (name): StrangerCase => ({
      name: `listed: ${name} is ${what}`,
      aims,
      batch: isRefused(name) ? undefined : `settings of git are ${what}`,
      make: (place) => {
        place.append('.git/config', setting(name, valueFor(place, name)));
        place.write('.git/info/attributes', '* filter=x diff=x merge=x\n');
      },
    }),
  ),
]);

const unseen = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]$/u;
const signs = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
  (code) => code > 0 && unseen.test(String.fromCodePoint(code)),
);

const signCases: StrangerCase[] = signs.map((code) => ({
  name: `listed: U+${code.toString(16).toUpperCase().padStart(4, '0')} in names and messages`,
  batch: 'signs in names and messages',
  aims: ['search login', 'why forget', 'then: index, search, doctor'],
  make: (place) => {
    const sign = String.fromCodePoint(code);
    place.write(`src/login${sign}[1] x.ts`, `export const login${code} = 'login';\n`);
    place.git('add', '-A');
    place.git('commit', '-q', '--allow-empty', '-m', `feat: login${sign}[1] x`, `--author=A${sign}B <a@b.c>`);
  },
}));

export const listedCases: StrangerCase[] = [...settingCases, ...signCases];
