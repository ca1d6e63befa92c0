import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { embeddedOf } from '../../src/base/library/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { pathsBelow } from '../support/paths-below.ts';
import { draft } from '../support/references.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const canary = 'zebrafishquokka';

/** Everything that a person can ask to be forgotten leads through these places; each holds the canary before. */
async function contaminated() {
  const { path: root } = fixtureRepository();
  const home = temporaryDirectory('home');
  const app = openApp({ directory: root, env: { HOME: home, PATH: process.env.PATH } });
  onTestFinished(() => app.close());
  const call = async <T>(name: string, input: object, kind: 'agent' | 'person' = 'agent'): Promise<T> => {
    const outcome = await runOperation(app, { name, input, caller: { kind, name: 'writer' } });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.output as T;
  };
  await call('index_repository', {}, 'person');
  /** Every file of this repository's data and of the person's, log of the database included, that holds the bytes. */
  const files = (text: string): string[] =>
    [join(root, '.git', 'sylk'), home].flatMap((directory) =>
      pathsBelow(directory).filter((path) => readFileSync(path).includes(text)),
    );
  const store = async (input: object) => {
    const { entry } = await call<{ entry: { id: string; session_id: string } }>('store_entry', input);
    return entry;
  };
  return { app, call, files, store };
}

async function topicOf(app: ReturnType<typeof openApp>): Promise<string> {
  const source = temporaryDirectory('source');
  writeFileSync(join(source, 'page.md'), '# A page\n\nIt says wrong things.\n');
  const { topic_id } = await (await app.references()).create({
    draft: draft({ title: 'Poisoned page', body: 'A page.', sources: [{ type: 'local', path: source }] }),
    author: { agent: 'client', model: 'test' },
    answered: false,
    permit: async () => ({ done: async () => {}, release: async () => {} }),
  });
  return `topic:${topic_id}`;
}

test('"forget everything derived from X": no byte is left in databases, their logs, vectors, caches, messages, summaries, snapshots or the graph', async () => {
  const { app, call, files, store } = await contaminated();
  await call('create_session', { name: 'a named one' });
  const topic = await topicOf(app);
  const first = await store({
    // The code refutes it, so verification and conflict repeat it.
    content: `The function \`login\` is defined in src/${canary}.ts, for ${canary} reasons.`,
    title: `${canary} decision`,
    category: 'decision',
    derived_from: [topic],
    code_references: ['src/auth/session.ts'],
  });
  const second = await store({
    content: `Because of ${canary}, attempts are counted twice.`,
    category: 'insight',
    derived_from: [`entry:${first.id}`],
    resolution: `${canary} again`,
  });
  await store({ content: 'Innocent.', title: 'innocent', code_references: [`entry:${second.id}`] });
  for (const { id } of [first, second]) await call('promote', { id }, 'person');
  const memory = await app.memory();
  await memory.conversations.record(await memory.sessions.get(first.session_id), 'client');
  await call('snapshot_session', { id: first.session_id });
  await call('complete_session', { id: first.session_id });
  await (await app.recall()).ready({ waitMs: 20_000, domains: ['chronicle', 'code'] });
  for (const question of [`what about ${canary}`, `where is ${canary}`, `why did we decide ${canary}`])
    for (const name of ['once', 'twice']) expect(await call('ask', { question }), name).toBeDefined();
  await call('search_all', { query: canary });
  const sessions = () =>
    app.library().then((library) => embeddedOf(library).all('SELECT summary, metadata FROM sessions'));
  expect(JSON.stringify(await sessions())).toContain(canary);
  expect(files(canary).length).toBeGreaterThan(1);

  const gone = await call<{ entries: number }>('forget', { what: topic }, 'person');
  // Both, and the summary of the session that tells of them.
  expect(gone.entries).toBe(3);
  expect(JSON.stringify(await sessions())).not.toContain(canary);
  expect(files(canary)).toEqual([]);
  for (const { id } of [first, second]) expect(files(id)).toEqual([]);
  for (const question of [`what about ${canary}`, `why did we decide ${canary}`]) {
    const { citations } = await call<{ citations: Array<{ snippet?: string }> }>('ask', { question });
    expect(JSON.stringify(citations)).not.toContain(canary);
  }
  await app.close();
  // Whoever asks for it again says it again: what was asked is not what was remembered.
  expect(files(first.id)).toEqual([]);
});

test('what was told to the Guide is forgotten with its message, and no routing repeats it', async () => {
  const { app, call, files } = await contaminated();
  await call('create_session', { name: 'a named one' });
  await call('route', { input: `Remember that ${canary} ${canary}ly breaks the build` });
  const { entries } = await call<{ entries: Array<{ id: string }> }>('search_history', { query: canary });
  expect(entries).toHaveLength(1);
  const sqlite = embeddedOf(await app.library());
  const messages = () => sqlite.all('SELECT payload FROM messages');
  expect(JSON.stringify(messages())).toContain(canary);
  await call('forget', { what: entries[0]!.id }, 'person');
  expect(messages()).toEqual([]);
  expect(files(canary)).toEqual([]);
  await app.close();
  expect(files(canary)).toEqual([]);
});

test('a session that is forgotten leaves its name and states, and nothing of what it was about', async () => {
  const { app, call, files, store } = await contaminated();
  await call('create_session', { name: 'a named one' });
  const { session_id } = await store({ content: `About ${canary}.`, category: 'decision' });
  await call('update_session_context', { context: { current_task: canary, next_steps: [canary] } });
  await call('scratchpad_write', { key: 'note', note: canary });
  await call('route', { input: `Remember that ${canary} was seen` });
  await call('snapshot_session', { id: session_id });
  await call('complete_session', { id: session_id, summary: `All about ${canary}.` });
  expect(files(canary)).not.toEqual([]);
  await call('forget', { what: session_id }, 'person');
  expect(files(canary)).toEqual([]);
  const { session } = await call<{ session: { state: string; summary: string } }>(
    'get_session',
    { id: session_id },
    'person',
  );
  expect(session).toMatchObject({ state: 'completed', summary: '' });
  await app.close();
  expect(files(canary)).toEqual([]);
});
