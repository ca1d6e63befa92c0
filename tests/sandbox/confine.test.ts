import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runProcess } from '../../src/base/process/index.ts';
import { describeSandbox, runConfined } from '../../src/base/sandbox/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';

const limits = { seconds: 60 };

test('a command writes where it may and nowhere else, and sees what it is given', async () => {
  const place = temporaryDirectory('work');
  const outside = temporaryDirectory('outside');
  const given = temporaryDirectory('given');
  writeFileSync(join(given, 'word'), 'hello');
  writeFileSync(join(homedir(), '.canary'), 'secret');
  mkdirSync(join(place, 'private'));
  writeFileSync(join(place, 'private/key'), 'secret');
  const result = await runConfined({
    shell: `cat ${given}/word; touch here; touch ${outside}/x; touch ${given}/x; cat ~/.canary private/key; echo done`,
    cwd: place,
    writable: [place],
    readable: [given],
    hidden: [join(place, 'private')],
    limits,
  });
  expect(result.stdout.toString()).toBe('hellodone\n');
  expect(existsSync(join(place, 'here'))).toBe(true);
  expect([existsSync(join(outside, 'x')), existsSync(join(given, 'x'))]).toEqual([false, false]);
});

test('a command has no right of root, and can not set the kernel', async () => {
  const { stdout } = await runConfined({
    shell:
      'grep -h Cap[EPIBA] /proc/self/status | cut -f2 | sort -u; [ -w /proc/sys/kernel/core_pattern ] && echo writable; umount -l /tmp 2>/dev/null && echo unmounted; echo done',
    cwd: '/',
    writable: [],
    limits,
  });
  expect(stdout.toString().replace(/^0+\n/, '')).toBe('done\n');
});

/** Not below /tmp, which is empty in the sandbox whatever it holds. */
function placeElsewhere(): string {
  const caches = join(import.meta.dirname, '../../node_modules/.cache');
  mkdirSync(caches, { recursive: true });
  const place = mkdtempSync(join(caches, 'private-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return place;
}

const read = async (path: string, more: string[] = []) => {
  const { stdout } = await runConfined({
    argv: ['sh', '-c', 'for path in "$@"; do cat "$path" 2>/dev/null; done; echo .', 'sh', path, ...more],
    cwd: '/',
    writable: [],
    limits,
  });
  return stdout.toString();
};

test("the account's own home and everybody else's are empty, wherever HOME leads", async () => {
  const own = userInfo().homedir;
  expect(homedir()).not.toBe(own);
  const canary = join(own, `.sylk-canary-${process.pid}`);
  writeFileSync(canary, 'secret');
  onTestFinished(() => rmSync(canary));
  expect(await read(canary)).toBe('.\n');
  const { stdout } = await runConfined({
    shell: 'ls -A /home; ls -d ~root/.bashrc ~root/.ssh ~root/.config ~root/.cargo/credentials*',
    cwd: '/',
    writable: [],
    limits,
  });
  expect(stdout.toString().trim()).toBe('');
});

test.each(['XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'GNUPGHOME', 'CLOUDSDK_CONFIG', 'CODEX_HOME'])(
  'the directory that %s names is empty',
  async (variable) => {
    const place = placeElsewhere();
    writeFileSync(join(place, 'token'), 'secret');
    expect(await read(join(place, 'token'))).toBe('secret.\n');
    vi.stubEnv(variable, place);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await read(join(place, 'token'))).toBe('.\n');
  },
);

test.each(['KUBECONFIG', 'AWS_SHARED_CREDENTIALS_FILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'NETRC'])(
  'the files that %s names are empty',
  async (variable) => {
    const place = placeElsewhere();
    const [one, two] = [join(place, 'one'), join(place, 'two')];
    for (const path of [one, two]) writeFileSync(path, 'secret');
    vi.stubEnv(variable, `${one}:${two}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await read(one, [two])).toBe('.\n');
  },
);

test('a socket of an agent with keys does not answer, wherever it stands', async () => {
  const socket = join(placeElsewhere(), 'agent.sock');
  const server = createSocketServer((connection) => connection.end('keys')).listen(socket);
  onTestFinished(() => void server.close());
  await until(() => server.listening);
  const ask = `require('node:net').connect(${JSON.stringify(socket)}).on('data', (text) => console.log(String(text))).on('error', () => console.log('nobody'))`;
  const answer = async () =>
    (
      await runConfined({
        argv: [process.execPath, '-e', ask],
        cwd: '/',
        writable: [],
        readable: [process.execPath],
        limits,
      })
    ).stdout.toString();
  expect(await answer()).toBe('keys\n');
  vi.stubEnv('SSH_AUTH_SOCK', socket);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await answer()).toBe('nobody\n');
});

test('a home that is a link, and what links in it lead to, can not be read at its other name', async () => {
  const place = placeElsewhere();
  for (const name of ['real', 'dotfiles/ssh', 'dotfiles/gh'])
    mkdirSync(join(place, name), { recursive: true });
  const secrets = ['real/key', 'dotfiles/ssh/id', 'dotfiles/gh/hosts.yml'].map((name) => join(place, name));
  for (const path of secrets) writeFileSync(path, 'secret');
  mkdirSync(join(place, 'real/.config'));
  symlinkSync(join(place, 'dotfiles/ssh'), join(place, 'real/.ssh'));
  symlinkSync(join(place, 'dotfiles/gh'), join(place, 'real/.config/gh'));
  symlinkSync(join(place, 'real'), join(place, 'link'));
  vi.stubEnv('HOME', join(place, 'link'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const [first = '', ...rest] = secrets;
  expect(await read(first, rest)).toBe('.\n');
  expect(realpathSync(homedir())).toBe(realpathSync(join(place, 'real')));
  // Its place is still there to be given to the command.
  const { stdout } = await runConfined({
    shell: 'echo mine > ~/own && cat ~/own',
    cwd: '/',
    writable: [{ from: join(place, 'dotfiles'), at: homedir() }],
    limits,
  });
  expect(stdout.toString()).toBe('mine\n');
});

test('a place inside a hidden one can be given back, and a hidden one inside a given one stays hidden', async () => {
  const secret = temporaryDirectory('state');
  mkdirSync(join(secret, 'caches/private'), { recursive: true });
  for (const name of ['key', 'caches/known', 'caches/private/key']) writeFileSync(join(secret, name), name);
  const { stdout } = await runConfined({
    argv: ['sh', '-c', `cat key caches/known caches/private/key 2>/dev/null; touch caches/new`],
    cwd: secret,
    writable: [join(secret, 'caches')],
    hidden: [secret, join(secret, 'caches/private')],
    limits,
  });
  expect(stdout.toString()).toBe('caches/known');
  expect(existsSync(join(secret, 'caches/new'))).toBe(true);
});

test('there is no network until it is opened', async () => {
  const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await until(() => server.listening);
  const { port } = server.address() as AddressInfo;
  const fetching = `fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, () => console.log('refused'))`;
  const reach = async (network?: 'open') =>
    (
      await runConfined({
        argv: [process.execPath, '-e', fetching],
        cwd: '/',
        writable: [],
        readable: [process.execPath],
        network,
        limits,
      })
    ).stdout.toString();
  expect(await reach()).toBe('refused\n');
  expect(await reach('open')).toBe('reached\n');
});

test('time, output, memory and number of processes are limited, and what passed a limit is named', async () => {
  const run = (shell: string, own: object) =>
    runConfined({
      shell,
      cwd: '/',
      writable: [],
      readable: [process.execPath],
      limits: { ...limits, ...own },
    });
  expect(await run('sleep 300', { seconds: 1 })).toMatchObject({ timedOut: true });
  expect(await run('yes', { outputBytes: 1000 })).toMatchObject({ truncated: true });
  const large = `${process.execPath} -e 'globalThis.x = Buffer.alloc(300_000_000, 1); setTimeout(() => {}, 60000)'`;
  expect(await run(large, { memoryBytes: 100_000_000 })).toMatchObject({ overMemory: true });
  const many = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 300 & done; wait';
  const { overProcesses, code } = await run(many, { processes: 10 });
  // An ordinary user can't even start them; for root the watcher ends the command.
  expect(overProcesses || code !== 0).toBe(true);
});

test('whatever a command started ends with it and with the signal, in a session of its own too', async () => {
  const place = temporaryDirectory('session');
  const controller = new AbortController();
  const running = runConfined({
    shell: "setsid sh -c 'while :; do date +%s%N > beat; sleep 0.05; done' & wait",
    cwd: place,
    writable: [place],
    limits,
    signal: controller.signal,
  });
  await until(() => existsSync(join(place, 'beat')));
  controller.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await quiet(join(place, 'beat'));
});

test('a command dies with the process that runs it, however that ends', async () => {
  const place = temporaryDirectory('orphan');
  const script = `import { runConfined } from ${JSON.stringify(join(import.meta.dirname, '../../src/base/sandbox/index.ts'))};
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000);
    await runConfined({ shell: 'while :; do date +%s%N > beat; sleep 0.05; done', cwd: ${JSON.stringify(place)}, writable: [${JSON.stringify(place)}], limits: { seconds: 300 } });`;
  const { signal } = await runProcess(process.execPath, ['--input-type=module', '-e', script]);
  expect(signal).toBe('SIGKILL');
  await quiet(join(place, 'beat'));
});

/** Resolves when a file that something wrote all the time stays as it is. */
async function quiet(path: string): Promise<void> {
  let last = '';
  let same = 0;
  await until(() => {
    const now = readFileSync(path, 'utf8');
    same = now === last ? same + 1 : 0;
    last = now;
    return same > 20;
  });
}

test('output comes as it is printed', async () => {
  const chunks: string[] = [];
  await runConfined({
    shell: 'echo one; echo two >&2',
    cwd: '/',
    writable: [],
    limits,
    onOutput: (chunk, stream) => chunks.push(`${stream} ${chunk}`),
  });
  expect(chunks.sort()).toEqual(['stderr two\n', 'stdout one\n']);
});

test('this machine says what confines commands here', async () => {
  expect(await describeSandbox()).toMatchObject({
    kind: 'bubblewrap',
    summary: expect.stringContaining('network'),
  });
});
