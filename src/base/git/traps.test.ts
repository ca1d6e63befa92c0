import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { startTime } from '../process/index.ts';
import { createGit, createOwnGit, findRepository } from './index.ts';

/** A repository of two commits, and a program that leaves a mark when somebody runs it. */
function trapped() {
  const at = temporaryDirectory('traps');
  const repository = testRepository([], join(at, 'repository'));
  repository.commit('first', { 'a.ts': 'export const a = 1;\n' });
  repository.commit('second', { 'a.ts': 'export const a = 2;\n', 'b.ts': 'export const b = 1;\n' });
  const mark = join(at, 'mark');
  const program = join(at, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\n`);
  chmodSync(program, 0o755);
  const inGit = (...path: string[]) => join(repository.path, '.git', ...path);
  return { at, repository, program, inGit, sprung: () => existsSync(mark), config: inGit('config') };
}

const pipe = (path: string) => spawnSync('mkfifo', [path]);

const verbs = [
  ['status', '--porcelain', '-z', '--ignored'],
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  ['grep', '-z', '-n', '-I', '-F', '--untracked', '-e', 'export', '--', '.'],
  ['log', '-p', '--format=%H %aN %G?'],
  ['diff', 'HEAD~1'],
  ['diff', '--name-only'],
  ['blame', '--porcelain', 'a.ts'],
  ['cat-file', '--batch-all-objects', '--batch-check'],
  ['hash-object', '-w', 'a.ts'],
  ['for-each-ref'],
  ['stash', 'list', '--format=%gs'],
  ['rev-list', '--objects', '--all'],
  ['fetch', 'origin'],
  ['reset', '--hard', '--quiet'],
  ['merge', '--no-edit', 'side'],
  ['worktree', 'list', '--porcelain', '-z'],
];

type Trap = [name: string, set: (place: ReturnType<typeof trapped>) => void];

const filterNamed =
  (section: string, attribute: string): Trap[1] =>
  (place) => {
    const each = ['clean', 'smudge', 'process'].map((kind) => `\t${kind} = ${place.program}\n`).join('');
    appendFileSync(place.config, `[${section}]\n${each}`);
    place.repository.write('.gitattributes', `* ${attribute}\n`);
  };

const programs: Trap[] = [
  ['a filter without a name', filterNamed('filter ""', 'filter=')],
  ['a filter with a line break in its name', filterNamed('filter "a\\\nb"', 'filter=a')],
  [
    'a configuration of 17 MB',
    (place) => {
      filterNamed('filter "big"', 'filter=big')(place);
      appendFileSync(place.config, `[x "${'n'.repeat(900)}"]\n\ty = 1\n`.repeat(19_000));
    },
  ],
  [
    'a filter in a file that the configuration includes',
    (place) => {
      writeFileSync(join(place.at, 'more'), `[filter "in"]\n\tclean = ${place.program}\n`);
      appendFileSync(place.config, `[include]\n\tpath = ${join(place.at, 'more')}\n`);
      place.repository.write('.gitattributes', '* filter=in\n');
    },
  ],
  [
    'a filter in the configuration of the working tree',
    (place) => {
      place.repository.git('config', 'extensions.worktreeConfig', 'true');
      writeFileSync(place.inGit('config.worktree'), `[filter "tree"]\n\tclean = ${place.program}\n`);
      place.repository.write('.gitattributes', '* filter=tree\n');
    },
  ],
  [
    'a filter that only .git/info/attributes names',
    (place) => {
      filterNamed('filter "info"', '-text')(place);
      mkdirSync(place.inGit('info'), { recursive: true });
      writeFileSync(place.inGit('info', 'attributes'), '* filter=info\n');
    },
  ],
  [
    'a program that checks signatures and one that makes them',
    (place) => {
      const { repository, program } = place;
      for (const key of ['gpg.program', 'gpg.ssh.program', 'gpg.x509.program'])
        repository.git('config', key, program);
      for (const key of ['commit.gpgSign', 'merge.verifySignatures', 'log.showSignature'])
        repository.git('config', key, 'true');
    },
  ],
  [
    'a merge driver and a strategy of its own',
    ({ repository, program }) => {
      repository.git('config', 'merge.own.driver', program);
      repository.git('config', 'merge.default', 'own');
      repository.git('config', 'branch.main.mergeOptions', '-s own');
      repository.write('.gitattributes', '* merge=own\n');
    },
  ],
  [
    'missing objects that another program is to fetch',
    ({ repository, program, inGit }) => {
      repository.git('config', 'core.repositoryformatversion', '1');
      repository.git('config', 'extensions.partialClone', 'origin');
      repository.git('config', 'remote.origin.promisor', 'true');
      repository.git('config', 'remote.origin.url', `ext::${program}`);
      repository.git('config', 'protocol.ext.allow', 'always');
      const blob = repository.git('rev-parse', 'HEAD~1:a.ts');
      rmSync(inGit('objects', blob.slice(0, 2), blob.slice(2)));
    },
  ],
  [
    'hooks, a monitor, an ssh command and a credential helper',
    ({ repository, program, inGit }) => {
      mkdirSync(inGit('hooks'), { recursive: true });
      for (const hook of ['post-merge', 'pre-merge-commit', 'post-checkout', 'reference-transaction'])
        symlinkSync(program, inGit('hooks', hook));
      for (const key of [
        'core.fsmonitor',
        'core.sshCommand',
        'credential.helper',
        'core.alternateRefsCommand',
      ])
        repository.git('config', key, program);
      repository.git('config', 'remote.origin.url', 'ssh://127.0.0.1:1/x');
    },
  ],
];

test.each(programs)('%s runs nothing, with any command', async (_name, set) => {
  const place = trapped();
  place.repository.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  place.repository.commit('side', { 'c.ts': 'export const c = 1;\n' });
  place.repository.git('checkout', '-q', 'main');
  set(place);
  appendFileSync(join(place.repository.path, 'b.ts'), '// changed\n');
  const git = createGit(place.repository.path);
  for (const verb of verbs) await git.run(verb, { accept: [1, 2, 128, 129] }).catch(() => undefined);
  expect(place.sprung()).toBe(false);
});

test('the configuration of a submodule runs nothing when the project around it is asked', async () => {
  const place = trapped();
  const inside = testRepository([], join(place.at, 'inside'));
  inside.commit('first', { 'x.txt': 'x\n', '.gitattributes': '* filter=sub\n' });
  const { repository, program } = place;
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inside.path, 'sub');
  repository.commit('submodule');
  for (const kind of ['clean', 'smudge', 'process'])
    spawnSync('git', ['-C', join(repository.path, 'sub'), 'config', `filter.sub.${kind}`, program]);
  writeFileSync(join(repository.path, 'sub', 'x.txt'), 'y\n');
  const git = createGit(repository.path);
  for (const verb of verbs) await git.run(verb, { accept: [1, 2, 128, 129] }).catch(() => undefined);
  expect(place.sprung()).toBe(false);
});

const unreadable: Array<[name: string, set: Trap[1], said: RegExp]> = [
  ['a configuration of 17 MB', programs[2]?.[1] ?? (() => {}), /config .*(?:bytes|MB)/],
  ['a pipe for HEAD', ({ inGit }) => replace(inGit('HEAD'), pipe), /HEAD is a pipe/],
  [
    'a device for packed-refs',
    ({ inGit }) => symlinkSync('/dev/zero', inGit('packed-refs')),
    /packed-refs is a pipe or a device/,
  ],
  [
    'a device for a branch',
    ({ inGit }) => symlinkSync('/dev/zero', inGit('refs', 'heads', 'x')),
    /heads\/x is a pipe or a device/,
  ],
  [
    'a pipe for the alternates',
    ({ inGit }) => pipe(inGit('objects', 'info', 'alternates')),
    /alternates is a pipe/,
  ],
  ['a pipe for the configuration', ({ config }) => replace(config, pipe), /config is a pipe/],
  [
    'a pipe for .gitignore',
    ({ repository }) => pipe(join(repository.path, '.gitignore')),
    /\.gitignore is a pipe/,
  ],
  [
    'a pipe for an object',
    ({ repository, inGit }) => {
      const blob = repository.git('rev-parse', 'HEAD:b.ts');
      replace(inGit('objects', blob.slice(0, 2), blob.slice(2)), pipe);
      repository.write('b.ts', 'export const b = 1;\n');
    },
    /objects\/\w\w\/\w+ is a pipe/,
  ],
];

function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  make(path);
}

test.each(unreadable)('%s is named as the cause instead of waiting for it', async (_name, set, said) => {
  const place = trapped();
  set(place);
  const git = createGit(place.repository.path);
  const read = async () => {
    await git.run(['ls-files', '-z', '--others', '--exclude-standard']);
    await git.run(['cat-file', '--batch-all-objects', '--batch']);
  };
  await expect(read()).rejects.toMatchObject({ code: 'DENIED', message: expect.stringMatching(said) });
});

test.each(['core.excludesFile', 'core.attributesFile', 'commit.template', 'mailmap.file', 'include.path'])(
  'a pipe as %s is not looked at',
  async (key) => {
    const place = trapped();
    pipe(join(place.at, 'pipe'));
    place.repository.git('config', key, join(place.at, 'pipe'));
    place.repository.write('c.ts', 'new');
    const git = createGit(place.repository.path);
    expect(await git.list(['ls-files', '-z', '--others', '--exclude-standard'])).toEqual(['c.ts']);
    expect(await git.text(['log', '-1', '--format=%aN'])).toBe('Ada');
  },
);

test('a working tree named by the configuration is not entered', async () => {
  const place = trapped();
  mkdirSync(join(place.at, 'elsewhere'));
  writeFileSync(join(place.at, 'elsewhere', 'secret.txt'), 'x');
  place.repository.git('config', 'core.worktree', join(place.at, 'elsewhere'));
  const git = createGit(place.repository.path);
  expect(await git.list(['ls-files', '-z', '--others'])).toEqual([]);
});

test('a replaced object is shown as it was written, not as the replacement says', async () => {
  const { repository } = trapped();
  const forged = repository.git('commit-tree', '-m', 'forged', 'HEAD^{tree}');
  repository.git('replace', 'HEAD', forged);
  expect(await createGit(repository.path).text(['log', '-1', '--format=%s'])).toBe('second');
});

test('git writes through no link of a git directory', async () => {
  const { at, repository, inGit } = trapped();
  const precious = join(at, 'precious');
  writeFileSync(precious, 'precious\n');
  replace(inGit('logs', 'HEAD'), (path) => symlinkSync(precious, path));
  const git = createGit(repository.path);
  await expect(git.run(['reset', '--hard', 'HEAD~1'])).rejects.toMatchObject({ code: 'DENIED' });
  expect(readFileSync(precious, 'utf8')).toBe('precious\n');
});

test.each([
  ['the log of what is checked out', ['logs', 'HEAD'], 'refs/heads/main'],
  ['the reference itself', ['refs', 'heads', 'side'], 'refs/heads/side'],
  ['a directory above it', ['refs', 'sylk'], 'refs/sylk/run/tip'],
  ['a directory of its log', ['logs', 'refs', 'heads'], 'refs/heads/side'],
])('a reference is not written where %s is a link', async (_, place, ref) => {
  const { at, repository, inGit } = trapped();
  const outside = join(at, 'outside');
  const head = repository.git('rev-parse', 'HEAD~1');
  mkdirSync(outside);
  replace(inGit(...place), (path) => symlinkSync(outside, path));
  const git = createGit(repository.path);
  await expect(git.run(['update-ref', ref, head])).rejects.toMatchObject({ code: 'DENIED' });
  expect(readdirSync(outside)).toEqual([]);
});

test('what a repository needs to be read is carried over: sha256, alternates, ignored files, packed branches', async () => {
  const { at, repository } = trapped();
  repository.git('pack-refs', '--all');
  repository.git('clone', '-q', '--shared', '--bare', repository.path, join(at, 'shared.git'));
  expect(await createGit(join(at, 'shared.git')).text(['log', '-1', '--format=%s', 'main'])).toBe('second');
  const wide = testRepository(['--object-format=sha256'], join(at, 'wide'));
  const head = wide.commit('wide', { 'a.txt': 'a' });
  expect(await createGit(wide.path).text(['rev-parse', 'HEAD'])).toBe(head);
  writeFileSync(join(wide.path, '.git', 'info', 'exclude'), '*.log\n');
  wide.write('x.log', '');
  wide.write('x.txt', '');
  expect(await createGit(wide.path).list(['ls-files', '-z', '--others', '--exclude-standard'])).toEqual([
    'x.txt',
  ]);
});

test('what git finds in a linked working tree and in a bare repository is what plain git finds', async () => {
  const { at, repository } = trapped();
  repository.git('worktree', 'add', '-q', '-b', 'other', join(at, 'other'), 'HEAD~1');
  const linked = createGit(join(at, 'other'));
  expect(await linked.text(['symbolic-ref', '--short', 'HEAD'])).toBe('other');
  expect(await linked.text(['status', '--porcelain'])).toBe('');
  expect(await linked.text(['rev-list', '--count', 'HEAD..main'])).toBe('1');
});

test('a repository of our own is checked out without filters of the person', async () => {
  const { at, repository } = trapped();
  const git = createOwnGit(at, { gitDirectory: join(repository.path, '.git') });
  expect(await git.text(['config', '--list', '--show-scope'])).not.toMatch(/^(?:global|system)\t/m);
});

/** A process that asks git once and, where told to, is killed before it can tidy up. */
function another(place: ReturnType<typeof trapped>, end = '') {
  const code = `import { createGit } from '${join(import.meta.dirname, 'index.ts')}'; await createGit(process.argv[1]).text(['status']); ${end}`;
  const counted = join(place.at, 'bin');
  mkdirSync(counted, { recursive: true });
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(counted, 'git'), `#!/bin/sh\necho "$*" >> '${place.at}/asked'\nexec '${git}' "$@"\n`);
  chmodSync(join(counted, 'git'), 0o755);
  rmSync(join(place.at, 'asked'), { force: true });
  const env = { PATH: `${counted}:${process.env.PATH}`, HOME: place.at, TMPDIR: place.at };
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', code, place.repository.path], {
    env,
    encoding: 'utf8',
  });
  return { ...ended, asked: readFileSync(join(place.at, 'asked'), 'utf8').trim().split('\n'), env };
}
const temporaryOf = (at: string) => readdirSync(at).filter((name) => name.startsWith('sylk-git-'));

test('where no state is kept yet, reading leaves nothing behind', () => {
  const place = trapped();
  const before = readdirSync(place.inGit());
  expect(another(place).stderr).toBe('');
  expect(temporaryOf(place.at)).toEqual([]);
  expect(readdirSync(place.inGit())).toEqual(before);
});

test('what a killed process left is removed by the next, and what a running one uses is not', () => {
  const place = trapped();
  expect(another(place, "process.kill(process.pid, 'SIGKILL')").signal).toBe('SIGKILL');
  const [left] = temporaryOf(place.at);
  expect(left).toMatch(/^sylk-git-\d+-\d+-/);
  const running = `sylk-git-${process.pid}-${startTime(process.pid)}-abcdef`;
  const reused = `sylk-git-${process.pid}-1-abcdef`;
  for (const name of [running, reused, 'sylk-git-other']) mkdirSync(join(place.at, name));
  another(place);
  expect(temporaryOf(place.at).sort()).toEqual([running, 'sylk-git-other'].sort());
});

test('later processes reuse the directory that is kept in the state, and ask git for settings only after a change', () => {
  const place = trapped();
  const prepare = `const { findRepository } = await import('${join(import.meta.dirname, 'index.ts')}'); findRepository(process.argv[1]).state.prepare();`;
  another(place, prepare);
  const settingsAsked = () => another(place).asked.filter((line) => line.startsWith('config'));
  const kept = () => readdirSync(place.inGit('sylk', 'run')).filter((name) => name.startsWith('git-'));
  expect(settingsAsked()).toHaveLength(2);
  const [first] = kept();
  expect(settingsAsked()).toEqual([]);
  place.repository.git('config', 'branch.main.remote', 'origin');
  expect(settingsAsked()).toHaveLength(2);
  expect(kept()).toEqual([first]);
  place.repository.git('config', 'core.fileMode', 'false');
  expect(settingsAsked()).toHaveLength(2);
  expect(kept()).toHaveLength(2);
  expect(temporaryOf(place.at)).toEqual([]);
  expect(temporaryOf(place.inGit('sylk', 'run'))).toEqual([]);
});

test('no link of the kept directory leads nowhere, whatever comes and goes', async () => {
  const place = trapped();
  findRepository(place.repository.path).state.prepare();
  const git = createGit(place.repository.path);
  const run = place.inGit('sylk', 'run');
  const broken = () =>
    readdirSync(run, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink() && !existsSync(join(entry.parentPath, entry.name)))
      .map(({ name }) => name);
  const head = await git.text(['rev-parse', 'HEAD']);
  expect(broken()).toEqual([]);
  place.repository.git('pack-refs', '--all');
  expect(await git.text(['rev-parse', 'main'])).toBe(head);
  rmSync(place.inGit('packed-refs'));
  place.repository.git('update-ref', 'refs/heads/main', head);
  expect(await git.text(['rev-parse', 'main'])).toBe(head);
  expect(broken()).toEqual([]);
});

const changes: Array<[name: string, change: (kept: string, place: ReturnType<typeof trapped>) => void]> = [
  [
    'a filter was added to its configuration',
    (kept, { program }) => appendFileSync(join(kept, 'config'), `[filter "evil"]\n\tclean = ${program}\n`),
  ],
  [
    'another configuration was put in and the name made to fit it',
    (kept, { inGit, program }) => {
      const forged = `[filter "evil"]\n\tclean = ${program}\n`;
      const shared = ['HEAD', 'objects', 'refs', 'logs'];
      const parts = JSON.stringify([inGit(), forged, undefined, ...shared]);
      const name = `git-${createHash('sha256').update(parts).digest('hex').slice(0, 32)}`;
      renameSync(kept, join(dirname(kept), name));
      rmSync(join(dirname(kept), name, 'info'), { recursive: true, force: true });
      writeFileSync(join(dirname(kept), name, 'config'), forged);
      const note = join(dirname(kept), 'git.json');
      writeFileSync(note, readFileSync(note, 'utf8').replace(/git-[0-9a-f]{32}/, name));
    },
  ],
  [
    'it was replaced by a link to another',
    (kept, { at, program }) => {
      renameSync(kept, join(at, 'elsewhere'));
      appendFileSync(join(at, 'elsewhere', 'config'), `[filter "evil"]\n\tclean = ${program}\n`);
      symlinkSync(join(at, 'elsewhere'), kept);
    },
  ],
];

test.each(changes)('the kept directory acts on nothing after %s', async (_name, change) => {
  const place = trapped();
  const { repository } = place;
  repository.write('.gitattributes', '* filter=evil\n');
  findRepository(repository.path).state.prepare();
  const git = createGit(repository.path);
  await git.run(['status', '--porcelain']);
  const run = place.inGit('sylk', 'run');
  const [kept = ''] = readdirSync(run).filter((name) => name.startsWith('git-'));
  for (const [round, each] of [git, createGit(repository.path)].entries()) {
    change(join(run, kept), place);
    repository.write('a.ts', `export const a = ${round + 3};\n`);
    await each.run(['diff', '--stat']);
    await each.run(['hash-object', 'a.ts']);
    expect(place.sprung()).toBe(false);
    rmSync(join(place.at, 'elsewhere'), { recursive: true, force: true });
    rmSync(run, { recursive: true });
    await createGit(repository.path).run(['status']);
  }
});

test('a kept directory is not reused once a part of it leads elsewhere', async () => {
  const place = trapped();
  findRepository(place.repository.path).state.prepare();
  const common = () => createGit(place.repository.path).text(['rev-parse', '--git-common-dir']);
  const kept = await common();
  rmSync(join(kept, 'objects'));
  symlinkSync(place.at, join(kept, 'objects'));
  writeFileSync(join(kept, 'extra'), '');
  expect(await common()).toBe(kept);
  expect(readlinkSync(join(kept, 'objects'))).toBe(place.inGit('objects'));
  expect(existsSync(join(kept, 'extra'))).toBe(false);
});

test('a state directory that became a link under a running process is written to by nobody', async () => {
  const { at, repository, inGit } = trapped();
  findRepository(repository.path).state.prepare();
  const git = createGit(repository.path);
  await git.run(['status']);
  mkdirSync(join(at, 'outside'));
  renameSync(inGit('sylk'), inGit('sylk.old'));
  symlinkSync(join(at, 'outside'), inGit('sylk'));
  expect(await git.text(['rev-list', '--count', 'HEAD'])).toBe('2');
  expect(readdirSync(join(at, 'outside'))).toEqual([]);
});

test('a process whose directory was tidied away makes it again', async () => {
  const place = trapped();
  const git = createGit(place.repository.path);
  const common = () => git.text(['rev-parse', '--git-common-dir']);
  const first = await common();
  rmSync(first, { recursive: true });
  expect(existsSync(await common())).toBe(true);
});

test('odd and damaged parts of a git directory neither stop git nor run anything', async () => {
  const place = trapped();
  const { repository, inGit, program } = place;
  repository.git('gc', '-q');
  repository.git('commit-graph', 'write', '--reachable');
  repository.git('multi-pack-index', 'write', '--bitmap');
  repository.git('update-index', '--untracked-cache', '--split-index');
  repository.git('sparse-checkout', 'set', '--no-cone', '/a.ts');
  repository.git('config', 'core.fsmonitor', program);
  repository.git('config', 'core.worktree', '/');
  repository.write(
    '.gitmodules',
    `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n\tupdate = !${program}\n`,
  );
  const garbage = [
    inGit('objects', 'info', 'commit-graph'),
    ...readdirSync(inGit('objects', 'pack'))
      .filter((name) => /\.bitmap$|^multi-pack-index/.test(name))
      .map((name) => inGit('objects', 'pack', name)),
  ];
  expect(garbage.length).toBeGreaterThan(2);
  for (const path of garbage) {
    chmodSync(path, 0o644);
    writeFileSync(path, Buffer.alloc(4096, 0xa5));
  }
  const git = createGit(repository.path);
  for (const verb of verbs) await git.run(verb, { accept: [1, 2, 128, 129] }).catch(() => undefined);
  expect(await git.text(['rev-list', '--count', 'HEAD'])).toBe('2');
  mkdirSync(inGit('worktrees'), { recursive: true });
  const side = join(place.at, 'side');
  await git.run(['worktree', 'add', '--no-checkout', '-b', 'session', '--', side, 'HEAD']);
  expect(place.sprung()).toBe(false);
});
