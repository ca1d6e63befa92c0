import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSamples, places, readKinds, type Sample } from '../bench/secrets/kinds.ts';
import { scan } from '../bench/secrets/public-code.ts';
import { redact } from '../src/base/redact.ts';
import { conversations } from './support/memory.ts';
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

test('in code without credentials there is hardly a hit', () => {
  const { lines, hits } = scan(join(import.meta.dirname, '..', 'src'));
  const outsideTests = hits.filter(({ file }) => !/\.test\.|redact|secret/.test(file));
  expect(lines).toBeGreaterThan(50_000);
  expect(outsideTests.length, JSON.stringify(outsideTests, null, 1)).toBeLessThanOrEqual(lines / 10_000);
});

function leaks(directories: string[], samples: Sample[]): string[] {
  const found: string[] = [];
  for (const directory of directories.filter(existsSync))
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
      const path = join(directory, name);
      if (!statSync(path).isFile()) continue;
      const bytes = readFileSync(path);
      for (const { kind, hidden } of samples)
        for (const form of new Set([hidden, JSON.stringify(hidden).slice(1, -1), hidden.toLowerCase()]))
          if (bytes.includes(form)) found.push(`${kind} in ${name}`);
    }
  return found;
}

test('credentials in code, settings, documents, skills, commits, entries, tasks and questions: none in a database, its log of writes, a log, an export or a bundle', async () => {
  // Those that redaction knows: how many it knows is what the first test is about.
  const samples = makeSamples(seed, 1).filter(
    (sample) =>
      sample.hidden.length >= 12 &&
      Object.values(places).every((write) => !redact(write(sample)).includes(sample.hidden)),
  );
  expect(samples.length).toBeGreaterThan(40);
  const all = samples.map(({ text }) => text).join('\n');
  const inPlace = (place: string) => samples.map((sample) => places[place]?.(sample)).join('\n\n');
  const repository = testRepository();
  repository.commit(`feat: start\n\n${all}`, {
    'src/code.ts': inPlace('code'),
    'config/app.yaml': inPlace('yaml'),
    'config/app.properties': inPlace('properties'),
    'docs/notes.md': `# Notes\n\n${inPlace('prose')}`,
    '.claude/skills/leaky/SKILL.md': `---\nname: leaky\ndescription: leaks\n---\n${all}`,
  });
  for (const sample of samples.slice(0, 12))
    repository.commit(places.commit?.(sample) ?? '', { 'a.txt': sample.kind });
  const { person } = conversations(undefined, repository);
  const { app, call } = person();
  await call('index_repository');
  await call('index_history');
  let taken = 0;
  const told = [
    ['store_entry', { content: all, title: all.slice(0, 190), category: 'decision', tags: [all] }],
    ['create_task', { name: 'leaky', title: all.slice(0, 190), description: all, summary: all }],
    ['set_preference', { category: 'keys', preference: all }],
    ['create_atom', { name: 'leaky', paths: ['src/**'], knowledge: all, description: all }],
    ['report_mistake', { pattern: all, error: all, fix: all }],
    [
      'link',
      { source: 'file:src/code.ts', type: 'related_to', target: 'file:docs/notes.md', metadata: { all } },
    ],
    ['search_all', { query: all.slice(0, 900) }],
    ['ask', { question: all.slice(0, 900) }],
  ] as const;
  for (const [name, input] of told) {
    await call(name, input).then(
      () => taken++,
      () => undefined,
    );
  }
  expect(taken).toBeGreaterThan(3);
  await call('export_memory', { path: join(repository.path, '.sylk', 'export.json') });
  expect(leaks([app.repository.state.directory, app.user.data], samples)).toEqual([]);
}, 120_000);

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
