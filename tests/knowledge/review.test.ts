import { expect, test } from 'vitest';
import type { Card } from '../../src/engines/knowledge/index.ts';
import { authWorld, remember } from '../support/knowledge.ts';

interface Conflicts {
  conflicts: Array<{
    id: string;
    kind: string;
    left: string;
    right: string;
    left_card?: Card;
    resolved: boolean;
  }>;
}

test('contradictions of every kind are in one list: code against memory, and decision against decision', async () => {
  const { person } = authWorld();
  const ada = person();
  const told = await remember(ada, { content: 'Tokens use HS256.', title: 'algorithm' });
  await remember(ada, {
    content: 'Sessions live in memory.',
    title: 'where sessions live',
    category: 'decision',
  });
  await remember(ada, {
    content: 'Sessions live in Redis.',
    title: 'where sessions live',
    category: 'decision',
  });
  await (await ada.app.graph()).recordConflict({
    kind: 'source_mismatch',
    left: told.ref,
    right: 'file:src/auth/jwt.ts',
    subject: 'algorithm',
    detail: 'it says HS256, the code has RS256',
  });
  const { conflicts } = await ada.call<Conflicts>('list_conflicts');
  expect(conflicts.map(({ kind }) => kind).sort()).toEqual(['semantic', 'source_mismatch']);
  const mismatch = conflicts.find(({ kind }) => kind === 'source_mismatch')!;
  expect(mismatch.left_card?.title).toBe('algorithm');
  const semantic = conflicts.find(({ kind }) => kind === 'semantic')!;
  await ada.call('resolve_conflict', { id: semantic.id, answer: 'keep_right', reason: 'agreed on Redis' });
  await ada.call('resolve_conflict', { id: mismatch.id, answer: 'keep_right', reason: 'the code says so' });
  expect((await ada.call<Conflicts>('list_conflicts')).conflicts).toEqual([]);
  expect((await ada.call<Conflicts>('list_conflicts', { resolved: 'resolved' })).conflicts).toHaveLength(2);
  const { reached } = await ada.call<{ reached: Array<{ card: Card }> }>('traverse', {
    ref: 'file:src/auth/jwt.ts',
    depth: 1,
    types: ['supersedes'],
  });
  expect(reached[0]?.card).toMatchObject({ ref: told.ref, superseded_by: 'file:src/auth/jwt.ts' });
});

test('an agent may settle for the code, never against it', async () => {
  const { agent } = authWorld();
  const bot = agent('bot');
  const told = await remember(bot, { content: 'Tokens use HS256.' });
  const { id } = await (await bot.app.graph()).recordConflict({
    kind: 'source_mismatch',
    left: told.ref,
    right: 'file:src/auth/jwt.ts',
    subject: 's',
    detail: 'd',
  });
  await expect(
    bot.call('resolve_conflict', { id, answer: 'keep_left', reason: 'I say so' }),
  ).rejects.toMatchObject({
    code: 'DENIED',
  });
  await bot.call('resolve_conflict', { id, answer: 'keep_right', reason: 'the code says so' });
  await expect(
    bot.call('resolve_conflict', { id, answer: 'keep_right', reason: 'again' }),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('what could not be verified waits, oldest first, until a person confirms it or rejects it', async () => {
  const { agent, person, clock } = authWorld();
  const [bot, ada] = [agent('bot'), person()];
  const refs: string[] = [];
  for (const text of ['one', 'two']) {
    const { ref } = await remember(bot, { content: `Claim ${text}.`, category: 'decision' });
    await (await bot.app.graph()).recordVerification(ref, {
      verification: 'none',
      confidence: 0.2,
      needsReview: true,
      warnings: [`nothing shows ${text}`],
      contradictions: [{ claim: text, ref: 'file:src/auth/jwt.ts', detail: 'the code has another' }],
    });
    refs.push(ref);
    clock.advance(1000);
  }
  const waiting = async () =>
    (await ada.call<{ waiting: Array<{ ref: string; warnings: string[]; card?: Card }> }>('review_queue'))
      .waiting;
  expect((await waiting()).map(({ ref, warnings }) => [ref, warnings[0]])).toEqual([
    [refs[0], 'nothing shows one'],
    [refs[1], 'nothing shows two'],
  ]);
  await expect(bot.call('confirm_entry', { ref: refs[0] })).rejects.toMatchObject({ code: 'DENIED' });
  expect(await ada.call('confirm_entry', { ref: refs[0] })).toMatchObject({
    verification: 'by_user',
    verdict: 'confirmed',
  });
  await ada.call('confirm_entry', { ref: refs[1], verdict: 'rejected' });
  expect(await waiting()).toEqual([]);
  const entry = await ada.call<{ verification: string }>('get_entry', { id: refs[0] });
  expect(entry.verification).toBe('by_user');
  await expect(ada.call('get_entry', { id: refs[1] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await ada.call('restore_refs', { refs: [refs[1]] });
  expect(await ada.call('get_entry', { id: refs[1] })).toMatchObject({ verification: 'none' });
});

test('what expired is answered as expired, is archived thirty days later, and comes back when it is restored', async () => {
  const { person, clock } = authWorld();
  const ada = person();
  const day = 86_400_000;
  const { ref } = await remember(ada, {
    content: 'The old key works until May.',
    code_references: ['src/auth/jwt.ts'],
  });
  await ada.call('set_expiry', { ref, until: new Date(clock.now() + day).toISOString() });
  const around = async () =>
    (await ada.call<{ reached: Array<{ card: Card }> }>('traverse', { ref: 'src/auth/jwt.ts', depth: 1 }))
      .reached;
  clock.advance(2 * day);
  expect((await around()).map(({ card }) => [card.ref, card.expired])).toEqual([[ref, true]]);
  expect(await ada.call('archive_refs')).toEqual({ archived: [] });
  clock.advance(30 * day);
  expect(await ada.call('archive_refs')).toEqual({ archived: [ref] });
  expect(await around()).toEqual([]);
  await expect(ada.call('get_entry', { id: ref })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await ada.call('restore_refs', { refs: [ref] });
  expect((await around()).map(({ card }) => card.expired)).toEqual([undefined]);
  expect(await ada.call('get_entry', { id: ref })).toMatchObject({ content: 'The old key works until May.' });
});
