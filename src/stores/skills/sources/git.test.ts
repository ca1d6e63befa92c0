import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gitServer } from '../../../../tests/support/git-http.ts';
import { type TestRepository, testRepository } from '../../../../tests/support/repository.ts';
import { skillText } from '../../../../tests/support/skills.ts';
import { temporaryDirectory } from '../../../../tests/support/temporary.ts';
import { fixedClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { SkillSource } from '../skill.ts';
import { type GitSourceOptions, gitSource } from './git.ts';

const text = (name: string, body = `How to ${name}.`) => skillText(name, `About ${name}`, body);

function setUp(files: Record<string, string> = { 'a/one/SKILL.md': text('one') }) {
  const place = temporaryDirectory('git');
  const work = testRepository([], join(place, 'work'));
  work.commit('first', files);
  work.git('clone', '-q', '--bare', work.path, join(place, 'skills.git'));
  work.git('remote', 'add', 'origin', join(place, 'skills.git'));
  const clock = fixedClock();
  const warnings: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields ?? {})}`),
    error: () => {},
    with: () => log,
  };
  const cacheRoot = join(place, 'cache');
  const open = (more: Partial<GitSourceOptions> = {}) =>
    gitSource({
      url: `file://${join(place, 'skills.git')}`,
      allowFileRemotes: true,
      cacheRoot,
      clock,
      log,
      ...more,
    });
  return { place, work, clock, warnings, cacheRoot, open };
}

const push = (work: TestRepository, ...more: string[]) =>
  work.git('push', '-q', ...more, 'origin', 'main', '--tags');
const ids = async (source: SkillSource) => (await source.list()).map((skill) => skill.id);

describe('life cycle', () => {
  test('construction validates and does not clone; the first question does', async () => {
    const { open, cacheRoot } = setUp();
    expect(() => open({ url: 'ext::sh -c id' })).toThrow(/Not an allowed git URL/);
    expect(() => open({ ref: '--upload-pack=x' })).toThrow(/Invalid revision/);
    const source = open();
    expect(existsSync(cacheRoot)).toBe(false);
    expect(await ids(source)).toEqual(['a/one']);
    expect(readdirSync(cacheRoot).length).toBeGreaterThan(0);
  });

  test('a branch that moved is seen after the interval, and not before', async () => {
    const { open, work, clock } = setUp();
    const source = open({ refreshSeconds: 300 });
    expect(await ids(source)).toEqual(['a/one']);
    work.commit('second', { 'b/two/SKILL.md': text('two') });
    push(work);
    clock.advance(299_000);
    expect(await ids(source)).toEqual(['a/one']);
    clock.advance(1_000);
    expect(await ids(source)).toEqual(['a/one', 'b/two']);
    expect(source.origin!()).toMatchObject({
      kind: 'git',
      remote: true,
      revision: work.git('rev-parse', 'HEAD'),
    });
  });

  test('a new process serves the copy of the last one without asking the remote', async () => {
    const { open, place } = setUp();
    await ids(open());
    renameSync(join(place, 'skills.git'), join(place, 'away.git'));
    expect(await ids(open())).toEqual(['a/one']);
  });

  test('a tag and a commit are never refreshed', async () => {
    const { open, work, clock, place } = setUp();
    work.git('tag', '-a', '-m', 'release', 'v1');
    const first = work.git('rev-parse', 'HEAD');
    push(work);
    work.commit('second', { 'b/two/SKILL.md': text('two') });
    push(work);
    const tag = open({ ref: 'v1', refType: 'tag' });
    const commit = open({ ref: first.slice(0, 10), refType: 'commit' });
    expect(await ids(tag)).toEqual(['a/one']);
    expect(await ids(commit)).toEqual(['a/one']);
    work.git('push', '-q', '--force', 'origin', 'HEAD:refs/tags/v1');
    clock.advance(1e12);
    renameSync(join(place, 'skills.git'), join(place, 'gone.git'));
    expect(await ids(tag)).toEqual(['a/one']);
    expect(await ids(commit)).toEqual(['a/one']);
  });

  test('two refs of one repository have two copies', async () => {
    const { open, work } = setUp();
    work.git('tag', 'v1');
    work.commit('second', { 'b/two/SKILL.md': text('two') });
    push(work);
    expect(await ids(open({ ref: 'v1', refType: 'tag' }))).toEqual(['a/one']);
    expect(await ids(open())).toEqual(['a/one', 'b/two']);
  });

  test('a clone is shallow unless told, and whole for a commit', async () => {
    const { open, work, cacheRoot } = setUp();
    work.commit('second', {});
    work.commit('third', {});
    push(work);
    const count = () =>
      readdirSync(cacheRoot)
        .filter((name) => existsSync(join(cacheRoot, name, 'repo.git')))
        .map((name) => testGit(join(cacheRoot, name, 'repo.git'), 'rev-list', '--all', '--count'))
        .sort();
    const testGit = (directory: string, ...args: string[]) => work.git(`--git-dir=${directory}`, ...args);
    await ids(open());
    expect(count()).toEqual(['1']);
    await ids(open({ ref: work.git('rev-parse', 'HEAD~1'), refType: 'commit' }));
    expect(count()).toEqual(['1', '3']);
  });

  test('skills_root limits what is scanned, and collections come from the tree', async () => {
    const { open } = setUp({
      'README.md': 'x',
      'lib/skills/extraction/COLLECTION.md': 'Entity extraction\n',
      'lib/skills/extraction/email/SKILL.md': text('email'),
      'other/x/SKILL.md': text('x'),
    });
    const source = open({ skillsRoot: 'lib/skills' });
    expect(await ids(source)).toEqual(['extraction/email']);
    expect(await source.collections!()).toEqual([
      { path: 'extraction', description: 'Entity extraction', count: 1 },
    ]);
  });
});

describe('failures', () => {
  test('clone fails: the error says so, and the source works once the remote is there', async () => {
    const { open, work, place } = setUp();
    const source = open({ url: `file://${join(place, 'later.git')}` });
    await expect(source.list()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^git clone failed: /),
    });
    work.git('clone', '-q', '--bare', work.path, join(place, 'later.git'));
    expect(await ids(source)).toEqual(['a/one']);
  });

  test("a ref that is missing: ref '…' not found in repo", async () => {
    const { open } = setUp();
    const message = (ref: string) => ({ code: 'UNAVAILABLE', message: `ref '${ref}' not found in repo` });
    await expect(open({ ref: 'nope' }).list()).rejects.toMatchObject(message('nope'));
    await expect(open({ ref: 'v9', refType: 'tag' }).list()).rejects.toMatchObject(message('v9'));
    const sha = 'a1b2c3d4'.repeat(5);
    await expect(open({ ref: sha, refType: 'commit' }).list()).rejects.toMatchObject(message(sha));
  });

  test("a skills_root that is missing: skills_root '…' not found in repo", async () => {
    const { open } = setUp();
    await expect(open({ skillsRoot: 'no/such' }).list()).rejects.toMatchObject({
      message: "skills_root 'no/such' not found in repo",
    });
    await expect(open({ skillsRoot: '../..' }).list()).rejects.toMatchObject({ code: 'DENIED' });
  });

  test('stale cache: while the network is gone the last good copy is served, and it is tried again after the interval', async () => {
    const { open, work, clock, place, warnings } = setUp();
    const source = open({ refreshSeconds: 60 });
    await ids(source);
    work.commit('second', { 'b/two/SKILL.md': text('two') });
    push(work);
    renameSync(join(place, 'skills.git'), join(place, 'away.git'));
    clock.advance(60_000);
    expect(await ids(source)).toEqual(['a/one']);
    expect(await ids(source)).toEqual(['a/one']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/could not be refreshed; serving the clone of [0-9a-f]{12}.*git pull failed/);
    renameSync(join(place, 'away.git'), join(place, 'skills.git'));
    expect(await ids(source)).toEqual(['a/one']);
    clock.advance(60_000);
    expect(await ids(source)).toEqual(['a/one', 'b/two']);
  });

  test('the time of the last sync is kept on failure, so that a new process tries at once', async () => {
    const { open, clock, place, cacheRoot } = setUp();
    await ids(open());
    const state = () =>
      readFileSync(
        join(cacheRoot, readdirSync(cacheRoot).find((name) => name.length === 32)!, 'state.json'),
        'utf8',
      );
    const before = state();
    renameSync(join(place, 'skills.git'), join(place, 'away.git'));
    clock.advance(301_000);
    await ids(open());
    expect(state()).toBe(before);
  });

  test('fast-forward only: a branch that was rewritten is not taken until a person says so', async () => {
    const { open, work, clock, warnings } = setUp();
    const source = open({ refreshSeconds: 60 });
    await ids(source);
    work.git('commit', '-q', '--amend', '-m', 'rewritten', '--no-edit', '--allow-empty');
    work.commit('evil', { 'evil/x/SKILL.md': text('x') });
    push(work, '--force');
    clock.advance(60_000);
    expect(await ids(source)).toEqual(['a/one']);
    expect(warnings[0]).toContain('was rewritten on the remote');
    await expect(source.refresh!()).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('--accept-rewrite'),
    });
    await source.refresh!({ acceptRewrite: true });
    expect(await ids(source)).toEqual(['a/one', 'evil/x']);
  });

  test('what a killed process left behind does not stand in the way', async () => {
    const { open, work, clock, cacheRoot } = setUp();
    await ids(open());
    const home = join(cacheRoot, readdirSync(cacheRoot).find((name) => name.length === 32)!);
    writeFileSync(join(home, 'repo.git/shallow.lock'), '');
    mkdirSync(join(home, 'trees/.half.abc'));
    work.commit('second', { 'b/two/SKILL.md': text('two') });
    push(work);
    clock.advance(400_000);
    expect(await ids(open())).toEqual(['a/one', 'b/two']);
  });

  test('a state file of garbage means that nothing is there yet', async () => {
    const { open, cacheRoot } = setUp();
    await ids(open());
    const home = join(cacheRoot, readdirSync(cacheRoot).find((name) => name.length === 32)!);
    writeFileSync(join(home, 'state.json'), '{"commit":"../../etc"');
    expect(await ids(open())).toEqual(['a/one']);
  });
});

test('two processes that refresh at once both answer, and the copy is whole', async () => {
  const { work, place, cacheRoot } = setUp(
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c/s-${at}/SKILL.md`, text(`s-${at}`)])),
  );
  push(work);
  const program = `
    import { gitSource } from ${JSON.stringify(join(import.meta.dirname, 'git.ts'))};
    const source = gitSource({ url: ${JSON.stringify(`file://${join(place, 'skills.git')}`)}, allowFileRemotes: true, cacheRoot: ${JSON.stringify(cacheRoot)}, refreshSeconds: 0 });
    let least = Infinity;
    for (let round = 0; round < 4; round++) least = Math.min(least, (await source.list()).length);
    console.log(least);`;
  const file = join(place, 'reader.ts');
  writeFileSync(file, program);
  const run = () =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, [file], { env: process.env });
      onTestFinished(() => void child.kill('SIGKILL'));
      let out = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (out += chunk));
      child.on('close', () => resolve(out.trim()));
      child.on('error', reject);
    });
  expect(await Promise.all([run(), run(), run()])).toEqual(['60', '60', '60']);
});

describe('transport', () => {
  test("over http by git http-backend, for a host that a person's own settings name", async () => {
    const { open, place, work, clock } = setUp();
    const server = await gitServer(place);
    const url = `${server.url}/skills.git`;
    expect(() => open({ url, allowFileRemotes: false })).toThrow(/Not an allowed git URL.*scheme http/);
    const source = open({ url, allowHosts: [server.host], allowFileRemotes: false, refreshSeconds: 60 });
    expect(await ids(source)).toEqual(['a/one']);
    work.commit('second', { 'b/two/SKILL.md': text('two') });
    push(work);
    server.fail(true);
    clock.advance(60_000);
    expect(await ids(source)).toEqual(['a/one']);
    server.fail(false);
    clock.advance(60_000);
    expect(await ids(source)).toEqual(['a/one', 'b/two']);
  });

  test('a token is sent as the password of x-access-token, and is written to no file', async () => {
    const { open, place, cacheRoot } = setUp();
    const server = await gitServer(place);
    const basic = `Basic ${Buffer.from('x-access-token:tok-3f9a').toString('base64')}`;
    server.require(basic);
    const url = `${server.url}/skills.git`;
    const allowHosts = [server.host];
    await expect(open({ url, allowHosts }).list()).rejects.toMatchObject({
      message: expect.stringContaining('git clone failed'),
    });
    expect(await ids(open({ url, allowHosts, token: 'tok-3f9a' }))).toEqual(['a/one']);
    expect(server.requests.at(-1)?.authorization).toBe(basic);
    const files = readdirSync(cacheRoot, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const entry of files) {
      const content = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      expect(content.includes('tok-3f9a') || content.includes(basic.slice(6)), entry.name).toBe(false);
    }
  });

  test('a private https host is refused unless named, before anything is sent', async () => {
    const { open } = setUp();
    for (const host of ['127.0.0.1:9', '[::1]:9', '169.254.169.254', '2130706433:9'])
      await expect(
        open({ url: `https://${host}/x.git`, allowFileRemotes: false }).list(),
        host,
      ).rejects.toMatchObject({ code: 'DENIED' });
  });

  test('git goes to the address that was checked, whatever the name says when git asks', async () => {
    const { open, place } = setUp();
    const server = await gitServer(place);
    const port = server.host.split(':')[1];
    const source = open({
      url: `http://skills.invalid:${port}/skills.git`,
      allowHosts: [`skills.invalid:${port}`],
      allowFileRemotes: false,
      pinAddress: true,
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    expect(await ids(source)).toEqual(['a/one']);
  });

  test.each([
    'ext::sh -c touch% x',
    'EXT::sh -c id',
    'file:///etc',
    'fd::7',
    'git://example.org/x.git',
    'http://example.org/x.git',
    '--upload-pack=touch x',
    '-oProxyCommand=touch x',
    'ssh://-oProxyCommand=x/y',
    '/etc/passwd',
    'https://user:secret@example.org/x.git',
  ])('policy refuses %j', (url) => {
    expect(() => gitSource({ url })).toThrow();
  });

  test('ssh addresses go through ssh with exactly the given key, and a passphrase is never asked on a terminal', async () => {
    const { open, place } = setUp();
    // Stands in for ssh: notes what it was given, asks for the passphrase as ssh would, and runs the command here.
    const bin = join(place, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'ssh'),
      `#!/bin/sh\necho "$@" >> ${place}/ssh.txt\n[ -n "$SSH_ASKPASS" ] && "$SSH_ASKPASS" "Enter passphrase:" >> ${place}/asked.txt\nfor last; do :; done\neval "$last"\n`,
    );
    chmodSync(join(bin, 'ssh'), 0o755);
    const key = join(place, "it's a key");
    writeFileSync(key, 'key');
    const path = process.env.PATH;
    process.env.PATH = `${bin}:${path}`;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    const url = `ssh://git@host.example${join(place, 'skills.git')}`;
    const source = open({ url, allowFileRemotes: false, sshKey: { path: key, passphrase: 'open sesame' } });
    expect(await ids(source)).toEqual(['a/one']);
    expect(readFileSync(join(place, 'ssh.txt'), 'utf8')).toMatch(
      /IdentitiesOnly=yes.*-i .*it's a key.* git@host\.example git-upload-pack/,
    );
    expect(readFileSync(join(place, 'asked.txt'), 'utf8')).toContain('open sesame');
    const scp = open({
      url: `git@host.example:${join(place, 'skills.git')}`,
      allowFileRemotes: false,
      sshKey: { path: key },
    });
    expect(await ids(scp)).toEqual(['a/one']);
    expect(readFileSync(join(place, 'ssh.txt'), 'utf8')).toContain('BatchMode=yes');
    const other = { url, cacheRoot: join(place, 'other'), sshKey: { path: join(place, 'missing') } };
    await expect(open(other).list()).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('nothing of a hostile repository runs or leaks: hooks, filters, submodules, links out, config', async () => {
  const { open, work, place } = setUp();
  const canary = join(place, 'canary');
  work.write('.gitattributes', '* filter=evil diff=evil\n');
  work.write(
    '.gitmodules',
    `[submodule "x"]\n\tpath = x\n\turl = file://${place}/work\n\tupdate = !touch ${canary}\n`,
  );
  work.write('a/one/.git-hooks/post-checkout', `#!/bin/sh\ntouch ${canary}\n`);
  work.write('.lfsconfig', `[lfs]\n\turl = http://127.0.0.1:9/\n`);
  symlinkSync('/etc', join(work.path, 'etc'));
  symlinkSync('/etc/passwd', join(work.path, 'a/one/passwd'));
  work.git('add', '-A');
  work.git('update-index', '--add', '--cacheinfo', `160000,${work.git('rev-parse', 'HEAD')},x`);
  work.git('commit', '-q', '-m', 'hostile');
  push(work);
  const settings = join(process.env.HOME!, '.gitconfig');
  writeFileSync(settings, `[filter "evil"]\n\tsmudge = touch ${canary}\n\trequired = true\n`);
  onTestFinished(() => rmSync(settings));
  const source = open();
  expect(await ids(source)).toEqual(['a/one']);
  expect((await source.resources!('a/one')).map((file) => file.path)).toEqual(['.git-hooks/post-checkout']);
  await expect(source.readResource!('a/one', 'passwd')).rejects.toMatchObject({ code: 'DENIED' });
  expect(
    (await source.problems!()).filter((problem) => problem.code === 'link').map((problem) => problem.file),
  ).toEqual(['a/one/passwd', 'etc']);
  expect(existsSync(canary)).toBe(false);
});
