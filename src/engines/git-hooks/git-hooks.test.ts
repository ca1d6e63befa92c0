import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { until } from '../../../tests/support/until.ts';
import { createGit, findRepository } from '../../base/git/index.ts';
import { hooksDirectory, installHooks, suggestCommitTags, uninstallHooks } from './index.ts';

/** A repository whose hooks call a stand-in for `sylk` that writes down how it was called. */
function hooked(hooksPath?: string) {
  const repository = testRepository();
  if (hooksPath) repository.git('config', 'core.hooksPath', hooksPath);
  const launcher = join(repository.path, '.git', 'sylk-stand-in');
  const log = join(repository.path, '.git', 'calls');
  writeFileSync(
    launcher,
    `#!/bin/sh\n[ "$1" = commit-tags ] && echo "core, manifest" && exit\necho "$@" >> '${log}'\n`,
  );
  chmodSync(launcher, 0o755);
  const options = { launcher, runDirectory: join(repository.path, '.git', 'run'), tagCommits: true };
  return { repository, options, calls: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}

const script = (path: string, text: string, mode = 0o755) => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

const picture = (directory: string) =>
  readdirSync(directory)
    .sort()
    .map((name) => {
      const path = join(directory, name);
      return [
        name,
        lstatSync(path).mode,
        lstatSync(path).isSymbolicLink() ? 'link' : readFileSync(path).toString('hex'),
      ];
    });

describe('hooks stand beside what is there', () => {
  const kinds: Array<[string, string | undefined, (directory: string) => void]> = [
    ['nothing', undefined, () => {}],
    [
      'a plain script that ends early',
      undefined,
      (directory) =>
        script(join(directory, 'post-commit'), '#!/bin/sh\necho theirs >> .git/theirs\nexit 0\n'),
    ],
    [
      'husky',
      '.husky/_',
      (directory) => {
        script(
          join(directory, 'h'),
          '#!/usr/bin/env sh\nsh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n',
          0o644,
        );
        script(join(directory, 'post-commit'), '#!/usr/bin/env sh\n. "$(dirname "$0")/h"');
        script(join(directory, '..', 'post-commit'), 'echo theirs >> .git/theirs\n', 0o644);
      },
    ],
    [
      'lefthook',
      undefined,
      (directory) =>
        script(
          join(directory, 'post-commit'),
          '#!/bin/sh\n\nif [ "$LEFTHOOK" = "0" ]; then\n  exit 0\nfi\ncall_lefthook()\n{\n  echo theirs >> .git/theirs\n}\ncall_lefthook run "post-commit" "$@"\n',
        ),
    ],
    [
      'a hook that is no shell script',
      undefined,
      (directory) =>
        script(
          join(directory, 'post-commit'),
          '#!/usr/bin/env -S awk -f\nBEGIN { print "theirs" >> ".git/theirs" }\n',
        ),
    ],
    [
      'a link into the project',
      undefined,
      (directory) => {
        script(join(directory, '..', 'hook-of-project'), '#!/bin/sh\necho theirs >> .git/theirs\n');
        symlinkSync('../hook-of-project', join(directory, 'post-commit'));
      },
    ],
  ];

  test.each(kinds)(
    'over %s: theirs still runs, ours returns at once, uninstall restores every byte',
    async (kind, hooksPath, prepare) => {
      const { repository, options, calls } = hooked(hooksPath);
      const git = createGit(repository.path);
      const directory = hooksDirectory(git, findRepository(repository.path, {}));
      mkdirSync(directory, { recursive: true });
      prepare(directory);
      const before = picture(directory);
      installHooks(directory, options);
      const once = picture(directory);
      installHooks(directory, options);
      expect(picture(directory)).toEqual(once);
      repository.commit('feat: one', { 'a.txt': '1' });
      await until(() => calls().includes('call index_history'));
      if (kind !== 'nothing')
        expect(readFileSync(join(repository.path, '.git', 'theirs'), 'utf8')).toBe('theirs\n');
      await until(() => !existsSync(join(options.runDirectory, 'index.lock')));
      uninstallHooks(directory);
      expect(picture(directory)).toEqual(before);
      expect(uninstallHooks(directory)).toEqual([]);
    },
  );

  test('a hook that was switched off stays off', async () => {
    const { repository, options } = hooked();
    const directory = join(repository.path, '.git', 'hooks');
    script(join(directory, 'post-commit'), '#!/bin/sh\necho theirs >> .git/theirs\n', 0o644);
    installHooks(directory, options);
    repository.commit('feat: one', { 'a.txt': '1' });
    expect(existsSync(join(repository.path, '.git', 'theirs'))).toBe(false);
    await until(() => !existsSync(join(options.runDirectory, 'index.lock')));
  });

  test('no program of the clone runs where PATH leads into it', async () => {
    const { repository, options, calls } = hooked();
    const directory = join(repository.path, '.git', 'hooks');
    const planted = join(repository.path, '.git', 'planted');
    for (const name of ['dirname', 'find', 'mkdir', 'rm', 'rmdir'])
      script(
        join(repository.path, 'bin', name),
        `#!/bin/sh\necho ${name} >> '${planted}'\nexec /bin/${name} "$@"\n`,
      );
    script(
      join(directory, 'post-commit'),
      '#!/usr/bin/env -S awk -f\nBEGIN { print "theirs" >> ".git/theirs" }\n',
    );
    installHooks(directory, options);
    spawnSync(
      'git',
      [
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@example.org',
        'commit',
        '--quiet',
        '--allow-empty',
        '--message',
        'feat: one',
      ],
      {
        cwd: repository.path,
        env: { ...process.env, PATH: `bin:${process.env.PATH}` },
      },
    );
    await until(() => calls().includes('call index_history'));
    await until(() => !existsSync(join(options.runDirectory, 'index.lock')));
    expect(readFileSync(join(repository.path, '.git', 'theirs'), 'utf8')).toBe('theirs\n');
    expect(existsSync(planted)).toBe(false);
  });

  test('a directory that other repositories share is refused', () => {
    const { repository } = hooked('/elsewhere/hooks');
    const find = () => hooksDirectory(createGit(repository.path), findRepository(repository.path, {}));
    expect(find).toThrow(/other repositories share/);
  });

  test('many commits in a row start one reader at a time, and the last commit is read', async () => {
    const { repository, options, calls } = hooked();
    const busy = join(repository.path, '.git', 'busy');
    writeFileSync(
      options.launcher,
      `#!/bin/sh\n[ "$1" = commit-tags ] && exit\nmkdir '${busy}' || echo TWO >> '${repository.path}/.git/calls'\ngit rev-parse HEAD >> '${repository.path}/.git/calls'\nsleep 0.2\nrmdir '${busy}'\n`,
    );
    installHooks(join(repository.path, '.git', 'hooks'), options);
    let last = '';
    for (let at = 0; at < 5; at++) last = repository.commit(`feat: ${at}`, { 'a.txt': String(at) });
    await until(() => calls().includes(last) && !existsSync(join(options.runDirectory, 'index.lock')));
    expect(calls()).not.toContain('TWO');
  });
});

describe('the tags line of a commit (seed §2.3)', () => {
  const committed = (repository: ReturnType<typeof testRepository>) =>
    repository.git('log', '-1', '--format=%B').trim();

  test('is written from components, and a person’s own line wins', async () => {
    const { repository, options } = hooked();
    installHooks(join(repository.path, '.git', 'hooks'), options);
    repository.commit('feat: one', { 'a.txt': '1' });
    expect(committed(repository)).toBe('feat: one\n\ntags: core, manifest');
    repository.commit('feat: two\n\ntags: mine', { 'a.txt': '2' });
    expect(committed(repository)).toBe('feat: two\n\ntags: mine');
    await until(() => !existsSync(join(options.runDirectory, 'index.lock')));
  });

  const manifest = () => [
    { name: 'core', paths: ['./packages/core'] },
    { name: 'manifest', paths: ['packages/core/src/manifest/**'] },
    { name: 'web', paths: ['packages/web'] },
  ];

  test('a component hierarchy gives every level', async () => {
    const tags = await suggestCommitTags(['packages/core/src/manifest/read.ts'], { manifest });
    expect(tags).toEqual(['core', 'manifest']);
  });

  test('the tags of the current task are added; without a manifest the areas name the components', async () => {
    const task = async () => ['Urgent', 'core'];
    expect(await suggestCommitTags(['packages/web/a.ts'], { manifest, task })).toEqual([
      'web',
      'urgent',
      'core',
    ]);
    // Each becomes one word, so that the line reads back as the same tags.
    const areas = async () => ['Session handling', 'JWT utils (renamed), hardening'];
    expect(await suggestCommitTags(['a.ts'], { manifest: () => undefined, areas })).toEqual([
      'session-handling',
      'jwt-utils-renamed-hardening',
    ]);
  });
});
