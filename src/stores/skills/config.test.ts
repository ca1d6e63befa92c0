import { mkdirSync, writeFileSync } from 'node:fs';
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

  test('merge order: repositories of the project stand before those of the person, each file in its own order', () => {
    const { load } = place(
      repository('project', 'a') + repository('company', 'b'),
      repository('zebra', 'c') + repository('personal', 'd'),
    );
    expect(load().repositories.map((one) => one.name)).toEqual(['project', 'company', 'zebra', 'personal']);
  });

  test('dedupe: the first of a name is kept, so the project\'s "company" wins over the person\'s', () => {
    const { load } = place(
      repository('project', 'a') + repository('company', 'ours'),
      repository('company', 'theirs') + repository('personal', 'd'),
    );
    const { repositories, warnings } = load();
    expect(repositories.map((one) => [one.name, one.level])).toEqual([
      ['project', 'project'],
      ['company', 'project'],
      ['personal', 'user'],
    ]);
    expect(warnings).toEqual([
      expect.stringContaining('Repository company of the user skills.toml is left out'),
    ]);
  });

  test('settings of the project win over those of the person', () => {
    const { load } = place(
      'enabled = false\n',
      'enabled = true\ninventory_threshold = 3\nmax_injection_bytes = 1000\n',
    );
    expect(load()).toMatchObject({ enabled: false, inventory_threshold: 3, max_injection_bytes: 1000 });
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
    expect(() => place(text).load()).toThrow(message);
  });

  test('an unknown key is a warning with what was probably meant', () => {
    expect(place('inventory_treshold = 3\n').load().warnings).toEqual([
      expect.stringContaining('unknown key inventory_treshold; did you mean inventory_threshold?'),
    ]);
  });
});

describe('from configuration to a source', () => {
  test('without repositories the default chain stands: project, then person, ours before the shared ones, built in last', async () => {
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
    const all = await source.listAll();
    expect(source.sources.map(({ name }) => name)).toEqual([
      ...['project', 'project-agents', 'project-claude', 'user', 'user-agents', 'user-claude', 'embedded'],
    ]);
    expect(all.find((skill) => !skill.shadowed_by)).toMatchObject({
      description: 'project/.sylk',
      scope: 'project',
    });
    expect(all.filter((skill) => skill.shadowed_by === 'project')).toHaveLength(6);
  });

  test('with repositories only those are there, and built-in skills always last', () => {
    const { load, world } = place(undefined, repository('mine', 'skills'));
    expect(resolveRepositories(load(), world).sources.map(({ name }) => name)).toEqual(['mine', 'embedded']);
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

  test('before the repository is trusted its addresses and outside paths are not in force, and say so', async () => {
    const outside = writeSkills(temporaryDirectory('outside'), { 'x/SKILL.md': 'd' });
    const text = `${repository('out', outside)}[[repositories]]\nname = "net"\ntype = "http"\nurl = "https://example.org/api"\n`;
    const { load, world } = place(text);
    let asked = 0;
    const get = async () => {
      asked++;
      return { status: 200, body: Buffer.from('{"skills":[]}') };
    };
    const source = resolveRepositories(load(), { ...world, get });
    expect(await source.list()).toEqual([]);
    const problems = await source.problems!();
    expect(problems.map((problem) => [problem.source_name, problem.fix])).toEqual([
      ['out', 'Read .sylk/skills.toml, then run `sylk trust`.'],
      ['net', 'Read .sylk/skills.toml, then run `sylk trust`.'],
    ]);
    expect(asked).toBe(0);
    const trusted = resolveRepositories(load(), { ...world, get, trusted: () => true });
    expect((await trusted.list()).map((skill) => skill.id)).toEqual(['x']);
    expect(asked).toBe(1);
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

  test('in a project file it waits for trust and for an answer bound to this address and this variable', async () => {
    const trusted = () => true;
    const asked: string[] = [];
    const refused = await sent(http('${TOKEN}'), undefined, {
      trusted,
      variableAllowed: (url, name) => asked.push(`${url} ${name}`) < 0,
    });
    expect(refused.headers).toEqual([]);
    expect(asked).toEqual(['https://example.org/api TOKEN']);
    expect(refused.problems[0]).toMatchObject({
      fix: expect.stringContaining('sylk skills trust --source net --variable TOKEN'),
    });
    const allowed = await sent(http('${TOKEN}'), undefined, { trusted, variableAllowed: () => true });
    expect(allowed.headers[0]).toMatchObject({ authorization: 'Bearer sesame' });
    expect((await sent(http('${TOKEN}'), undefined, { variableAllowed: () => true })).headers).toEqual([]);
  });
});
