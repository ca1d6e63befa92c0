import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestRepository, testRepository } from './support/repository.ts';
import { skillText } from './support/skills.ts';
import { startSylk, sylk } from './support/sylk.ts';
import { temporaryDirectory } from './support/temporary.ts';

/** Every file that is read in a repository before anything else happens. */
const readFiles = [
  '.kiste.yaml',
  '.sylk/config.yaml',
  '.sylkignore',
  '.sylk/skills.toml',
  '.git-blame-ignore-revs',
];

function repository(): TestRepository {
  const made = testRepository();
  made.commit('feat: pay invoices', { 'pay.ts': 'export function payInvoice() {\n  return 1;\n}\n' });
  return made;
}

function put(root: string, path: string, make: (full: string) => void): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  make(join(root, path));
}

const replacements: Record<string, (full: string) => void> = {
  'a link to /dev/zero': (full) => symlinkSync('/dev/zero', full),
  'a link to /dev/tty': (full) => symlinkSync('/dev/tty', full),
  'a link to a directory': (full) => symlinkSync('/tmp', full),
  'a link to nothing': (full) => symlinkSync('nowhere', full),
  'a FIFO': (full) => void execFileSync('mkfifo', [full]),
  'a directory': (full) => mkdirSync(full),
  'a file of a terabyte': (full) => {
    writeFileSync(full, '');
    truncateSync(full, 2 ** 40);
  },
};

test.each(Object.entries(replacements))(
  'commands answer and name the file where %s stands in place of a file that is read',
  (what, make) => {
    const { path } = repository();
    for (const file of readFiles) put(path, file, make);
    put(path, '.sylk/skills/mine/SKILL.md', make);
    const found = sylk(path, ['search', 'payInvoice']);
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining('pay.ts') });
    for (const file of ['.kiste.yaml', '.sylk/config.yaml', '.sylkignore'])
      expect(found.err.split(`warn: ${file} `)).toHaveLength(2);
    const skills = sylk(path, ['skills', 'list']);
    expect(skills).toMatchObject({ code: 0, out: expect.stringContaining('(embedded)') });
    expect(skills.err).toContain('warn: .sylk/skills.toml ');
    // A directory is a collection, whatever its name.
    if (what !== 'a directory') expect(sylk(path, ['skills', 'check']).out).toContain('mine/SKILL.md');
  },
);

test('commands answer where .sylk is a link to itself', () => {
  const { path } = repository();
  symlinkSync('.sylk', join(path, '.sylk'));
  for (const args of [['search', 'payInvoice'], ['brief'], ['skills', 'list']])
    expect([args, sylk(path, args)]).toEqual([args, expect.objectContaining({ code: 0 })]);
});

test('a server for agents starts in such a clone and tells which files it left out', async () => {
  const { path } = repository();
  for (const file of readFiles) put(path, file, (full) => symlinkSync('/dev/zero', full));
  const server = startSylk(path, ['mcp', '--no-index']);
  let out = '';
  let err = '';
  server.stdout.on('data', (chunk) => (out += chunk));
  server.stderr.on('data', (chunk) => (err += chunk));
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'x', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  await expect.poll(() => out, { timeout: 60_000 }).toContain('"id":1');
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'browse_skills', arguments: {} } });
  await expect.poll(() => out, { timeout: 60_000 }).toContain('"id":2');
  const peak = Number(
    /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${nodeBelow(server.pid)}/status`, 'utf8'))?.[1],
  );
  expect(peak).toBeLessThan(600_000);
  for (const file of ['.kiste.yaml', '.sylk/config.yaml', '.sylk/skills.toml'])
    expect(err).toContain(`warn: ${file} `);
});

/** The launcher may replace itself by the program, or start it. */
function nodeBelow(pid: number | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? Number(pid) : Number(children.split(' ')[0]);
}

/** Everything below a directory, to the byte. */
function contents(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map(
      (path) =>
        `${path} ${lstatSync(path).mode} ${lstatSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`,
    );
}

test('nothing outside changes when a clone has links in place of every file that is written', async () => {
  const outside = temporaryDirectory('outside');
  mkdirSync(join(outside, 'folder'));
  for (const name of ['bashrc', 'token', 'folder/inner']) writeFileSync(join(outside, name), 'precious\n');
  const before = contents(outside);
  const source = repository();
  const links = {
    '.sylk/run/sylk.log': 'bashrc',
    '.sylk/run/http.json': 'token',
    '.sylk/run/last-summary': 'token',
    '.sylk/.gitignore': 'new-file',
    '.sylk/skills.lock': 'bashrc',
    '.sylk/cache': 'folder',
    '.sylk/backups': 'folder',
    'AGENTS.md': 'bashrc',
    'CLAUDE.md': 'new-file',
    '.mcp.json': 'token',
    '.cursor': 'folder',
  };
  for (const [path, target] of Object.entries(links))
    put(source.path, path, (full) => symlinkSync(join(outside, target), full));
  for (const folder of ['.sylk', '.claude'])
    source.write(`${folder}/skills/$(touch PWNED)/SKILL.md`, skillText('x', 'twice: a note is logged'));
  source.git('add', '-f', '-A');
  source.commit('feat: come in');
  const clone = join(temporaryDirectory('clone'), 'c');
  source.git('clone', '-q', source.path, clone);
  expect(lstatSync(join(clone, '.sylk/run/sylk.log')).isSymbolicLink()).toBe(true);
  const commands = [
    ['search', 'payInvoice'],
    ['skills', 'list'],
    ['skills', 'lock'],
    ['brief'],
    ['init', '--agents-md'],
    ['mcp', 'install', 'claude-code', '--scope', 'project', '--no-verify'],
    ['mcp', 'install', 'cursor', '--scope', 'project', '--no-verify'],
    ['backup'],
    ['doctor', '--fix'],
  ];
  for (const command of commands) {
    sylk(clone, command);
    expect([command, contents(outside)]).toEqual([command, before]);
  }
  startSylk(clone, ['up', '--port', '0']);
  await expect.poll(() => existsSync(join(clone, '.git/sylk/run/http.json')), { timeout: 60_000 }).toBe(true);
  expect(contents(outside)).toEqual(before);
  expect(existsSync(join(clone, 'PWNED'))).toBe(false);
});

test('shared text behind a link is not read, and nothing is written there', () => {
  const outside = temporaryDirectory('outside');
  writeFileSync(join(outside, 'config.yaml'), 'history:\n  bulk_cap: 7\n');
  const { path } = repository();
  symlinkSync(outside, join(path, '.sylk'));
  const answer = sylk(path, ['config', 'show', '--json']);
  expect(answer.err).toContain('warn: .sylk is a symbolic link');
  expect(answer.out).not.toContain(outside);
  expect(sylk(path, ['init'])).toMatchObject({ code: 5 });
  expect(readdirSync(outside)).toEqual(['config.yaml']);
});

test('a link in the state directory is never written through', () => {
  const outside = temporaryDirectory('outside');
  writeFileSync(join(outside, 'bashrc'), 'precious\n');
  const { path } = repository();
  sylk(path, ['index']);
  const log = join(path, '.git/sylk/log/sylk.log');
  put(path, '.git/sylk/log/sylk.log', (full) => rmSync(full, { force: true }));
  symlinkSync(join(outside, 'bashrc'), log);
  put(path, '.kiste.yaml', (full) => symlinkSync('/dev/zero', full));
  expect(sylk(path, ['search', 'payInvoice'])).toMatchObject({ code: 0 });
  rmSync(join(path, '.git/sylk/library.db'), { force: true });
  symlinkSync(join(outside, 'new.db'), join(path, '.git/sylk/library.db'));
  expect(sylk(path, ['brief']).err).toContain('is a symbolic link');
  expect(contents(outside)).toHaveLength(1);
  expect(readFileSync(join(outside, 'bashrc'), 'utf8')).toBe('precious\n');
});
