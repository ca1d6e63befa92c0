import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeSkills } from '../../../tests/support/skills.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { loadSkillsConfig } from './config.ts';
import { type ResolveWorld, resolveRepositories } from './resolve.ts';
import { memorySource } from './sources/memory.ts';

function place(project?: string, user?: string) {
  const root = temporaryDirectory('config');
  const paths = {
    projectRoot: join(root, 'project'),
    projectFile: join(root, 'project/.sylk/skills.toml'),
    userFile: join(root, 'home/.sylk/skills.toml'),
  };
  mkdirSync(join(root, 'project/.sylk'), { recursive: true });
  mkdirSync(join(root, 'home/.sylk'), { recursive: true });
  if (project !== undefined) writeFileSync(paths.projectFile, project);
  if (user !== undefined) writeFileSync(paths.userFile, user);
  const world: ResolveWorld = {
    projectRoot: paths.projectRoot,
    home: join(root, 'home'),
    env: {},
    embedded: memorySource([]),
  };
  return { root, paths, world, load: () => loadSkillsConfig(paths) };
}

const repository = (name: string, path: string) =>
  `[[repositories]]\nname = "${name}"\ntype = "filesystem"\npath = "${path}"\n`;

describe('skills.toml', () => {
  test('without a file every setting has its default', () => {
    expect(place().load()).toEqual({
      enabled: true,
      max_injection_bytes: 32_768,
      inventory_threshold: 12,
      repositories: [],
      files: [],
      warnings: [],
    });
  });

  test('merge order: repositories of the person stand before those of the project, each file in its own order', () => {
    const { load } = place(
      repository('project', 'a') + repository('company', 'b'),
      repository('zebra', 'c') + repository('personal', 'd'),
    );
    expect(load().repositories.map((one) => one.name)).toEqual(['zebra', 'personal', 'project', 'company']);
  });

  test('dedupe: the person\'s "company" wins over the project\'s, and no project takes a name that is built in', () => {
    const { load } = place(
      repository('project', 'a') + repository('company', 'theirs') + repository('embedded', 'x'),
      repository('company', 'mine') + repository('personal', 'd'),
    );
    const { repositories, warnings } = load();
    expect(repositories.map((one) => [one.name, one.level])).toEqual([
      ['company', 'user'],
      ['personal', 'user'],
      ['project', 'project'],
    ]);
    expect(warnings).toEqual([
      expect.stringContaining('Repository company of the project skills.toml is skipped'),
      expect.stringContaining('Repository embedded of the project skills.toml is skipped'),
    ]);
  });

  test('sizes of the project win, and each side can turn skills off but not on', () => {
    const { load } = place(
      'enabled = true\ninventory_threshold = 3\n',
      'enabled = false\ninventory_threshold = 5\nmax_injection_bytes = 1000\n',
    );
    expect(load()).toMatchObject({ enabled: false, inventory_threshold: 3, max_injection_bytes: 1000 });
    expect(place('enabled = false\n', 'enabled = true\n').load().enabled).toBe(false);
  });

  test('every field of every type is read, and has its default', () => {
    const { load } = place(
      undefined,
      [
        '[[repositories]]\nname = "g"\ntype = "git"\nurl = "https://example.org/s.git"',
        '[[repositories]]\nname = "h"\ntype = "http"\nurl = "https://example.org/api"',
        '[[repositories]]\nname = "g2"\ntype = "git"\nurl = "u"\ngit_ref = "v1"\nref_type = "tag"\nskills_root = "s"\nauth_token = "t"\nssh_key = "k"\nrefresh_seconds = 60\ndepth = 5\ntrust = "source"',
        '[[repositories]]\nname = "h2"\ntype = "http"\nurl = "u"\nauth_header = "X-API-Key"\nauth_token = "t"\nrefresh_seconds = 60',
      ].join('\n'),
    );
    const [git, http, fullGit, fullHttp] = load().repositories;
    expect(git).toMatchObject({
      git_ref: 'main',
      ref_type: 'branch',
      refresh_seconds: 300,
      depth: 1,
      trust: 'skill',
    });
    expect(http).toMatchObject({ refresh_seconds: 300, trust: 'skill' });
    expect(fullGit).toMatchObject({
      git_ref: 'v1',
      ref_type: 'tag',
      skills_root: 's',
      ssh_key: 'k',
      refresh_seconds: 60,
      depth: 5,
    });
    expect(fullHttp).toMatchObject({ auth_header: 'X-API-Key', auth_token: 't', refresh_seconds: 60 });
  });

  test.each([
    ['name = \n', /skills\.toml:1: not valid TOML/],
    ['enabled = "yes"\n', /skills\.toml:1: enabled: /],
    [
      `enabled = true\n\n${repository('a', 'b')}\n[[repositories]]\nname = "x"\ntype = "ftp"\n`,
      /skills\.toml:8: repository x: type/,
    ],
    ['[[repositories]]\nname = "x"\ntype = "git"\n', /skills\.toml:1: repository x: url/],
    [
      '[[repositories]]\nname = "x"\ntype = "filesystem"\npath = "p"\nbranch = "main"\n',
      /repository x: .*branch/,
    ],
  ])('a mistake is named with its file and line: %j', (text, message) => {
    expect(() => place(undefined, text).load()).toThrow(message);
    // The repository's file is content: the same words are a warning, and what else there is holds.
    const loaded = place(text, repository('mine', 'b')).load();
    expect(loaded.warnings).toEqual([expect.stringMatching(message)]);
    expect(loaded.warnings[0]).toContain('The file is ignored');
    expect(loaded.repositories.map(({ name }) => name)).toEqual(['mine']);
  });

  test('an unknown key is a warning with what was probably meant', () => {
    expect(place('inventory_treshold = 3\n').load().warnings).toEqual([
      expect.stringContaining('unknown key inventory_treshold; did you mean inventory_threshold?'),
    ]);
  });
});

describe('from configuration to a source', () => {
  test('without repositories the default chain stands: the person, then built in, then the repository', async () => {
    const { root, load, world } = place();
    const directories = [
      'project/.sylk',
      'project/.agents',
      'project/.claude',
      'home/.sylk',
      'home/.agents',
      'home/.claude',
    ];
    for (const directory of directories)
      writeSkills(join(root, directory, 'skills'), { 'same/SKILL.md': directory });
    const source = resolveRepositories(load(), {
      ...world,
      embedded: memorySource([{ descriptor: { id: 'same', description: 'built in' }, body: '' }]),
    });
    expect(source.sources.map(({ name }) => name)).toEqual([
      ...['user', 'user-agents', 'user-claude', 'embedded', 'project', 'project-agents', 'project-claude'],
    ]);
    const shown = (await source.listAll()).map(({ id, description, shadowed_by, plain_id_in }) => [
      ...[id, description, shadowed_by, plain_id_in],
    ]);
    expect(shown.sort()).toEqual([
      ['repo:same', 'project/.agents', 'project', undefined],
      ['repo:same', 'project/.claude', 'project', undefined],
      ['repo:same', 'project/.sylk', undefined, 'user'],
      ['same', 'built in', 'user', undefined],
      ['same', 'home/.agents', 'user', undefined],
      ['same', 'home/.claude', 'user', undefined],
      ['same', 'home/.sylk', undefined, undefined],
    ]);
    expect((await source.load('same')).descriptor.description).toBe('home/.sylk');
    expect((await source.load('repo:same')).descriptor).toMatchObject({
      id: 'repo:same',
      description: 'project/.sylk',
      source_name: 'project',
    });
  });

  test("a list of the person is all there is; a list of the project leaves the person's folders in place", () => {
    const names = ({ load, world }: ReturnType<typeof place>) =>
      resolveRepositories(load(), world).sources.map(({ name }) => name);
    expect(names(place(undefined, repository('mine', 'skills')))).toEqual(['mine', 'embedded']);
    expect(names(place(repository('theirs', 'skills')))).toEqual([
      ...['user', 'user-agents', 'user-claude', 'embedded', 'theirs'],
    ]);
  });

  test("paths start at the project root or beside the person's file, and ~ is home", async () => {
    const { root, load, world } = place(
      repository('p', '.sylk/skills'),
      repository('u', 'skills') + repository('h', '~/more'),
    );
    writeSkills(join(root, 'project/.sylk/skills'), { 'one/SKILL.md': 'd' });
    writeSkills(join(root, 'home/.sylk/skills'), { 'two/SKILL.md': 'd' });
    writeSkills(join(root, 'home/more'), { 'three/SKILL.md': 'd' });
    expect(
      (await resolveRepositories(load(), world).list()).map((skill) => [skill.id, skill.source_name]),
    ).toEqual([
      ['one', 'p'],
      ['three', 'h'],
      ['two', 'u'],
    ]);
  });

  test('addresses of the repository wait until exactly they are trusted, and say so', async () => {
    const text = '[[repositories]]\nname = "net"\ntype = "http"\nurl = "https://example.org/api"\n';
    const { load, world } = place(text);
    let asked = 0;
    const get = async () => {
      asked++;
      return { status: 200, body: Buffer.from('{"skills":[]}') };
    };
    const problemsFor = async (trustOf: NonNullable<ResolveWorld['trustOf']>) => {
      const source = resolveRepositories(load(), { ...world, get, trustOf });
      await source.list();
      return (await source.problems!()).map(({ message, fix }) => `${message} ${fix}`);
    };
    expect(await problemsFor(() => 'new')).toEqual([
      'Source net is not active: it connects to https://example.org/api, and you have not trusted it. Run `sylk trust` to review and decide.',
    ]);
    expect(await problemsFor(() => 'changed')).toEqual([
      expect.stringContaining('it changed since you trusted it'),
    ]);
    expect(asked).toBe(0);
    const items: string[] = [];
    expect(
      await problemsFor(({ item, text: said }) => {
        items.push(item, said);
        return 'trusted';
      }),
    ).toEqual([]);
    expect(asked).toBe(1);
    expect(items).toEqual(['skills.toml source net', expect.stringContaining('"https://example.org/api"')]);
  });

  test.each([
    ['an absolute path', 'type = "filesystem"\npath = "/etc"'],
    ['a path of the home', 'type = "filesystem"\npath = "~/notes"'],
    ['a parent folder', 'type = "filesystem"\npath = "../other"'],
    ['a link that leads out', 'type = "filesystem"\npath = "link/skills"'],
    ['a key of the person', 'type = "git"\nurl = "https://example.org/s.git"\nssh_key = "~/.ssh/id"'],
  ])('from a repository, %s is never in force, trusted or not', async (_what, entry) => {
    const { root, load, world } = place(`[[repositories]]\nname = "out"\n${entry}\n`);
    writeSkills(join(root, 'other'), { 'skills/x/SKILL.md': 'd', 'x/SKILL.md': 'd' });
    symlinkSync(join(root, 'other'), join(root, 'project/link'));
    const source = resolveRepositories(load(), { ...world, trustOf: () => 'trusted' });
    expect(await source.list()).toEqual([]);
    expect(await source.problems!()).toMatchObject([{ source_name: 'out', code: 'unavailable' }]);
  });
});

describe('${ENV} expansion', () => {
  const http = (token: string, more = '') =>
    `[[repositories]]\nname = "net"\ntype = "http"\nurl = "https://example.org/api"\nauth_token = "${token}"\n${more}`;
  const sent = async (
    project: string | undefined,
    user: string | undefined,
    more: Partial<ResolveWorld> = {},
  ) => {
    const { load, world } = place(project, user);
    const headers: Array<Record<string, string>> = [];
    const source = resolveRepositories(load(), {
      ...world,
      env: { TOKEN: 'sesame', NAME: 'x' },
      get: async (_url, options) => {
        headers.push(options.headers);
        return { status: 200, body: Buffer.from('{"skills":[]}') };
      },
      ...more,
    });
    await source.list();
    return { headers, problems: await source.problems!() };
  };

  test("in a person's file the credential is expanded", async () => {
    expect((await sent(undefined, http('${TOKEN}'))).headers[0]).toMatchObject({
      authorization: 'Bearer sesame',
    });
    expect((await sent(undefined, http('${TOKEN}', 'auth_header = "X-API-Key"'))).headers[0]).toMatchObject({
      'x-api-key': 'sesame',
    });
  });

  test('nothing but a credential is expanded', async () => {
    const { load } = place(undefined, http('t').replace('example.org', '${NAME}.example.org'));
    expect(load().repositories[0]).toMatchObject({ url: 'https://${NAME}.example.org/api' });
  });

  test('a variable that is not set leaves the source out and says so', async () => {
    const { headers, problems } = await sent(undefined, http('${MISSING}'));
    expect(headers).toEqual([]);
    expect(problems).toMatchObject([
      { source_name: 'net', message: 'The environment variable MISSING is not set.' },
    ]);
  });

  test('from a repository no variable is ever expanded, whatever its name and whatever was trusted', async () => {
    for (const name of ['TOKEN', 'NAME']) {
      const { headers, problems } = await sent(http(`\${${name}}`), undefined, { trustOf: () => 'trusted' });
      expect(headers).toEqual([]);
      expect(problems).toMatchObject([
        {
          message: `Source net of this repository is not active: it would send your variable ${name} to https://example.org/api.`,
          fix: 'To use it, add the source net to your own skills.toml.',
        },
      ]);
    }
    const literal = await sent(http('public-demo'), undefined, { trustOf: () => 'trusted' });
    expect(literal.headers[0]).toMatchObject({ authorization: 'Bearer public-demo' });
  });
});
