import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { until } from '../../../tests/support/until.ts';
import { childEnvironment, endGroup, runProcess, spawnGroup } from './index.ts';
import { collect, drain } from './output.ts';

const shell = (script: string, options = {}) =>
  runProcess('sh', ['-c', script], { timeoutMs: 20_000, ...options });

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const pidIn = (file: string) => Number(readFileSync(file, 'utf8').trim());

/** Resolves when it has ended. That it had begun is part of it: a program that never ran leaves nobody behind. */
async function gone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await until(() => !alive(pid));
}

/** Long enough that a program has begun and said its number, also on a busy machine. */
const limit = 1500;

test.each([
  ['a child in the background that holds the pipes', 'sleep 300 & echo done'],
  ['a child in a session of its own', 'setsid sleep 20 & echo done'],
  ['a double fork', '(sleep 300 &) ; echo done'],
  ['a background writer that floods', '(while :; do echo flood; done) & echo done'],
  ['no output at all, then done', 'sleep 0.1; echo done'],
])('answers when the program itself ends: %s', async (_title, script) => {
  const directory = temporaryDirectory('group');
  const result = await shell(`echo $$ > '${directory}/pid'; ${script}`, { maxOutputBytes: 1_000_000 });
  expect(result).toMatchObject({ code: 0, timedOut: false });
  expect(result.stdout.toString()).toContain('done');
  // What is left of the group belongs to the test: end it by its own group id.
  try {
    process.kill(-pidIn(join(directory, 'pid')), 'SIGKILL');
  } catch {}
});

test.each([
  ['a program that hangs', 'sleep 300'],
  ['one that ignores TERM', "trap '' TERM; while :; do sleep 0.1; done"],
  ['one whose child ignores TERM', "(trap '' TERM; while :; do sleep 0.1; done) & wait"],
  ['one that floods', 'yes'],
])('a time limit ends the whole group, politely and then not: %s', async (_title, script) => {
  const result = await runProcess('sh', ['-c', `echo $$; ${script}`], {
    timeoutMs: limit,
    maxOutputBytes: 100_000,
  });
  expect(result.timedOut).toBe(true);
  await gone(Number.parseInt(result.stdout.toString(), 10));
});

test('a group whose leader is gone is still ended: no grandchild survives a time limit', async () => {
  const script = `sh -c "trap '' TERM; echo \\$\\$; while :; do sleep 0.1; done" & wait`;
  const { stdout } = await runProcess('sh', ['-c', script], { timeoutMs: limit });
  await gone(Number.parseInt(stdout.toString(), 10));
});

test('an abort ends the group and rejects; an abort beforehand starts nothing', async () => {
  const directory = temporaryDirectory('abort');
  const controller = new AbortController();
  const running = shell(`echo $$ > '${directory}/pid'; sleep 300`, { signal: controller.signal });
  await until(
    () => existsSync(join(directory, 'pid')) && readFileSync(join(directory, 'pid'), 'utf8') !== '',
  );
  controller.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await gone(pidIn(join(directory, 'pid')));
  await expect(shell(`touch '${directory}/never'`, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(existsSync(join(directory, 'never'))).toBe(false);
});

test('output past the limit is cut and said to be, and a slow reader of input breaks nothing', async () => {
  const result = await runProcess('sh', ['-c', 'head -c 3000000 /dev/zero'], { maxOutputBytes: 1000 });
  expect(result).toMatchObject({ code: 0, truncated: true });
  expect(result.stdout.length).toBe(1000);
  expect(await runProcess('true', [], { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 });
  expect((await runProcess('cat', [], { input: 'héllo' })).stdout.toString()).toBe('héllo');
});

test('a limit of memory ends a program that grows, or that goes on past the limit of output', async () => {
  const maxMemoryBytes = 50_000_000;
  const large = 'globalThis.large = Buffer.alloc(200_000_000, 1); setTimeout(() => {}, 60_000)';
  const grows = runProcess(process.execPath, ['-e', large], { maxMemoryBytes });
  expect(await grows).toMatchObject({ overMemory: true });
  const talks = runProcess('cat', ['/dev/zero'], { maxMemoryBytes, maxOutputBytes: 1000 });
  expect(await talks).toMatchObject({ truncated: true, overMemory: false, signal: 'SIGTERM' });
});

test('what a program wrote before it ended is read, however busy whoever reads it is', async () => {
  const child = spawnGroup('echo', ['hello']);
  const output = collect(child.stdout, 100, () => {});
  const drained = drain([output]);
  // Longer than is waited for: the time is over before anything was read.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  await drained;
  expect(output.take().toString('utf8')).toBe('hello\n');
});

test('nothing is interpreted by a shell', async () => {
  const directory = temporaryDirectory('shell');
  const nasty = `$(touch ${directory}/x); \`touch ${directory}/x\` && touch ${directory}/x | "'`;
  const result = await runProcess('printf', ['%s', nasty]);
  expect(result.stdout.toString()).toBe(nasty);
  expect(existsSync(join(directory, 'x'))).toBe(false);
});

test('a program that is missing is a named failure with the next step', async () => {
  await expect(runProcess('no-such-program-7', [])).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringContaining('Install no-such-program-7'),
  });
});

test('a signal that ended a program is reported', async () => {
  expect(await shell('kill -SEGV $$')).toMatchObject({ code: 128, signal: 'SIGSEGV' });
});

test('children see an allow-list of the environment: no key, no token, no password', async () => {
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: '/home/x',
    LC_TIME: 'C',
    ANTHROPIC_API_KEY: 'canary',
    GITHUB_TOKEN: 'canary',
    AWS_SECRET_ACCESS_KEY: 'canary',
    NODE_OPTIONS: '--require canary',
    LD_PRELOAD: 'canary',
    GIT_SSH_COMMAND: 'canary',
    npm_config__authToken: 'canary',
  };
  expect(childEnvironment({}, env)).toEqual({ PATH: '/usr/bin:/bin', HOME: '/home/x', LC_TIME: 'C' });
  // A toolchain need not be below the home directory.
  const rust = { CARGO_HOME: '/usr/local/cargo', RUSTUP_HOME: '/usr/local/rustup' };
  expect(childEnvironment({}, rust)).toEqual(rust);
  process.env.SYLK_TEST_SECRET = 'canary';
  const seen = (await runProcess('env', [])).stdout.toString();
  delete process.env.SYLK_TEST_SECRET;
  expect(seen).not.toContain('canary');
});

test('no program of the work tree is found by its name, however PATH leads there', () => {
  const inside = [process.cwd(), join(process.cwd(), 'node_modules', '.bin')];
  const path = ['', '.', './bin', 'node_modules/.bin', ...inside, '/usr/bin', `${process.cwd()}-beside`].join(
    ':',
  );
  expect(childEnvironment({}, { PATH: path }).PATH).toBe(`/usr/bin:${process.cwd()}-beside`);
  // Nor one of the work tree that the child runs in.
  const clone = testRepository().path;
  expect(childEnvironment({}, { PATH: `${clone}/bin:/usr/bin` }, join(clone, '.git')).PATH).toBe('/usr/bin');
  // An empty PATH would be the current directory.
  expect(childEnvironment({}, { PATH: '.:' }).PATH).toBe('/usr/bin:/bin');
});

test('a program that ends right after it ended a group leaves nobody behind', async () => {
  const directory = temporaryDirectory('exit');
  const script = `
    import { runProcess } from ${JSON.stringify(join(import.meta.dirname, 'run.ts'))};
    const running = runProcess('sh', ['-c', "trap '' TERM; echo $$ > '${directory}/pid'; while :; do sleep 0.1; done"], { timeoutMs: ${limit} });
    setTimeout(() => process.exit(0), ${limit + 200});
    await running;`;
  await runProcess(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    script,
  ]);
  await gone(pidIn(join(directory, 'pid')));
});

test('a streaming child is ended with its group', async () => {
  const child = spawnGroup('sh', ['-c', 'sleep 300 & wait']);
  endGroup(child, 100);
  await gone(child.pid!);
});
