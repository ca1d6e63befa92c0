import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, testReferences } from '../../../tests/support/references.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { isStale, shownStatus, trustLevel } from './topic.ts';
import { readTopicFile, writeTopicFile } from './topic-file.ts';

const day = 86_400_000;
const files = {
  'README.md': '# dioxus\n\nInterfaces in Rust.\n',
  'docs/signals.md': '# Signals\n\nCall `use_signal` for state.\n',
  'docs/router.md': '# Router\n\nRoutes are an enum.\n',
};

async function shelf() {
  const repository = testRepository();
  repository.commit('x', files);
  const references = await testReferences();
  const { topic_id } = await references.create({ sources: [{ type: 'local', path: repository.path }] });
  return { ...references, repository, topic_id };
}

describe('staleness', () => {
  const now = Date.UTC(2025, 6, 16, 10);
  const aged = (days: number, change = {}) => ({
    status: 'active',
    fetched_at: new Date(now - days * day).toISOString(),
    max_age_days: 30,
    ...change,
  });

  test('what never ages is never stale, even when it is obsolete', () => {
    expect(isStale(aged(9999, { max_age_days: 0 }), now)).toBe(false);
    expect(isStale(aged(9999, { max_age_days: 0, status: 'obsolete' }), now)).toBe(false);
  });

  test('what is obsolete is stale, whatever its age', () => {
    expect(isStale(aged(0, { status: 'obsolete' }), now)).toBe(true);
  });

  test('age counts in whole days and must be strictly more than allowed', () => {
    expect([30, 30.9, 31].map((days) => isStale(aged(days), now))).toEqual([false, false, true]);
    expect(shownStatus(aged(31), now)).toBe('stale');
    expect(shownStatus(aged(31, { status: 'obsolete' }), now)).toBe('obsolete');
  });

  test('a stale topic still answers, and says since when it is stale', async () => {
    const { store, clock, topic_id } = await shelf();
    expect((await store.search({ question: 'use_signal' }))[0]?.stale_since).toBeUndefined();
    clock.advance(31 * day);
    expect((await store.search({ question: 'use_signal' }))[0]?.stale_since).toBe('2025-07-16T10:00:00.000Z');
    expect(await store.list()).toMatchObject([{ topic_id, status: 'stale', is_stale: true }]);
  });
});

describe('update', () => {
  test('changes what is given, keeps the rest, and fetches nothing', async () => {
    const { store, repository, topic_id, root } = await shelf();
    repository.commit('y', { 'docs/new.md': '# New\n' });
    const before = await store.show(topic_id);
    await store.update({ topic_id, max_age_days: 60, tags: ['rust', 'ui'], body: 'Updated description.' });
    const { topic } = await store.show(topic_id);
    expect(topic).toEqual({
      ...before.topic,
      max_age_days: 60,
      tags: ['rust', 'ui'],
      body: 'Updated description.',
    });
    expect(existsSync(join(root, 'dioxus-rust-ui-framework', 'docs/new.md'))).toBe(false);
    expect((await store.searchTopics('updated description'))[0]?.topic_id).toBe(topic_id);
  });

  test('an obsolete topic is left out of searches, still listed on request, and can come back', async () => {
    const { store, topic_id } = await shelf();
    await store.update({ topic_id, status: 'obsolete' });
    expect(await store.search({ question: 'use_signal' })).toEqual([]);
    expect(await store.list()).toEqual([]);
    expect(await store.list({ obsolete: true })).toMatchObject([
      { topic_id, status: 'obsolete', is_stale: true },
    ]);
    await store.update({ topic_id, status: 'active' });
    expect((await store.search({ question: 'use_signal' })).length).toBeGreaterThan(0);
  });

  test('an obsolete topic that is asked for by name is called obsolete, not unknown', async () => {
    const { store, topic_id } = await shelf();
    await store.update({ topic_id, status: 'obsolete' });
    expect(await failure(store.search({ question: 'use_signal', topic: 'dioxus' }))).toMatchObject({
      code: 'INVALID_OPERATION',
      message: `${topic_id} is obsolete; its files are not searched.`,
      hint: expect.stringContaining(`sylk ref update ${topic_id} --status active`),
    });
  });

  test('a topic goes by a word of its title; a word of two titles is asked about', async () => {
    const { store, create, topic_id } = await shelf();
    expect((await store.show('dioxus')).topic.id).toBe(topic_id);
    expect((await store.refresh('Dioxus')).topic_id).toBe(topic_id);
    const source = temporaryDirectory('source');
    writeFileSync(join(source, 'a.md'), '# A\n');
    const other = await create({ title: 'Dioxus examples', sources: [{ type: 'local', path: source }] });
    expect(await failure(store.remove('dioxus'))).toMatchObject({
      code: 'CONFLICT',
      data: { topics: expect.arrayContaining([topic_id, other.topic_id]) },
    });
    expect((await store.show('dioxus examples')).topic.id).toBe(other.topic_id);
  });

  test('a topic that is missing is named, with the nearest one', async () => {
    const { store } = await shelf();
    const error = await failure(store.update({ topic_id: 'topic-dioxus-rust-ui-framwork', tags: [] }));
    expect(error).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('topic-dioxus-rust-ui-framework'),
    });
  });
});

describe('refresh', () => {
  test('fetches again, indexes only what changed, and reports added, changed and removed', async () => {
    const { store, repository, topic_id, clock } = await shelf();
    repository.commit('y', {
      'docs/signals.md': '# Signals\n\nCall `use_memo` too.\n',
      'docs/new.md': '# New\n\nwords\n',
      'docs/router.md': null,
    });
    clock.advance(40 * day);
    const report = await store.refresh('dioxus - rust ui framework');
    expect(report).toMatchObject({ topic_id, added: 1, changed: 1, removed: 1, file_count: 3 });
    expect(await store.list()).toMatchObject([{ status: 'active', is_stale: false, file_count: 3 }]);
    expect((await store.search({ question: 'use_memo' }))[0]?.file).toBe('docs/signals.md');
    expect((await store.search({ question: 'routes enum' })).map(({ file }) => file)).not.toContain(
      'docs/router.md',
    );
    const again = await store.refresh(topic_id);
    expect(again).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  test('a source that cannot be reached takes nothing away', async () => {
    const { store, repository, topic_id } = await shelf();
    renameSync(repository.path, `${repository.path}-moved`);
    expect((await failure(store.refresh(topic_id))).code).toBe('NOT_FOUND');
    expect((await store.search({ question: 'use_signal' })).length).toBeGreaterThan(0);
    renameSync(`${repository.path}-moved`, repository.path);
  });
});

test('delete removes the topic, its files and all indexed data', async () => {
  const { store, topic_id, root } = await shelf();
  expect(await store.remove('topic:topic-dioxus-rust-ui-framework')).toEqual({ topic_id, files: 3 });
  expect(existsSync(join(root, 'dioxus-rust-ui-framework'))).toBe(false);
  expect(await store.search({ question: 'use_signal' })).toEqual([]);
  await store.close();
  const { openSqlite } = await import('../../base/sqlite/index.ts');
  const index = openSqlite(join(root, '.index', 'references.db'), { readOnly: true });
  for (const table of [
    'reference_topics',
    'reference_files',
    'reference_chunks',
    'vectors_reference_chunks',
    'vectors_reference_topics',
  ])
    expect(index.get(`SELECT count(*) AS n FROM ${table}`), table).toEqual({ n: 0 });
  index.close();
});

describe('discovery', () => {
  test('recent topics are the exact block: ten, most recently fetched first, with their tags', async () => {
    const { create, store, clock } = await testReferences();
    const source = testRepository();
    source.commit('x', { 'a.md': 'words\n' });
    expect(await store.recent()).toBe('');
    for (let at = 1; at <= 11; at++) {
      clock.advance(1000);
      await create(
        {
          title: `Library ${at}`,
          tags: at === 11 ? [] : ['rust', 'ui'],
          sources: [{ type: 'local', path: source.path }],
        },
        { allowDuplicate: true },
      );
    }
    const lines = (await store.recent()).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '## Available Reference Topics',
      '',
      '- Library 11 (`topic-library-11`)',
      '- Library 10 (`topic-library-10`) — rust, ui',
    ]);
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(10);
  });

  test('topics are found by words and by meaning over their notes, not their files; nothing is found for something else', async () => {
    const { create, store } = await testReferences();
    const source = testRepository();
    source.commit('x', { 'a.md': '# Sourdough\n\nBread needs flour, water and time.\n' });
    await create({ sources: [{ type: 'local', path: source.path }] });
    const found = async (query: string) => (await store.searchTopics(query)).map(({ topic_id }) => topic_id);
    for (const query of ['Dioxus', 'Rust GUI framework with React-like syntax', 'RSX framework', 'Rust UI']) {
      expect(await found(query), query).toEqual(['topic-dioxus-rust-ui-framework']);
    }
    for (const query of ['sourdough bread recipe', 'postgres replication lag', 'kubernetes ingress']) {
      expect(await found(query), query).toEqual([]);
    }
    expect((await store.searchTopics('Dioxus'))[0]).toMatchObject({
      title: 'Dioxus - Rust UI Framework',
      status: 'active',
      is_stale: false,
      fetched_at: '2025-06-15T10:00:00.000Z',
      tags: ['rust', 'ui', 'framework', 'dioxus'],
      score: expect.any(Number),
      snippet: expect.stringContaining('portable'),
      source_count: 1,
      file_count: 1,
      max_age_days: 30,
      created_by: 'client',
    });
  });

  test('the topic of a search is a name, not an id', async () => {
    const { store } = await shelf();
    for (const topic of [
      'dioxus',
      'Dioxus - Rust UI Framework',
      'topic-dioxus-rust-ui-framework',
      'rust ui framework',
    ]) {
      expect((await store.search({ question: 'use_signal', topic }))[0]?.file, topic).toBe('docs/signals.md');
    }
    expect((await failure(store.search({ question: 'x', topic: 'kubernetes' }))).code).toBe('NOT_FOUND');
  });
});

describe('topics on disk are the truth', () => {
  test('a topic survives the loss of its index, and one put there by hand is taken in', async () => {
    const { store, open, root, topic_id } = await shelf();
    await store.close();
    rmSync(join(root, '.index'), { recursive: true });
    const file = join(root, 'dioxus-rust-ui-framework', 'topic.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Dioxus is a portable', 'By hand: a portable'));
    const again = await open();
    expect((await again.search({ question: 'use_signal' }))[0]).toMatchObject({
      topic_id,
      file: 'docs/signals.md',
    });
    expect((await again.show(topic_id)).topic.body).toContain('By hand');
  });

  test('a folder that is no topic is left out, and the others answer', async () => {
    const { store, root } = await shelf();
    const file = join(root, 'dioxus-rust-ui-framework', 'topic.md');
    const { cpSync } = await import('node:fs');
    cpSync(join(root, 'dioxus-rust-ui-framework'), join(root, 'broken'), { recursive: true });
    writeFileSync(join(root, 'broken', 'topic.md'), 'no front matter');
    expect(await store.list()).toHaveLength(1);
    expect(existsSync(file)).toBe(true);
  });

  test('a replacement that was cut between its two renames is finished by whoever comes next', async () => {
    const { store, open, root, topic_id } = await shelf();
    await store.close();
    const folder = 'dioxus-rust-ui-framework';
    const staged = join(root, '.staging', 'swapped');
    renameSync(join(root, folder), staged);
    const note = { folder, staged, old: join(root, '.staging', 'old-x') };
    writeFileSync(join(root, '.staging', 'x.swap'), JSON.stringify(note));
    expect(await (await open()).list()).toMatchObject([{ topic_id }]);
    expect(existsSync(join(root, folder, 'topic.md'))).toBe(true);
  });

  test('front matter reads what the design wrote, and writes what it reads', () => {
    const text = `+++
id = "topic-dioxus-ui"
title = "Dioxus - Rust UI Framework"
type = "ReferenceTopic"
created_at = "2025-06-15T10:00:00Z"
trust_score = 8
tags = ["rust", "ui", "framework", "dioxus"]
status = "stale"
fetched_at = "2025-06-15T10:00:00Z"
max_age_days = 30
files = ["README.md", "docs/guide/index.md"]

[created_by]
ghost = "ghost-a"
model = "some-model"

[[sources]]
type = "git"
url = "https://github.com/DioxusLabs/dioxus"
ref = "main"
commit = "a1b2c3d4e5f6"
paths = ["README.md", "docs/"]

[[sources]]
type = "web"
url = "https://dioxuslabs.com/learn/0.6/"
+++

# Dioxus

Body.
`;
    const topic = readTopicFile(text, 'topic.md');
    expect(topic).toMatchObject({
      status: 'active',
      created_by: { agent: 'ghost-a' },
      sources: [{ commit: 'a1b2c3d4e5f6' }, { type: 'web' }],
    });
    expect(readTopicFile(writeTopicFile(topic), 'topic.md')).toEqual(topic);
  });
});

test('trust comes from the kind, is lowered by a low score and never raised by a high one', () => {
  expect(trustLevel('documentation', 10)).toBe(70);
  expect(trustLevel('rfc', 8)).toBe(70);
  expect(trustLevel('paper', 10)).toBe(60);
  expect(trustLevel('tutorial', 9)).toBe(60);
  expect(trustLevel('blog_post', 10)).toBe(30);
  expect(trustLevel('question_and_answer', 10)).toBe(30);
  expect(trustLevel('documentation', 2)).toBe(20);
});
