import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const filter = (name: string, program: string) =>
  `[filter "${name}"]\n\tsmudge = ${program}\n\tclean = ${program}\n\tprocess = ${program}\n`;

const traps: Array<[name: string, attribute: string, settings: (program: string) => string]> = [
  ['a filter without a name', 'filter=', (program) => filter('', program)],
  ['a filter with a name', 'filter=any', (program) => filter('any', program)],
  ['a merge driver', 'merge=any', (program) => `[merge "any"]\n\tdriver = ${program}\n`],
  [
    'signing',
    '-text',
    (program) =>
      `[gpg]\n\tprogram = ${program}\n[commit]\n\tgpgSign = true\n[merge]\n\tverifySignatures = true\n`,
  ],
];

test.each(traps)(
  '%s runs neither for the working tree of a session nor for its merge',
  async (_name, attribute, settings) => {
    const at = temporaryDirectory('session-traps');
    const mark = join(at, 'mark');
    const program = join(at, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\n`);
    chmodSync(program, 0o755);
    const inside = testRepository([], join(at, 'inside'));
    inside.commit('first', { 'x.txt': 'x\n', '.gitattributes': '* filter=any\n' });
    const { repository, person } = conversations();
    repository.commit('first', {
      'a.txt': 'one\n',
      '.gitignore': '.sylk/\n',
      '.gitattributes': `* ${attribute}\n`,
    });
    repository.git('config', 'user.name', 'Ada');
    repository.git('config', 'user.email', 'ada@example.org');
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inside.path, 'sub');
    repository.commit('submodule');
    appendFileSync(join(repository.path, '.git', 'modules', 'sub', 'config'), filter('any', program));
    appendFileSync(join(repository.path, '.git', 'config'), settings(program));
    writeFileSync(join(repository.path, 'sub', 'x.txt'), 'changed\n');

    const somebody = person();
    const { id } = await somebody.call<{ id: string }>('create_session', { name: 'side work' });
    const { worktree } = await somebody.call<{ worktree: string }>('open_session_worktree', { id });
    expect(readFileSync(join(worktree, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(mark)).toBe(false);

    const plain = (directory: string, ...args: string[]) =>
      spawnSync('git', [
        '-C',
        directory,
        '-c',
        'commit.gpgSign=false',
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@b',
        ...args,
      ]);
    for (const directory of [worktree, repository.path]) {
      const file = directory === worktree ? 'b.txt' : 'c.txt';
      writeFileSync(join(directory, file), 'two\n');
      plain(directory, 'add', file);
      plain(directory, 'commit', '-qm', file);
    }
    spawnSync('rm', ['-f', mark]);
    expect(await somebody.call('merge_session', { id })).toMatchObject({ commits: 1, conflicts: [] });
    expect(existsSync(mark)).toBe(false);
  },
);
