import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';
import { gitAims, head, type Row, rows } from './third-set-rows.ts';

const config = (...lines: string[]) => `\n${lines.join('\n')}\n`;
const outsideFile = (place: Place, name: string, text: string): string => {
  const path = join(place.outside, name);
  writeFileSync(path, text);
  return path;
};
/** Every way in which a configuration names a program. */
const everyProgram = (trap: string): string =>
  config(
    `[core]\n\tfsmonitor = ${trap}\n\tsshCommand = ${trap}\n\tpager = ${trap}\n\tgitProxy = ${trap}\n\talternateRefsCommand = ${trap}\n\tuntrackedCache = true`,
    `[diff]\n\texternal = ${trap}\n[diff "x"]\n\tcommand = ${trap}\n\ttextconv = ${trap}\n[merge "x"]\n\tdriver = ${trap}`,
    `[filter "x"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n\tprocess = ${trap}\n\trequired = true`,
    `[gpg]\n\tprogram = ${trap}\n[log]\n\tshowSignature = true\n[credential]\n\thelper = !${trap}`,
    `[uploadpack]\n\tpackObjectsHook = ${trap}\n[remote "origin"]\n\tuploadpack = ${trap}\n\tvcs = x\n\turl = ext::${trap}`,
    `[alias]\n\tlog = !${trap}\n\tcat-file = !${trap}\n[trailer "x"]\n\tcommand = ${trap}\n[maintenance]\n\tauto = true\n[gc]\n\tauto = 1`,
  );
const attributes = '* filter=x diff=x merge=x\n';

const configurations: Row[] = [
  ...['gitdir:**', 'gitdir/i:/**', 'onbranch:**', 'hasconfig:remote.*.url:**'].map(
    (condition): Row => [
      `includeIf ${condition.replace(':', ' ')} names every program`,
      (place) => {
        const path = outsideFile(place, 'evil.config', everyProgram(place.trap('included')));
        place.append(
          '.git/config',
          config('[remote "a"]\n\turl = b', `[includeIf "${condition}"]\n\tpath = ${path}`),
        );
        place.write('.git/info/attributes', attributes);
      },
    ],
  ),
  ...['/dev/zero', '/dev/tty', '.git/config', '../../../../../../../dev/stdin', '~/.bashrc'].map(
    (path): Row => [
      `include ${path.replaceAll('/', ' ')}`,
      (place) => place.append('.git/config', config(`[include]\n\tpath = ${path}`)),
    ],
  ),
  [
    'a worktree configuration names every program',
    (place) => {
      place.git('config', 'core.repositoryFormatVersion', '1');
      place.append('.git/config', config('[extensions]\n\tworktreeConfig = true'));
      place.write('.git/config.worktree', everyProgram(place.trap('worktree')));
      place.write('.gitattributes', attributes);
    },
  ],
  ...[
    'refStorage = reftable',
    'objectFormat = sha256',
    'unknownThing = 1',
    'compatObjectFormat = sha256',
  ].map(
    (line): Row => [
      `extension ${line}`,
      (place) => {
        place.git('config', 'core.repositoryFormatVersion', '1');
        place.append('.git/config', config(`[extensions]\n\t${line}`));
      },
    ],
  ),
  [
    'every hook that git has',
    (place) => {
      const trap = place.trap('hook');
      for (const name of 'post-checkout post-index-change reference-transaction pre-commit post-commit post-merge pre-auto-gc fsmonitor-watchman sendemail-validate post-rewrite'.split(
        ' ',
      ))
        place.link(`.git/hooks/${name}`, trap);
    },
  ],
  [
    'a template with hooks for new worktrees',
    (place) => {
      place.link('.template/hooks/post-checkout', place.trap('template'));
      place.append('.git/config', config(`[init]\n\ttemplateDir = ${join(place.repository, '.template')}`));
    },
  ],
  ['the directory of hooks is a link into the home', (place) => place.link('.git/hooks', place.home)],
  [
    'a mailmap of a blob and of a device',
    (place) => {
      place.append('.git/config', config('[mailmap]\n\tfile = /dev/zero\n\tblob = HEAD:src/index.ts'));
      place.write('.mailmap', 'The Person \u001b[2J<you@example.org> <ada@example.org>\n'.repeat(2000));
    },
  ],
  [
    'large files at the listener',
    (place) => {
      place.write('.lfsconfig', `[lfs]\n\turl = ${place.listener.url}\n`);
      place.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
      place.write(
        'model.bin',
        `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 99999999999999\n`,
      );
      place.commitAll();
    },
  ],
];

const pointers: Row[] = [
  ...[
    '/dev/zero',
    '/dev/tty',
    '.git',
    '.',
    '/proc/self/cwd',
    `${'../'.repeat(500)}etc`,
    'a\u001b[2J',
    '',
  ].map(
    (target): Row => [
      `.git is a file that names ${JSON.stringify(target.slice(0, 20)).replaceAll('/', ' ')}`,
      (place) => {
        place.clear('.git');
        place.write('.git', `gitdir: ${target}\n`);
      },
    ],
  ),
  [
    '.git is a file of 20 MB',
    (place) => {
      place.clear('.git');
      place.write('.git', `gitdir: ${'x'.repeat(20_000_000)}\n`);
    },
  ],
  ...['.', '../../outside', '/dev/zero', 'x'.repeat(1_000_000)].map(
    (target): Row => [
      `commondir is ${target.slice(0, 15).replaceAll('/', ' ')}`,
      (place) => place.write('.git/commondir', `${target}\n`),
    ],
  ),
  ...[
    ['a file outside', 'ref: refs/heads/../../../../outside/secret.txt\n'],
    ['a ref with escape codes', 'ref: refs/heads/\u001b[2J\u202e\n'],
    ['a ref that reads as a flag', 'ref: refs/heads/--upload-pack=x\n'],
    ['bytes', `${'\0'.repeat(100)}\n`],
    ['30 MB', 'ref: '.padEnd(30_000_000, 'x')],
  ].map(([what, text]): Row => [`HEAD names ${what}`, (place) => place.write('.git/HEAD', text ?? '')]),
  ['HEAD is a link to a secret', (place) => place.link('.git/HEAD', join(place.outside, 'secret.txt'))],
  [
    'packed refs with escape codes, flags and line ends',
    (place) => {
      const id = head(place);
      place.append(
        '.git/packed-refs',
        ['\u001b]0;x\u0007', '--all', '-x', '\u202egpj', 'a\rb', '..', 'x.lock', '@{0}']
          .map((name) => `${id} refs/heads/${name}\n${id} refs/tags/${name}\n`)
          .join(''),
      );
    },
  ],
  [
    'packed refs without an end',
    (place) =>
      place.write(
        '.git/packed-refs',
        `# pack-refs with: peeled\n${head(place)} refs/heads/${'a'.repeat(5_000_000)}`,
      ),
  ],
  [
    'a branch that is a device and one that is a secret',
    (place) => {
      place.link('.git/refs/heads/zero', '/dev/zero');
      place.link('.git/refs/heads/secret', join(place.outside, 'secret.txt'));
      place.fifo('.git/refs/tags/fifo');
    },
  ],
  [
    'reflogs with escape codes and a FIFO',
    (place) => {
      const id = head(place);
      place.write(
        '.git/logs/HEAD',
        `${id} ${id} A\u001b[2J <a@b> 99999999999999999999 +9999\tCANARY-LOG\u0007\n`,
      );
      place.fifo('.git/logs/refs/heads/main');
    },
    { absent: ['CANARY-LOG'] },
  ],
  [
    'half of a merge, a rebase and a bisect',
    (place) => {
      for (const name of [
        'MERGE_HEAD',
        'CHERRY_PICK_HEAD',
        'BISECT_LOG',
        'rebase-merge/head-name',
        'rebase-merge/git-rebase-todo',
        'sequencer/todo',
        'AUTO_MERGE',
      ])
        place.write(`.git/${name}`, 'exec touch CANARY\n\u001b[2J');
    },
  ],
];

/** Attacks by what git reads first. */
export const thirdSetGitCases: StrangerCase[] = [
  ...rows('configuration', gitAims, configurations),
  ...rows('pointers', gitAims, pointers),
];
