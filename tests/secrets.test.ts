import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSamples, makeWritten, places, readKinds, type Sample } from '../bench/secrets/kinds.ts';
import { scan } from '../bench/secrets/public-code.ts';
import { redact } from '../src/base/redact.ts';
import { allOperations } from '../src/operations/list.ts';
import { runOperation } from '../src/operations/run.ts';
import { conversations } from './support/memory.ts';
import { pathsBelow } from './support/paths-below.ts';
import { testRepository } from './support/repository.ts';

const seed = 4117;

test('of every kind of credential, generated and put where people write them, at least 95 in 100 are cut out', () => {
  const samples = makeSamples(seed, 20);
  expect(readKinds().length).toBeGreaterThanOrEqual(43);
  const missed = new Map<string, string>();
  const tried = new Map<string, number>();
  let through = 0;
  for (const sample of samples)
    for (const [place, write] of Object.entries(places)) {
      tried.set(sample.kind, (tried.get(sample.kind) ?? 0) + 1);
      const clean = redact(write(sample));
      expect(redact(clean), 'cleaning twice changes nothing').toBe(clean);
      if (!clean.includes(sample.hidden)) continue;
      through++;
      missed.set(`${sample.kind} in ${place}`, write(sample));
    }
  expect(through / (samples.length * Object.keys(places).length), [...missed].join('\n')).toBeLessThan(0.05);
});

test('in every place, at least 95 in 100 of the credentials that were written out for it are cut out', () => {
  const byPlace = Map.groupBy(makeWritten(seed, 20), ({ place }) => place);
  expect(byPlace.size).toBe(16);
  for (const [place, samples] of byPlace) {
    const through = samples.filter(({ text, hidden }) => redact(text).includes(hidden));
    const kinds = [...new Set(through.map(({ kind }) => kind))].join(', ');
    expect(through.length / samples.length, `${place}: ${kinds}`).toBeLessThanOrEqual(0.05);
  }
});

test('in code without credentials there is hardly a hit', () => {
  const { lines, hits } = scan(join(import.meta.dirname, '..', 'src'));
  const outsideTests = hits.filter(({ file }) => !/\.test\.|redact|secret/.test(file));
  expect(lines).toBeGreaterThan(50_000);
  expect(outsideTests.length, JSON.stringify(outsideTests, null, 1)).toBeLessThanOrEqual(lines / 10_000);
});

function leaks(directories: string[], samples: Sample[]): string[] {
  const found: string[] = [];
  // Node's own cache of compiled code comes and goes while the test runs.
  for (const directory of directories.filter(existsSync))
    for (const path of pathsBelow(directory).filter((each) => !each.includes('/cache/compiled/'))) {
      const bytes = readFileSync(path);
      for (const { kind, hidden } of samples)
        for (const form of new Set([hidden, JSON.stringify(hidden).slice(1, -1), hidden.toLowerCase()]))
          if (bytes.includes(form)) found.push(`${kind} in ${path}`);
    }
  return found;
}

/** Those that redaction knows: how many it knows is what the first test is about. */
const known = makeSamples(seed, 1).filter(
  (sample) =>
    sample.hidden.length >= 12 &&
    Object.values(places).every((write) => !redact(write(sample)).includes(sample.hidden)),
);
/** One sentence of each kind is enough for fields of 4 KB. */
const all = known
  .filter(({ kind }) => !/, (?:old value was|the key)$/.test(kind))
  .map(({ text }) => text)
  .join('\n');
const inPlace = (place: string) => known.map((sample) => places[place]?.(sample)).join('\n\n');
/** Short ones without a line break, for names. */
const ofOneLine = known.filter(({ text }) => text.length < 100 && !text.includes('\n'));
const token = known.find(({ kind }) => kind === 'github token')?.text ?? '';

/** For fields that take at most 2,000 characters. */
const pieces = known
  .filter(({ text }) => text.length < 1900)
  .reduce<string[]>((made, { text }) => {
    const last = made.at(-1);
    if (last !== undefined && last.length + text.length < 1900) made[made.length - 1] = `${last}\n${text}`;
    else made.push(text);
    return made;
  }, []);

/** Every way in that is an operation. Each is taken, or the test fails. */
const waysIn = (task: string, project: string, caller: string): Array<[operation: string, input: object]> => [
  ['store_entry', { content: all, title: token, category: 'decision', tags: [token], metadata: { all } }],
  ['record_failure', { approach: all, reason: all, context: all, resolution: all }],
  [
    'manage_container',
    {
      operation: 'create',
      containerType: 'task',
      priority: 'HIGH',
      complexity: 3,
      title: token,
      summary: all,
      description: all,
      tags: [token],
      projectId: project,
      actor: token,
    },
  ],
  [
    'manage_container',
    {
      operation: 'create',
      containerType: 'feature',
      priority: 'HIGH',
      name: token,
      summary: all,
      description: all,
      projectId: project,
    },
  ],
  [
    'manage_sections',
    {
      operation: 'add',
      entityType: 'TASK',
      entityId: task,
      title: token,
      usageDescription: all,
      content: all,
      tags: [token],
    },
  ],
  [
    'manage_template',
    { operation: 'create', name: `${caller} ${token}`, description: all, targetEntityType: 'TASK' },
  ],
  [
    'manage_graph',
    {
      operation: 'create',
      entityType: 'atom',
      name: token,
      paths: ['src/code.ts'],
      knowledge: all,
      projectId: project,
      createdByTaskId: task,
    },
  ],
  ['send_message', { type: 'TASK_DISPATCH', target: 'engineer', payload: { task: all } }],
  ['broadcast', { type: 'DAG_STATUS', payload: all, targets: ['architect'] }],
  ...pieces.map((preference): [string, object] => ['set_preference', { category: token, preference }]),
  ...pieces.map((suggestion): [string, object] => [
    'report_feedback',
    { category: token, suggestion, response: 'accepted' },
  ]),
  ['report_mistake', { pattern: all, error: all, fix: all, tags: [token] }],
  ['save_checkpoint', { summary: all, completed: [all], next_steps: [all], decisions: [], context: { all } }],
  ['scratchpad_write', { key: token, note: all }],
  ['create_session', { name: token, base_branch: token, metadata: { all } }],
  ['update_session_context', { context: { current_task: all, next_steps: [all], blockers: [all] } }],
  ['lock_files', { paths: [token], mode: 'read' }],
  [
    'link_refs',
    { source: 'file:src/code.ts', type: 'related_to', target: `file:docs/${token}.md`, metadata: { all } },
  ],
  ['search_all', { query: all.slice(0, 900) }],
  ['search_history', { query: all.slice(0, 900) }],
  ['ask', { question: all.slice(0, 900) }],
];

test('credentials through every operation that takes text, code, settings, documents, skills, commits, authors, names of files and references: none in a database, its log of writes, a log, an export, a backup, a bundle or an event', async () => {
  expect(known.length).toBeGreaterThan(40);
  const repository = testRepository();
  repository.commit(`feat: start\n\n${all}`, {
    'src/code.ts': inPlace('code'),
    'config/app.yaml': inPlace('yaml'),
    'config/app.properties': inPlace('properties'),
    'docs/notes.md': `# Notes\n\n${inPlace('prose')}`,
    'docs/library/reference.md': `# Library\n\n${inPlace('prose')}\n\n${all}`,
    [`src/${token}/file.ts`]: 'export const one = 1;\n',
    [`src/a\n${token}.ts`]: 'export const two = 2;\n',
    '.sylk/config.yaml': `embedding:\n  api_key: ${token}\n`,
    '.claude/skills/leaky/SKILL.md': `---\nname: leaky\ndescription: leaks ${token}\n---\n${all}`,
  });
  for (const sample of ofOneLine.slice(0, 8))
    repository.commit(
      places.commit?.(sample) ?? '',
      { 'a.txt': sample.kind },
      { author: `Ada ${sample.text.replace(/[<>]/g, '')} <ada@example.org>` },
    );
  const { person, agent } = conversations(undefined, repository);
  const { app, call } = person();
  const heard: unknown[] = [];
  app.events.subscribe((event) => heard.push(event));
  await call('index_repository');
  await call('index_history');
  const { data: made } = await call<{ data: { project: { id: string } } }>('manage_container', {
    operation: 'create',
    containerType: 'project',
    name: 'Shop',
    summary: 'The shop.',
  });
  const { data: planned } = await call<{ data: { task: { id: string } } }>('manage_container', {
    operation: 'create',
    containerType: 'task',
    priority: 'HIGH',
    complexity: 3,
    title: 'Plain',
    summary: 'Plain.',
    projectId: made.project.id,
  });
  const refused: string[] = [];
  for (const [name, caller] of Object.entries({ person: person(), agent: agent(token) }))
    for (const [operation, input] of waysIn(planned.task.id, made.project.id, name))
      await caller
        .call(operation, input)
        .catch((error) => refused.push(`${operation}: ${error.message.slice(0, 300)}`));
  const topic = {
    title: 'A library of ours',
    body: all,
    sources: [{ type: 'local', path: 'docs/library' }],
    tags: [token],
  };
  await call('reference_topic_create', topic).catch(() => undefined);
  const { approvals } = await call<{ approvals: Array<{ id: string }> }>('list_approvals', {});
  await call('approve_reference_topic', { approval_id: approvals[0]?.id });
  await call('reference_topic_create', { ...topic, approval_id: approvals[0]?.id }).catch((error) =>
    refused.push(`reference_topic_create: ${error.message}`),
  );
  app.log.error(`failed with ${all}`, { error: new Error(all).message, all });
  await call('get_file', { path: `missing/${token}` }).catch(() => undefined);
  for (const [name, input] of [
    ['list_skills', {}],
    ['check_skills', {}],
    ['export_memory', { path: join(app.repository.state.directory, 'export.json') }],
    ['backup_library', { path: join(app.repository.state.directory, 'copy.db') }],
    ['export_knowledge', {}],
    ['collect_debug_bundle', {}],
  ] as const)
    await call(name, input).catch((error) => refused.push(`${name}: ${error.message}`));
  expect(refused).toEqual([]);
  expect(heard.length).toBeGreaterThan(0);
  const said = JSON.stringify(heard);
  expect(known.filter(({ hidden }) => said.includes(hidden)).map(({ kind }) => kind)).toEqual([]);
  const knowledge = join(repository.path, '.sylk', 'knowledge');
  expect(leaks([app.repository.state.directory, app.user.data, knowledge], known)).toEqual([]);
}, 240_000);

test('the story of a file tells its commits without their secrets', async () => {
  const [sample] = makeSamples(seed, 1).filter(({ kind }) => kind === 'github token');
  const repository = testRepository();
  repository.commit(`feat: start with ${sample?.text}`, { 'src/code.ts': 'export const one = 1;\n' });
  const { call } = conversations(undefined, repository).person();
  await call('index_repository');
  const { history } = await call<{ history: Array<{ message: string }> }>('get_history_for_code', {
    symbol_id: 'src/code.ts',
  });
  expect(history.map(({ message }) => message)).toEqual(['feat: start with [redacted:github-token]']);
});

test('a search for a secret says that secrets are never found', async () => {
  const [sample] = makeSamples(seed, 1).filter(({ kind }) => kind === 'github token');
  const repository = testRepository();
  repository.commit('feat: start', { 'src/code.ts': `export const deployKey = "${sample?.text}";\n` });
  const { person } = conversations(undefined, repository);
  const { call } = person();
  const said = 'secrets are redacted before anything is stored: no search finds them';
  for (const name of ['search', 'search_all', 'smart_search', 'search_history']) {
    const { notes } = await call<{ notes: string[] }>(name, { query: `"${sample?.text}"` });
    expect(notes, name).toContain(said);
  }
  const { notes } = await call<{ notes: string[] }>('search_all', { query: 'deployKey' });
  expect(notes).toContain(said);
});

test('no operation that reads answers with a secret of a file, a commit or a name, and none of its failures and events does', async () => {
  const repository = testRepository();
  repository.commit(`feat: start\n\n${all}`, {
    'src/code.ts': `export function login() { return 1; }\n${inPlace('code')}`,
    'config/app.yaml': inPlace('yaml'),
    'docs/notes.md': `# Notes\n\n${inPlace('prose')}`,
    'package.json': JSON.stringify({ name: 'shop', scripts: { test: `DEPLOY_TOKEN=${token} vitest` } }),
  });
  repository.commit('fix: rotate', { 'src/code.ts': 'export function login() { return 2; }\n' });
  repository.commit('fix: back', { 'src/code.ts': `export function login() { return 3; }\n${all}` });
  const { app, call } = conversations(undefined, repository).person();
  await call('index_repository');
  await call('index_history');
  const reading = (await allOperations()).filter(({ effect }) => effect === 'read');
  let answered = 0;
  for (const { name, input, examples } of reading)
    for (const place of ['src/code.ts', 'config/app.yaml', 'docs/notes.md', `missing/${token}`]) {
      const subject = (field: string, value: unknown): unknown => {
        if (/path|file/.test(field)) return Array.isArray(value) ? [place] : place;
        return /query|question|text/.test(field) && typeof value === 'string' ? `login ${token}` : value;
      };
      const wanted = Object.fromEntries(
        Object.keys(input.shape).flatMap((field) => {
          const value = examples[0]?.[field] ?? (field === 'path' ? place : undefined);
          return value === undefined ? [] : [[field, subject(field, value)]];
        }),
      );
      const events: unknown[] = [];
      const outcome = await runOperation(app, {
        name,
        input: wanted,
        caller: { kind: 'agent', name: 'agent' },
        onEvent: (event) => events.push(event),
        signal: AbortSignal.timeout(5000),
      });
      if (outcome.ok) answered++;
      const said = JSON.stringify([outcome.ok ? outcome.output : outcome, events]);
      expect(
        known
          .filter(({ hidden }) => said.includes(JSON.stringify(hidden).slice(1, -1)))
          .map(({ kind }) => kind),
        `${name} ${JSON.stringify(wanted)}`,
      ).toEqual([]);
    }
  expect(answered).toBeGreaterThan(150);
}, 240_000);
