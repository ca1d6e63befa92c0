import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { testRepository } from '../../tests/support/repository.ts';
import { temporaryDirectory } from '../../tests/support/temporary.ts';
import { openApp } from '../app.ts';
import { createGit } from '../base/git/index.ts';
import { embeddedOf } from '../base/library/index.ts';
import { migrate } from '../base/sqlite/index.ts';
import { type DoctorOptions, diagnose } from '../engines/doctor/index.ts';

const gone = 2 ** 22 + 1;

function patient() {
  const repository = testRepository();
  repository.commit('one', { 'a.ts': 'export const a = 1;\n' });
  const home = temporaryDirectory('home');
  const app = openApp({ directory: repository.path, env: { HOME: home, PATH: process.env.PATH } });
  const sylk = app.prepareDirectory();
  const at = (...parts: string[]) => join(sylk, ...parts);
  const options: DoctorOptions = {
    repository: app.repository,
    git: app.git,
    databases: [
      { id: 'index', title: 'Index', path: at('index.db'), derived: true, heal: () => app.healIndex() },
      { id: 'library', title: 'Library', path: at('library.db'), derived: false },
    ],
    readConfig: app.rereadConfig,
    stores: { index: app.index, library: app.library },
    freshness: async () => [],
    probe: async () => ({ ok: true, server: 'sylk', version: '1', protocol: '2025-06-18', tools: 3 }),
    clients: () => [],
    servers: () => [],
    runtime: { node: process.versions.node, freeBytes: () => 2 ** 40 },
  };
  const examine = async (change: Partial<DoctorOptions> = {}, fix = false) => {
    const { healthy, findings } = await diagnose({ ...options, ...change }, fix);
    for (const finding of findings)
      if (finding.state === 'problem') expect(finding.fix, finding.id).toBeTruthy();
    return { healthy, findings, of: (id: string) => findings.find((finding) => finding.id === id) };
  };
  return { repository, home, app, at, options, examine };
}

type Patient = ReturnType<typeof patient>;

/** Makes a database with enough pages that one in the middle can be damaged. */
function filled(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('BEGIN; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX i ON t(text)');
  for (let n = 0; n < 2000; n++)
    database.prepare('INSERT INTO t (text) VALUES (?)').run(`row ${n} ${'x'.repeat(40)}`);
  database.exec('COMMIT');
  database.close();
}

function scribble(path: string, offset: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, offset, offset + length);
  writeFileSync(path, bytes);
}

interface Fault {
  seed(patient: Patient): Partial<DoctorOptions> | undefined;
  id: string;
  state?: 'problem' | 'note';
  says: RegExp;
  fix: RegExp;
}

const faults: Record<string, Fault> = {
  'an old Node': {
    seed: () => ({ runtime: { node: '20.11.0', freeBytes: () => 2 ** 40 } }),
    id: 'node',
    says: /20\.11\.0 is too old; 24/,
    fix: /Install Node 24/,
  },
  'a full disk': {
    seed: () => ({ runtime: { node: '24.1.0', freeBytes: () => 1024 * 1024 } }),
    id: 'disk',
    says: /Only 1\.0 MB/,
    fix: /Free some space/,
  },
  'no git program': {
    seed: ({ repository }) => {
      const git = createGit(repository.path, { env: { PATH: '/nowhere' } });
      return { git };
    },
    id: 'git',
    says: /git was not found/,
    fix: /Install git/,
  },
  'a shallow clone': {
    seed: ({ repository }) => {
      repository.commit('two', { 'b.ts': '' });
      const copy = join(temporaryDirectory('shallow'), 'copy');
      repository.git('clone', '-q', '--depth', '1', pathToFileURL(repository.path).href, copy);
      return { git: createGit(copy) };
    },
    id: 'repository',
    state: 'note',
    says: /shallow clone/,
    fix: /git fetch --unshallow/,
  },
  'a repository without commits': {
    seed: () => ({ git: createGit(testRepository().path) }),
    id: 'repository',
    state: 'note',
    says: /no commit yet/,
    fix: /first commit/,
  },
  'a branch whose file is empty': {
    seed: ({ repository }) => void repository.write('.git/refs/heads/main', '\n'),
    id: 'repository',
    says: /refs\/heads\/main is broken/,
    fix: /git update-ref HEAD COMMIT/,
  },
  'lost objects': {
    seed: ({ repository }) => {
      const tree = repository.git('rev-parse', 'HEAD^{tree}');
      rmSync(join(repository.path, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
      return undefined;
    },
    id: 'repository',
    says: /missing or damaged/,
    fix: /git fsck/,
  },
  'a file of HEAD without its content': {
    seed: ({ repository }) => {
      const blob = repository.git('rev-parse', 'HEAD:a.ts');
      rmSync(join(repository.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
      return undefined;
    },
    id: 'repository',
    says: /1 file of HEAD is missing or damaged: a\.ts/,
    fix: /git fsck/,
  },
  'a damaged list of staged files': {
    seed: ({ repository }) => void repository.write('.git/index', 'x'.repeat(300)),
    id: 'git-index',
    says: /\.git\/index is damaged/,
    fix: /^rm .*\.git\/index && git reset/,
  },
  'a damaged commit graph': {
    seed: ({ repository }) => {
      repository.git('commit-graph', 'write', '--reachable');
      const path = join(repository.path, '.git', 'objects', 'info', 'commit-graph');
      chmodSync(path, 0o644);
      scribble(path, statSync(path).size - 60, 30);
      return undefined;
    },
    id: 'commit-graph',
    says: /info\/commit-graph is damaged/,
    fix: /rm .*info\/commit-graph && git commit-graph write --reachable/,
  },
  'links in place of folders of the state': {
    seed: ({ at }) => {
      for (const name of ['log', 'backups']) {
        rmSync(at(name), { recursive: true, force: true });
        symlinkSync(temporaryDirectory('elsewhere'), at(name));
      }
      return undefined;
    },
    id: 'state-parts',
    says: /backups and log/,
    fix: /^rm .*backups .*log$/,
  },
  'a daily backup that fails': {
    seed: ({ at, app }) => {
      filled(at('library.db'));
      rmSync(at('backups'), { recursive: true, force: true });
      writeFileSync(at('backups'), '');
      return { backups: async () => [(await app.library()).backupFailure] };
    },
    id: 'backup',
    says: /daily backup of .*library\.db failed/,
    fix: /sylk backup/,
  },
  'the state directory is a file': {
    seed: ({ app }) => {
      rmSync(app.repository.state.directory, { recursive: true });
      writeFileSync(app.repository.state.directory, '');
      return undefined;
    },
    id: 'directory',
    says: /is not a directory/,
    fix: /mv .*\.git\/sylk/,
  },
  'a state directory that others can read': {
    seed: ({ at }) => void chmodSync(at(), 0o755),
    id: 'mode',
    says: /can be read by others/,
    fix: /chmod 700/,
  },
  'files of an older Sylk': {
    seed: ({ repository }) => void repository.write('.sylk/index.db', ''),
    id: 'left',
    state: 'note',
    says: /\.sylk\/index\.db: not used any more/,
    fix: /^rm -r \.sylk\/index\.db$/,
  },
  'a database that git tracks': {
    seed: ({ repository }) => {
      repository.write('.sylk/sylk.db', '');
      repository.git('add', '-f', '.sylk/sylk.db');
      return undefined;
    },
    id: 'tracked-database',
    says: /git tracks \.sylk\/sylk\.db/,
    fix: /git rm --cached -- \.sylk\/sylk\.db/,
  },
  'an index with a broken header': {
    seed: ({ at }) => {
      filled(at('index.db'));
      scribble(at('index.db'), 0, 100);
      return undefined;
    },
    id: 'index',
    says: /is damaged/,
    fix: /doctor --fix sets it aside/,
  },
  'a library with a broken page': {
    seed: ({ at }) => {
      filled(at('library.db'));
      scribble(at('library.db'), 4096 * 5, 2000);
      return undefined;
    },
    id: 'library',
    says: /is damaged/,
    fix: /every row that can be read is saved/,
  },
  'an index that misses rows': {
    seed: ({ at }) => {
      filled(at('library.db'));
      const database = new DatabaseSync(at('library.db'));
      database.enableDefensive(false);
      database.exec(
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t(text) WHERE id > 1000' WHERE name = 'i'",
      );
      database.close();
      const again = new DatabaseSync(at('library.db'));
      again.exec('REINDEX');
      again.enableDefensive(false);
      again.exec(
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t(text)' WHERE name = 'i'",
      );
      again.close();
      return undefined;
    },
    id: 'library',
    says: /index i/,
    fix: /makes the indexes anew/,
  },
  'rows that point nowhere': {
    seed: ({ at }) => {
      const database = new DatabaseSync(at('library.db'), { enableForeignKeyConstraints: false });
      database.exec(
        'CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER REFERENCES a(id)); INSERT INTO b VALUES (7)',
      );
      database.close();
      return undefined;
    },
    id: 'library',
    says: /1 row\(s\) of b point at rows that are gone/,
    fix: /library restore --list/,
  },
  'a write-ahead log that grew': {
    seed: ({ app }) => {
      app.index().exec('PRAGMA synchronous = OFF; CREATE TABLE t (x)');
      for (let n = 0; n < 50; n++) app.index().run('INSERT INTO t VALUES (?)', 'x'.repeat(4000));
      return { walLimit: 100_000 };
    },
    id: 'index-wal',
    says: /write-ahead|grown to/,
    fix: /End long-running/,
  },
  'a library written by a newer Sylk': {
    seed: ({ app }) => ({
      stores: {
        work: async () => {
          const sqlite = embeddedOf(await app.library());
          migrate(sqlite, { store: 'work', steps: ['CREATE TABLE w (x)', 'ALTER TABLE w ADD y'] });
          migrate(sqlite, { store: 'work', steps: ['CREATE TABLE w (x)'] });
        },
      },
    }),
    id: 'store-work',
    says: /work has version 2, this Sylk supports version 1/,
    fix: /Upgrade this Sylk/,
  },
  'a writer that never ends': {
    seed: ({ app }) => {
      app.index().exec('CREATE TABLE t (x)');
      app.index().exec('BEGIN IMMEDIATE');
      return undefined;
    },
    id: 'index-lock',
    state: 'note',
    says: /Another process has been writing/,
    fix: /fuser|lsof/,
  },
  'a value that is not allowed': {
    seed: ({ app }) => {
      mkdirSync(app.user.config, { recursive: true });
      writeFileSync(join(app.user.config, 'config.yaml'), 'log:\n  level: loud\n');
      return undefined;
    },
    id: 'config',
    says: /config\.yaml:2: log\.level/,
    fix: /Fix the value/,
  },
  "a repository's config file that is not YAML": {
    seed: ({ repository }) => void repository.write('.sylk/config.yaml', 'log:\n  level: [info\n'),
    id: 'config-1',
    state: 'note',
    says: /config\.yaml:\d: not valid YAML/,
    fix: /Correct or remove that line/,
  },
  'an unknown key': {
    seed: ({ repository }) => void repository.write('.sylk/config.yaml', 'log:\n  levle: info\n'),
    id: 'config-1',
    state: 'note',
    says: /config\.yaml:2: unknown key log\.levle; did you mean level/,
    fix: /Correct or remove/,
  },
  'a token that others can read': {
    seed: ({ at }) => {
      mkdirSync(at('run'), { recursive: true });
      writeFileSync(at('run', 'http.json'), JSON.stringify({ pid: process.pid }));
      chmodSync(at('run', 'http.json'), 0o644);
      return undefined;
    },
    id: 'token-mode',
    says: /can be read by others/,
    fix: /chmod 600/,
  },
  'a server file of a dead process': {
    seed: ({ at }) => {
      mkdirSync(at('run'), { recursive: true });
      writeFileSync(at('run', 'http.json'), JSON.stringify({ pid: gone }), { mode: 0o600 });
      return undefined;
    },
    id: 'stale-server',
    says: new RegExp(`names process ${gone}`),
    fix: /doctor --fix removes the file/,
  },
  'a server whose client is gone': {
    seed: () => ({ servers: () => [{ pid: 77, parent: 1, command: 'main.ts mcp --repo /x' }] }),
    id: 'orphans',
    state: 'note',
    says: /77 \(main\.ts mcp/,
    fix: /kill 77/,
  },
  'files of an interrupted write': {
    seed: ({ at }) => void writeFileSync(at('.config.yaml.0123456789ab.tmp'), 'half'),
    id: 'temporary-files',
    says: /1 file/,
    fix: /doctor --fix removes/,
  },
  'a database that was set aside': {
    seed: ({ at }) => void writeFileSync(at('index.db.corrupt.2026-01-01'), 'x'),
    id: 'set-aside',
    state: 'note',
    says: /index\.db\.corrupt/,
    fix: /rm .*corrupt/,
  },
  'a server that does not start': {
    seed: () => ({ probe: async () => ({ ok: false, problem: 'ended (exit code 3)' }) }),
    id: 'mcp',
    says: /exit code 3/,
    fix: /sylk mcp.*by hand/,
  },
  'a client that starts a program that is gone': {
    seed: () => ({
      clients: () => [
        {
          id: 'zed',
          title: 'Zed',
          detected: true,
          installed: [{ scope: 'user', path: '/z.json', command: '/gone/sylk' }],
        },
      ],
    }),
    id: 'client-zed',
    says: /starts \/gone\/sylk, which is gone/,
    fix: /sylk mcp install zed/,
  },
  'a client whose settings cannot be read': {
    seed: () => ({
      clients: () => [
        { id: 'zed', title: 'Zed', detected: true, installed: [], problem: 'z.json: line 3: not valid JSON' },
      ],
    }),
    id: 'client-zed',
    says: /line 3/,
    fix: /Correct that file/,
  },
  'an index that is behind': {
    seed: () => ({
      freshness: async () => [{ name: 'history', state: 'stale', detail: '3 commits behind', fresh: false }],
    }),
    id: 'index-history',
    state: 'note',
    says: /stale: 3 commits behind/,
    fix: /sylk index/,
  },
};

test.each(Object.entries(faults))('the doctor names it with the right fix: %s', async (_title, fault) => {
  const case_ = patient();
  const change = fault.seed(case_) ?? {};
  const { of, findings } = await case_.examine(change);
  const found = of(fault.id);
  expect(found, JSON.stringify(findings, null, 1)).toMatchObject({ state: fault.state ?? 'problem' });
  expect(found!.detail).toMatch(fault.says);
  expect(found!.fix).toMatch(fault.fix);
});

test('a well installation has no problem and no note', async () => {
  const { examine, app } = patient();
  app.index();
  await app.library();
  const { healthy, findings } = await examine();
  expect(healthy).toBe(true);
  expect(findings.filter((finding) => finding.state !== 'ok')).toEqual([]);
});

const safe = [
  'an index that misses rows',
  'a state directory that others can read',
  'an index with a broken header',
  'a write-ahead log that grew',
  'a token that others can read',
  'a server file of a dead process',
  'files of an interrupted write',
];

test.each(safe)('--fix repairs what is safe, and the next look finds it well: %s', async (title) => {
  const case_ = patient();
  const fault = faults[title]!;
  const change = fault.seed(case_) ?? {};
  const repaired = await case_.examine(change, true);
  expect(repaired.of(fault.id)).toMatchObject({ state: 'fixed' });
  await case_.app.close();
  const again = await case_.examine(change);
  expect(again.findings.filter((finding) => finding.state === 'problem')).toEqual([]);
});

test('--fix never touches a damaged library: what people wrote is only set aside by opening it', async () => {
  const case_ = patient();
  faults['a library with a broken page']!.seed(case_);
  const before = readFileSync(case_.at('library.db'));
  const { of } = await case_.examine({ stores: {} }, true);
  expect(of('library')).toMatchObject({ state: 'problem' });
  expect(readFileSync(case_.at('library.db')).equals(before)).toBe(true);
});

test('looking changes no file', async () => {
  const { examine, app, at } = patient();
  app.index();
  await app.library();
  await app.close();
  const before = statSync(at('index.db')).mtimeMs;
  const bytes = readFileSync(at('index.db'));
  await examine({ stores: {} });
  expect(statSync(at('index.db')).mtimeMs).toBe(before);
  expect(readFileSync(at('index.db')).equals(bytes)).toBe(true);
  expect(statSync(at('index.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test('what the doctor says carries no secret', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { examine } = patient();
  const { of } = await examine({ probe: async () => ({ ok: false, problem: `said token ${secret}` }) });
  expect(of('mcp')!.detail).toContain('[redacted:github-token]');
  expect(JSON.stringify(of('mcp'))).not.toContain(secret);
});

test('replaced objects are named, because git shows them and Sylk does not', async () => {
  const { repository, examine } = patient();
  const first = repository.git('rev-parse', 'HEAD');
  const second = repository.commit('two', { 'a.ts': 'export const a = 2;\n' });
  expect((await examine()).of('repository')).toMatchObject({ state: 'ok' });
  repository.git('replace', second, first);
  const replaced = expect.stringContaining('refs/replace');
  expect((await examine()).of('repository')).toMatchObject({ state: 'note', detail: replaced });
  repository.git('pack-refs', '--all');
  expect((await examine()).of('repository')).toMatchObject({ state: 'note', detail: replaced });
});
