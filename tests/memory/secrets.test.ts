import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { redact } from '../../src/base/redact.ts';
import { allOperations } from '../../src/operations/list.ts';
import { runOperation } from '../../src/operations/run.ts';
import { conversations } from '../support/memory.ts';
import { pathsBelow } from '../support/paths-below.ts';
import { secrets } from '../support/secrets.ts';

/** Every file below a directory, databases, their logs and exports among them. */
function bytesBelow(directory: string): Array<[path: string, bytes: Buffer]> {
  if (!existsSync(directory)) return [];
  return pathsBelow(directory).map((path) => [path, readFileSync(path)]);
}

/** Where a secret lies. While the databases are open, so that what waits in the log of writes is looked at too. */
function foundIn(app: App): string[] {
  const places = [app.repository.state.directory, app.user.data].flatMap(bytesBelow);
  expect(places.some(([path]) => path.endsWith('library.db-wal'))).toBe(true);
  const found: string[] = [];
  for (const [path, bytes] of places)
    for (const [kind, { hidden }] of Object.entries(secrets))
      for (const form of new Set([hidden, JSON.stringify(hidden).slice(1, -1), hidden.toLowerCase()]))
        if (bytes.includes(form)) found.push(`${kind} in ${path}`);
  return found;
}

/** Every way in of sessions and memory, each field given the same text. */
const waysIn = (text: string): Array<[operation: string, input: object]> => [
  ['create_session', { name: text, base_branch: text, metadata: { [text]: text } }],
  [
    'store_entry',
    { content: text, category: 'decision', title: text, tags: [text], metadata: { [text]: text } },
  ],
  [
    'store_entry',
    {
      content: `about ${text}`,
      resolution: text,
      category: 'failure',
      code_references: [text],
      derived_from: [text],
    },
  ],
  ['record_pattern', { category: text, name: text, pattern: text, example: text }],
  ['record_failure', { approach: text, reason: text, context: text, resolution: text }],
  ['record_file', { path: text, operation: 'modified', summary: text, changes: [text] }],
  ['scratchpad_write', { key: text.slice(0, 190), note: text }],
  ['update_session_context', { context: { current_task: text, next_steps: [text], blockers: [text] } }],
  ['report_mistake', { pattern: text, error: text, fix: text, context: text, tags: [text] }],
  ['set_preference', { category: text.slice(0, 100), preference: text }],
  ['set_preference', { category: text.slice(0, 100), preference: text, this_session_only: true }],
  ['report_feedback', { category: 'style', suggestion: text, response: 'accepted' }],
  [
    'save_checkpoint',
    {
      summary: text,
      completed: [text],
      next_steps: [text],
      decisions: [],
      context: { [text]: text },
    },
  ],
  ['lock_files', { paths: [text], mode: 'read' }],
  ['snapshot_session', {}],
  ['search_history', { query: text }],
  ['check_mistakes', { approach: text }],
];

test('thirty kinds of secret through every way in: none in the library, its log of writes, the index or the logs', async () => {
  const { agent, person } = conversations();
  const kinds = Object.entries(secrets);
  expect(kinds.length).toBeGreaterThanOrEqual(30);
  const one = agent('client');
  const refused: string[] = [];
  for (const [kind, { text }] of kinds) {
    for (const [operation, input] of waysIn(text))
      await one
        .call(operation, input)
        .catch((error) => refused.push(`${kind} ${operation}: ${error.message}`));
  }
  const somebody = person();
  await somebody.call('report_mistake', {
    pattern: `the person tells ${secrets['github token']!.text}`,
    error: 'e',
    fix: 'f',
    scope: 'person',
  });
  const { session } = await one.call<{ session: { id: string } }>('get_session');
  await one.call('complete_session', { id: session.id, summary: secrets['npm token']!.text });
  expect(refused).toEqual([]);

  expect(foundIn(one.app)).toEqual([]);
  const { entries } = await somebody.call<{ entries: Array<{ content: string }> }>('search_history', {
    cross_session: true,
    limit: 200,
  });
  expect(JSON.stringify(entries)).toContain('[redacted:');
});

/** Every operation of sessions and memory, each field of its input once as text, as a list and as an object. */
async function generatedWaysIn(text: string): Promise<Array<[operation: string, input: object]>> {
  const ways: Array<[string, object]> = [];
  for (const { name, toolset, effect, input, examples } of await allOperations()) {
    if (!['memory', 'sessions', 'guide'].includes(toolset) || effect === 'decide' || effect === 'setup')
      continue;
    const example = (examples[0] ?? {}) as object;
    for (const field of Object.keys(input.shape))
      for (const value of [text, [text], { [text]: text }]) ways.push([name, { ...example, [field]: value }]);
  }
  return ways;
}

test("thirty kinds of secret through every field of every operation, a client's name, its conversation, its hooks and an import: none is kept, also not in exports and copies", async () => {
  const { repository, agent, person } = conversations();
  const kinds = Object.entries(secrets);
  const all = kinds.map(([, { text }]) => text).join('\n');
  const one = agent('client');
  let taken = 0;
  for (const [operation, input] of await generatedWaysIn(all))
    await one.call(operation, input).then(
      () => taken++,
      () => undefined,
    );
  expect(taken).toBeGreaterThan(50);
  const { text } = secrets['github token']!;
  for (const name of [text, `client ${text}`])
    await agent(name).call('store_entry', { content: 'named', category: 'insight' });
  const somebody = person();
  for (const event of ['start', 'turn', 'end'])
    await somebody.call('run_client_hook', {
      client: 'codex',
      event,
      payload: { session_id: text, cwd: repository.path, transcript_path: text, prompt: all },
    });
  await runOperation(one.app, {
    name: 'store_entry',
    input: { content: 'in a conversation', category: 'insight' },
    caller: { kind: 'agent', name: 'client', conversation: text },
  });
  const exported = join(one.app.repository.state.directory, 'export.json');
  await somebody.call('export_memory', { path: exported });
  writeFileSync(
    join(repository.path, 'import.json'),
    readFileSync(exported, 'utf8').replaceAll('in a conversation', JSON.stringify(all).slice(1, -1)),
  );
  await somebody.call('import_memory', { path: join(repository.path, 'import.json') }).catch(() => undefined);
  rmSync(join(repository.path, 'import.json'));
  await somebody.call('export_memory', { path: join(one.app.repository.state.directory, 'export-2.json') });
  await somebody.call('backup_library', { path: join(one.app.repository.state.directory, 'copy.db') });
  await somebody.call('search_history', { query: 'named client', cross_session: true });
  expect(foundIn(one.app)).toEqual([]);
});

test('each kind is replaced and the words around it stay', () => {
  for (const [kind, { text, hidden }] of Object.entries(secrets)) {
    const clean = redact(`before\n${text}\nafter`);
    expect(clean, kind).toMatch(/^before\n.*\[redacted:.*\nafter$/s);
    expect(clean, kind).not.toContain(hidden);
  }
});
