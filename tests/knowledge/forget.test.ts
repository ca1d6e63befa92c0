import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addTopic, authWorld, remember } from '../support/knowledge.ts';
import { pathsBelow } from '../support/paths-below.ts';

const canary = 'zebrafish4471';

/** Every file below a directory that holds the bytes. */
const filesWith = (directory: string, text: string): string[] =>
  pathsBelow(directory).filter((path) => readFileSync(path).includes(text));

test('"forget everything derived from X" leaves no trace of it, through every step of lineage', async () => {
  const { person, repository } = authWorld();
  const ada = person();
  const topic = await addTopic(ada, { title: 'Poisoned page', body: 'Says wrong things.' });
  const first = await remember(ada, { content: `${canary} one, from the page.`, derived_from: [topic] });
  const second = await remember(ada, {
    content: `${canary} two, from the first.`,
    category: 'decision',
    title: `${canary} subject`,
    derived_from: [first.ref],
    code_references: ['src/auth/jwt.ts'],
  });
  const innocent = await remember(ada, {
    content: 'Tokens are signed.',
    title: 'signed',
    code_references: ['src/auth/jwt.ts', second.ref],
  });
  const graph = await ada.app.graph();
  const answer = 'answer:ans_1';
  await graph.recordSources(answer, [{ type: 'history', ref: second.ref, confidence: 0.5 }]);
  const last = await remember(ada, { content: `${canary} three, from an answer.`, derived_from: [answer] });
  await graph.recordConflict({
    kind: 'semantic',
    left: second.ref,
    right: innocent.ref,
    subject: canary,
    detail: canary,
  });
  await graph.recordVerification(innocent.ref, {
    verification: 'none',
    confidence: 0.5,
    needsReview: true,
    warnings: [],
    contradictions: [
      { claim: 'signed', ref: second.ref, detail: `${canary} says otherwise (${second.ref})` },
      { claim: 'signed', detail: 'unsure' },
    ],
  });
  for (const { ref } of [first, second, last]) await ada.call('promote', { id: ref.replace('entry:', '') });
  await ada.call('search_all', { query: canary });
  const directory = join(repository.path, '.git', 'sylk');
  expect(filesWith(directory, canary)).not.toEqual([]);
  const gone = await ada.call('forget', { what: topic });
  expect(gone).toMatchObject({ entries: 3, linked: 4 });
  expect(await graph.nodesOf([first.ref, second.ref, last.ref, answer])).toEqual(new Map());
  expect(await graph.conflicts()).toEqual([]);
  expect((await graph.verificationsOf([innocent.ref])).get(innocent.ref)?.contradictions).toEqual([
    { claim: 'signed', detail: 'unsure' },
  ]);
  const kept = await ada.call<{ refs: string[] }>('get_entry', { id: innocent.ref });
  expect(kept.refs).toEqual(['file:src/auth/jwt.ts']);
  const found = await ada.call('search_all', { query: canary });
  expect(JSON.stringify(found).replaceAll(`"query":"${canary}"`, '')).not.toContain(canary);
  await ada.app.close();
  expect(filesWith(directory, canary)).toEqual([]);
  for (const { ref } of [first, second, last])
    expect(filesWith(directory, ref.replace('entry:', ''))).toEqual([]);
});

test('forgetting a session takes its links, and leaves those of others', async () => {
  const { agent, person } = authWorld();
  const [bot, other, ada] = [agent('bot'), agent('other'), person()];
  await remember(bot, { content: 'Mine.', code_references: ['src/auth/jwt.ts'] });
  await bot.call('link_refs', {
    source: 'file:src/auth/jwt.ts',
    type: 'related_to',
    target: 'file:src/shop/cart.ts',
  });
  await remember(other, { content: 'Theirs.', code_references: ['src/auth/jwt.ts'] });
  const { session } = await bot.call<{ session: { id: string } }>('get_session');
  await ada.call('forget', { what: session.id });
  const { total } = await ada.call<{ total: number }>('traverse', { ref: 'src/auth/jwt.ts', depth: 1 });
  expect(total).toBe(1);
});

test('an entry stored after the newest was forgotten is linked like any other', async () => {
  const { person } = authWorld();
  const ada = person();
  const gone = await remember(ada, { content: 'To be forgotten.', code_references: ['src/auth/jwt.ts'] });
  await ada.call('forget', { what: gone.ref });
  const { chronicle } = await ada.app.memory();
  const imported = await chronicle.store({
    session_id: 'ses_x',
    category: 'general',
    content: 'From elsewhere.',
    refs: ['file:src/auth/jwt.ts'],
    source: 'ada',
    source_kind: 'person',
  });
  await remember(ada, { content: 'The next one.' });
  const edges = await (await ada.app.graph()).edgesOf('file:src/auth/jwt.ts');
  expect(edges.map(({ source }) => source)).toEqual([`entry:${imported.entry.id}`]);
});
