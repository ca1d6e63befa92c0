import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  compositeSource,
  createSkillEngine,
  filesystemSource,
  gitSource,
  httpSource,
  memorySource,
  prepareTurn,
  respondToSkills,
  type SkillSource,
} from '../../src/sdk.ts';
import { runCli } from '../../src/surfaces/cli/index.ts';
import { httpServer } from '../support/http-server.ts';
import { testRepository } from '../support/repository.ts';
import { skillText, writeSkills } from '../support/skills.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { trustRepository } from '../support/trust.ts';

/** The command line on a repository and a home of its own. */
function commandLine(files: Record<string, string> = {}) {
  const place = temporaryDirectory('scenario');
  const repository = testRepository([], join(place, 'work'));
  writeSkills(repository.path, files);
  const home = join(place, 'home');
  mkdirSync(home);
  const env = { ...process.env, HOME: home, SYLK_HOME: join(home, '.sylk') };
  const run = async (...args: string[]) => {
    let out = '';
    let err = '';
    const code = await runCli(args, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      env,
      cwd: repository.path,
      terminal: false,
      colour: false,
    });
    return { code, out, err, json: <T>() => JSON.parse(out) as T };
  };
  return { repository, home, run, trust: () => trustRepository(repository.path, env) };
}

/** Fourteen skills in two collections: more than the inventory lists one by one. */
const library = (root: string) => ({
  [`${root}/document/COLLECTION.md`]: 'Document processing\n',
  [`${root}/document/pdf-processing/SKILL.md`]: skillText(
    'pdf-processing',
    'Extract text and tables from PDF files',
    'Use pdftotext -layout.',
  ),
  [`${root}/document/word-export/SKILL.md`]: 'Write Word documents',
  [`${root}/code/COLLECTION.md`]: 'Code analysis and generation\n',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`${root}/code/tool-${at}/SKILL.md`, `Code tool ${at}`]),
  ),
});

test('1 · a program with a remote source: served by one, preloaded by id in the other', async () => {
  const stored = createSkillEngine({
    source: memorySource([
      {
        descriptor: { id: 'extraction/email-extractor', description: 'Extract entities from emails' },
        body: 'List people and dates.',
      },
    ]),
  });
  const server = await httpServer(async (request, response) => {
    if (request.headers.authorization !== 'Bearer my-token') return void response.writeHead(401).end();
    const answer = await respondToSkills(stored, { path: (request.url ?? '').replace(/^\/api/, '') });
    response.writeHead(answer.status).end(JSON.stringify(answer.json));
  });
  const options = { url: `${server.url}/api`, allowHosts: [server.host], refreshSeconds: 60 };
  const engine = createSkillEngine({ source: httpSource({ ...options, auth: { bearer: 'my-token' } }) });
  const turn = await prepareTurn(engine, {
    text: 'Extract entities from this email: …',
    preload_skills: ['extraction/email-extractor'],
  });
  expect(turn.blocks[0]).toMatchObject({
    role: 'user',
    content: expect.stringContaining('List people and dates.'),
  });
  expect(turn.inventory).toContain('<skill id="extraction/email-extractor" active="true">');
  const stranger = createSkillEngine({ source: httpSource(options) });
  await expect(
    prepareTurn(stranger, { text: 'x', preload_skills: ['extraction/email-extractor'] }),
  ).rejects.toMatchObject({ code: 'DENIED' });
});

test('2 · discovery: the inventory names collections, browsing lists one, loading gives the text', async () => {
  const { run, trust } = commandLine(library('.sylk/skills'));
  await trust();
  const turn = (await run('skills', 'turn', 'help me process this PDF', '--json')).json<{
    inventory: string;
  }>();
  expect(turn.inventory).toContain('<available_skills mode="collections">');
  expect(turn.inventory).toContain('<collection path="document" count="2">Document processing</collection>');
  const listing = (await run('skills', 'browse', 'document', '--json')).json<{
    type: string;
    path: string;
    subcollections: unknown[];
    skills: Array<{ id: string }>;
  }>();
  expect(listing).toMatchObject({ type: 'listing', path: 'document', subcollections: [] });
  expect(listing.skills.map((skill) => skill.id)).toEqual([
    'document/pdf-processing',
    'document/word-export',
  ]);
  const search = (await run('skills', 'browse', 'code', '--query', 'tables in a pdf', '--json')).json<{
    type: string;
    skills: Array<{ id: string }>;
  }>();
  expect(search.type).toBe('search');
  expect(search.skills[0]!.id).toBe('document/pdf-processing');
  expect((await run('skills', 'browse', 'no/such', '--json')).json()).toMatchObject({
    type: 'listing',
    skills: [],
    subcollections: [],
  });
  const loaded = await run('skills', 'load', 'document/pdf-processing');
  expect(loaded).toMatchObject({
    code: 0,
    out: '<skill id="document/pdf-processing" source="this repository: .sylk/skills">\nUse pdftotext -layout.\n</skill>\n',
  });
  expect(await run('skills', 'load', 'no/such')).toMatchObject({
    code: 3,
    err: expect.stringContaining("Skill 'no/such' not found"),
  });
});

test('3 · a message names a skill: it is injected, and the rest of the message is what is asked', async () => {
  const { run, trust } = commandLine(library('.agents/skills'));
  await trust();
  const turn = await run(
    'skills',
    'turn',
    '/document/pdf-processing extract tables from report.pdf',
    '--json',
  );
  expect(turn.json()).toMatchObject({
    text: 'extract tables from report.pdf',
    blocks: [{ id: 'document/pdf-processing', content: expect.stringContaining('Use pdftotext') }],
    events: [{ type: 'SkillsResolved', skills: ['document/pdf-processing'] }],
  });
});

test('4 · skills in memory, whatever configuration says', async () => {
  const engine = createSkillEngine({
    source: memorySource([
      {
        descriptor: {
          id: 'test/greeter',
          name: 'greeter',
          description: 'Greets users by name',
          scope: 'builtin',
        },
        body: 'Always greet the user by their first name.',
        extensions: {},
      },
    ]),
  });
  const [skill] = await engine.resolveAndRender(['test/greeter']);
  expect(skill).toMatchObject({ id: 'test/greeter', name: 'greeter' });
  expect(skill!.rendered_body).toBe(
    '<skill id="test/greeter">\nAlways greet the user by their first name.\n</skill>',
  );
});

describe('5 · a git repository as skill library', () => {
  function library() {
    const place = temporaryDirectory('library');
    const work = testRepository([], join(place, 'extraction-skills'));
    work.commit('skills', {
      'extraction/COLLECTION.md': 'Entity and relationship extraction\n',
      'extraction/email-extractor/SKILL.md': skillText('email-extractor', 'Reads mail'),
      'extraction/email-extractor/scripts/parse_headers.py': 'print()\n',
      'extraction/legal-extractor/SKILL.md': skillText('legal-extractor', 'Reads contracts'),
      'extraction/legal-extractor/references/clause-taxonomy.md': '# Clauses\n',
      'formatting/COLLECTION.md': 'Output formatting and templates\n',
      'formatting/markdown-output/SKILL.md': skillText('markdown-output', 'Writes Markdown'),
    });
    work.git('tag', 'v1.2.0');
    work.commit('later', { 'extraction/new-one/SKILL.md': skillText('new-one', 'Not released') });
    return { place, work };
  }
  const expected = ['extraction/email-extractor', 'extraction/legal-extractor', 'formatting/markdown-output'];
  const seen = async (source: SkillSource) => ({
    ids: (await source.list()).map((skill) => skill.id),
    collections: (await source.collections!()).map((one) => `${one.path}: ${one.description} (${one.count})`),
  });
  const collections = [
    'extraction: Entity and relationship extraction (2)',
    'formatting: Output formatting and templates (1)',
  ];

  test('A · read from git, pinned to a release', async () => {
    const { place, work } = library();
    const source = gitSource({
      url: `file://${work.path}`,
      allowFileRemotes: true,
      ref: 'v1.2.0',
      refType: 'tag',
      cacheRoot: join(place, 'cache'),
    });
    expect(await seen(source)).toEqual({ ids: expected, collections });
    expect((await source.resources!('extraction/legal-extractor')).map((file) => file.path)).toEqual([
      'references/clause-taxonomy.md',
    ]);
    const layered = compositeSource([
      memorySource([{ descriptor: { id: 'formatting/markdown-output', description: 'Ours' }, body: 'ours' }]),
      source,
    ]);
    expect((await layered.load('formatting/markdown-output')).body).toBe('ours');
  });

  test('B · cloned by hand and read as files', async () => {
    const { place, work } = library();
    work.git('checkout', '-q', 'v1.2.0');
    cpSync(work.path, join(place, 'opt'), { recursive: true });
    expect(await seen(filesystemSource({ root: join(place, 'opt'), scope: 'project' }))).toEqual({
      ids: expected,
      collections,
    });
  });

  test('C · synced into a server and read over http', async () => {
    const { place, work } = library();
    const synced = gitSource({
      url: `file://${work.path}`,
      allowFileRemotes: true,
      ref: 'v1.2.0',
      refType: 'tag',
      cacheRoot: join(place, 'cache'),
    });
    const engine = createSkillEngine({ source: synced });
    const server = await httpServer(async (request, response) => {
      const answer = await respondToSkills(engine, { path: request.url ?? '' });
      response.writeHead(answer.status).end(JSON.stringify(answer.json));
    });
    expect(await seen(httpSource({ url: server.url, allowHosts: [server.host] }))).toEqual({
      ids: expected,
      collections,
    });
  });
});

test('a person keeps order: sources, lock, drift and trust from the command line', async () => {
  const { run, repository } = commandLine(library('.claude/skills'));
  expect((await run('skills', 'sources')).out).toMatch(/project-claude {2}filesystem .*14 skills/);
  expect((await run('skills', 'list', '--collection', 'document', '--json')).json()).toMatchObject({
    total: 2,
  });
  expect((await run('skills', 'show', 'document/pdf-processing')).out).toMatch(
    /digest {3}sha256:[0-9a-f]{64}/,
  );
  expect(await run('skills', 'verify')).toMatchObject({
    code: 3,
    err: expect.stringContaining('sylk skills lock'),
  });
  expect((await run('skills', 'lock')).out).toContain('Locked 14 skills');
  expect((await run('skills', 'verify')).code).toBe(0);
  writeSkills(repository.path, { '.claude/skills/document/pdf-processing/extra.sh': 'echo' });
  expect(await run('skills', 'verify')).toMatchObject({
    code: 4,
    err: expect.stringContaining('document/pdf-processing: changed'),
  });
  expect(await run('skills', 'trust', 'document/pdf-processing', '--no-input')).toMatchObject({ code: 5 });
  expect((await run('skills', 'check')).out).toContain('0 not loaded');
  writeSkills(repository.path, { '.sylk/skills.toml': 'enabled = false\n' });
  expect(await run('skills', 'list')).toMatchObject({
    code: 4,
    err: expect.stringContaining('Skills are turned off'),
  });
  expect((await run('skills', 'turn', '/document/pdf-processing x', '--json')).json()).toMatchObject({
    inventory: '',
    blocks: [],
  });
});
