import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { clients as catalogue, type Scope } from './catalogue.ts';
import { createClients } from './index.ts';
import { placesOf } from './places.ts';

const answered = { ok: true, server: 'sylk', version: '1', protocol: '2025-06-18', tools: 3 } as const;

function machine(probe: Parameters<typeof createClients>[0]['probe'] = async () => answered) {
  const home = temporaryDirectory('machine');
  const repository = join(home, 'work', 'project');
  mkdirSync(repository, { recursive: true });
  const env = { HOME: home, PATH: join(home, 'bin') };
  const options = {
    env,
    repository,
    directory: join(home, '.sylk', 'clients'),
    platform: 'linux' as const,
    launcher: '/opt/sylk/bin/sylk',
    probe,
  };
  return { home, repository, env, clients: createClients(options), options };
}

/** What a client's file looks like when somebody already uses it. */
const lived: Record<string, string> = {
  json: '{\n    // mine, keep it\n    "theme": "dark", /* and this */\n    "TABLE": {\n        "other": { "command": "npx", "args": ["-y", "other"] }, // works\n    },\n}\n',
  toml: '# mine\nmodel = "m"   # spaced\n\n[TABLE.other]\ncommand = "npx"\nargs = [ "-y",\n  "other" ]\n\n[tui]\nx = 1',
};

const combinations = catalogue.flatMap((client) =>
  (['user', 'project'] as const)
    .filter((scope) => scope === 'user' || client.project)
    .map((scope) => [client.id, scope] as [string, Scope]),
);

test.each(combinations)(
  '%s (%s): twice gives the same bytes, uninstall gives the original back',
  async (id, scope) => {
    const { clients, env, repository } = machine();
    const client = catalogue.find((known) => known.id === id)!;
    const target = scope === 'user' ? client.user(placesOf(env, 'linux')) : client.project!(repository);
    const request = { client: id, scope, name: 'sylk' };
    for (const original of [undefined, '{}', lived[target.format]!.replace('TABLE', target.table[0]!)]) {
      if (original === '{}' && target.format === 'toml') continue;
      if (original !== undefined) {
        mkdirSync(dirname(target.path), { recursive: true });
        writeFileSync(target.path, original);
      }
      const first = await clients.install(request);
      const bytes = readFileSync(target.path, 'utf8');
      expect(first).toMatchObject({ changed: 'added', path: target.path });
      expect(await clients.install(request)).toMatchObject({ changed: 'unchanged' });
      expect(readFileSync(target.path, 'utf8')).toBe(bytes);
      for (const line of original?.split('\n') ?? [])
        if (line.trim().length > 2) expect(bytes).toContain(line.trim());
      expect(clients.uninstall(request).result).toBe('restored');
      if (original === undefined) expect(existsSync(target.path)).toBe(false);
      else expect(readFileSync(target.path, 'utf8')).toBe(original);
      expect(clients.ofRepository()).toEqual([]);
    }
  },
);

const written = async (id: string, scope: Scope) => {
  const { clients, repository } = machine();
  const { snippet } = clients.preview({ client: id, scope, name: 'sylk' });
  return snippet.replaceAll(repository, '<repository>');
};

test('each client gets the shape that its documentation asks for', async () => {
  const shapes: Record<string, string> = {};
  for (const [id, scope] of combinations) shapes[`${id} ${scope}`] = await written(id, scope);
  expect(shapes).toMatchSnapshot();
});

test('directories that were made for a file are gone after uninstall, others stay', async () => {
  const { clients, repository, home } = machine();
  await clients.install({ client: 'kiro', scope: 'project', name: 'sylk' });
  expect(existsSync(join(repository, '.kiro/settings/mcp.json'))).toBe(true);
  clients.uninstall({ client: 'kiro', scope: 'project', name: 'sylk' });
  expect(existsSync(join(repository, '.kiro'))).toBe(false);
  mkdirSync(join(home, '.cursor', 'rules'), { recursive: true });
  await clients.install({ client: 'cursor', scope: 'user', name: 'sylk' });
  clients.uninstall({ client: 'cursor', scope: 'user', name: 'sylk' });
  expect(existsSync(join(home, '.cursor', 'rules'))).toBe(true);
});

test('when the file changed since, only our entry goes and the other changes stay', async () => {
  const { clients, home } = machine();
  const path = join(home, '.cursor', 'mcp.json');
  const request = { client: 'cursor', scope: 'user' as const, name: 'sylk' };
  await clients.install(request);
  const file = JSON.parse(readFileSync(path, 'utf8'));
  file.mcpServers.mine = { command: 'x' };
  writeFileSync(path, JSON.stringify(file, null, 2));
  expect(clients.uninstall(request).result).toBe('entry removed');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: { mine: { command: 'x' } } });
});

test('a client that rewrites its whole file gets it back without the table that was made for us', async () => {
  const { clients, home } = machine();
  const path = join(home, '.claude.json');
  writeFileSync(path, '{"numStartups": 1}');
  const request = { client: 'claude-code', scope: 'user' as const, name: 'sylk' };
  await clients.install(request);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), numStartups: 2 }));
  clients.uninstall(request);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ numStartups: 2 });
});

test('mode and link of a settings file are kept', async () => {
  const { clients, home } = machine();
  mkdirSync(join(home, '.gemini'));
  mkdirSync(join(home, 'dotfiles'));
  const real = join(home, 'dotfiles', 'gemini.json');
  writeFileSync(real, '{}');
  chmodSync(real, 0o600);
  symlinkSync(real, join(home, '.gemini', 'settings.json'));
  await clients.install({ client: 'gemini', scope: 'user', name: 'sylk' });
  expect(lstatSync(join(home, '.gemini', 'settings.json')).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o600);
  expect(readFileSync(real, 'utf8')).toContain('sylk');
});

test('a server that fails its handshake leaves the client as it is', async () => {
  const { clients, home } = machine(async () => ({ ok: false, problem: 'exit code 3' }));
  await expect(clients.install({ client: 'gemini', scope: 'user', name: 'sylk' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('exit code 3'),
  });
  expect(existsSync(join(home, '.gemini'))).toBe(false);
  await clients.install({ client: 'gemini', scope: 'user', name: 'sylk' }, false);
  expect(existsSync(join(home, '.gemini', 'settings.json'))).toBe(true);
});

test('a file that cannot be parsed is named with its line and stays as it is', async () => {
  const { clients, home } = machine();
  mkdirSync(join(home, '.cursor'));
  writeFileSync(join(home, '.cursor', 'mcp.json'), '{\n  "mcpServers": {\n    broken\n');
  await expect(clients.install({ client: 'cursor', scope: 'user', name: 'sylk' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(/mcp\.json: line 3: not valid JSON.*Nothing was changed/),
    hint: expect.stringContaining('--print'),
  });
  expect(clients.list().find((state) => state.id === 'cursor')?.problem).toContain('line 3');
});

test("another program's entry of the same name is never overwritten nor removed", async () => {
  const { clients, home } = machine();
  mkdirSync(join(home, '.cursor'));
  const text = '{"mcpServers":{"sylk":{"command":"somebody-else"}}}';
  writeFileSync(join(home, '.cursor', 'mcp.json'), text);
  const request = { client: 'cursor', scope: 'user' as const, name: 'sylk' };
  await expect(clients.install(request)).rejects.toMatchObject({
    code: 'CONFLICT',
    hint: expect.stringContaining('--name'),
  });
  expect(() => clients.uninstall(request)).toThrow(/not added by this command/);
  expect(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8')).toBe(text);
});

test('a second repository in a client that cannot tell them apart needs a name of its own', async () => {
  const { clients, options, home } = machine();
  await clients.install({ client: 'claude-desktop', scope: 'user', name: 'sylk' });
  const other = createClients({ ...options, repository: join(home, 'work', 'second') });
  await expect(
    other.install({ client: 'claude-desktop', scope: 'user', name: 'sylk' }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  await other.install({ client: 'claude-desktop', scope: 'user', name: 'sylk-second' });
  const file = readFileSync(join(home, '.config', 'Claude', 'claude_desktop_config.json'), 'utf8');
  expect(Object.keys(JSON.parse(file).mcpServers).sort()).toEqual(['sylk', 'sylk-second']);
});

test('an entry that a colleague committed can be taken out without a record', () => {
  const { clients, repository } = machine();
  writeFileSync(
    join(repository, '.mcp.json'),
    '{\n  "mcpServers": {\n    "sylk": { "command": "sylk", "args": ["mcp"] },\n    "b": {}\n  }\n}\n',
  );
  expect(clients.uninstall({ client: 'claude-code', scope: 'project', name: 'sylk' }).result).toBe(
    'entry removed',
  );
  expect(readFileSync(join(repository, '.mcp.json'), 'utf8')).toBe(
    '{\n  "mcpServers": {\n    "b": {}\n  }\n}\n',
  );
});

test('opencode 2 keeps its servers one level down, and the entry follows', async () => {
  const { clients, home } = machine();
  const path = join(home, '.config', 'opencode', 'opencode.jsonc');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{ "mcp": { "servers": { "a": { "type": "local", "command": ["x"] } } } }');
  await clients.install({ client: 'opencode', scope: 'user', name: 'sylk' });
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).mcp.servers)).toEqual(['sylk', 'a']);
});

test('a client counts as found by its settings or by its program', () => {
  const { clients, home } = machine();
  expect(clients.list().filter((state) => state.detected)).toEqual([]);
  mkdirSync(join(home, '.codex'));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'gemini'), '');
  expect(
    clients
      .list()
      .filter((state) => state.detected)
      .map((state) => state.id),
  ).toEqual(['codex', 'gemini']);
});

test('an unknown client and a scope that a client does not have are named, with the next step', () => {
  const { clients } = machine();
  expect(() => clients.preview({ client: 'cursr', scope: 'user', name: 'sylk' })).toThrow(
    /Unknown client "cursr"/,
  );
  expect(() => clients.preview({ client: 'zed', scope: 'project', name: 'sylk' })).toThrow(/no project file/);
});
