import { expect, test } from 'vitest';
import { allOperations } from '../../src/operations/list.ts';
import { addTopic, authWorld, remember } from '../support/knowledge.ts';

const canary = 'canary-9d41c7';

test('what belongs to one session is in no answer over links to another, and the owner still has it', async () => {
  const { agent, person } = authWorld();
  const [owner, stranger, ada] = [agent('owner'), agent('stranger'), person()];
  await owner.call('create_session', { name: 'private' });
  const topic = await addTopic(ada, { title: 'Shared guide', body: 'How tokens are validated.' });
  const own = await remember(stranger, {
    content: 'Tokens are validated.',
    category: 'general',
    code_references: ['src/auth/jwt.ts'],
  });
  const secret = await remember(owner, {
    content: `${canary}: tokens are validated in secret.`,
    title: `${canary} decision about tokens`,
    category: 'decision',
    code_references: ['modified:src/auth/jwt.ts', 'symbol:src/auth/jwt.ts#validateToken', topic],
    derived_from: [topic],
  });
  const failure = await remember(owner, {
    content: `${canary} broke`,
    title: `${canary} failure`,
    category: 'failure',
    code_references: ['src/auth/jwt.ts', secret.ref],
  });
  await owner.call('link_refs', {
    source: 'file:src/auth/jwt.ts',
    type: 'related_to',
    target: 'file:src/shop/cart.ts',
    metadata: { why: canary },
  });
  const graph = await owner.app.graph();
  const conflict = await graph.recordConflict({
    kind: 'source_mismatch',
    left: secret.ref,
    right: 'file:src/auth/jwt.ts',
    subject: canary,
    detail: `${canary} is not in the code`,
  });
  await graph.recordVerification(secret.ref, {
    verification: 'none',
    confidence: 0.1,
    needsReview: true,
    warnings: [canary],
    contradictions: [{ claim: canary, detail: canary }],
  });
  const operations = (await allOperations()).filter(({ toolset }) => toolset === 'knowledge');
  const asked: Record<string, object[]> = {
    traverse: ['file:src/auth/jwt.ts', topic, secret.ref, 'file:src/shop/cart.ts'].map((ref) => ({
      ref,
      depth: 4,
    })),
    get_sources: [{ ref: secret.ref }, { ref: failure.ref }],
    get_references: [{ ref: 'src/auth/jwt.ts' }, { ref: secret.ref }],
    search_with_context: [{ query: 'tokens validated' }, { query: canary }],
    answer_across: [
      ...['Why tokens?', 'issues with validateToken', 'what changed in auth recently'].map((question) => ({
        question,
      })),
      { kind: 'patterns', subject: 'tokens' },
      { kind: 'decision', subject: 'tokens' },
      { kind: 'changes', subject: 'auth', since: '30d' },
      { kind: 'issues', subject: 'validateToken' },
      { kind: 'issues', subject: 'src/auth/jwt.ts' },
    ],
    list_conflicts: [{ resolved: 'all' }, { refs: ['file:src/auth/jwt.ts'] }],
    resolve_conflict: [{ id: conflict.id, answer: 'keep_left', reason: 'x' }],
    review_queue: [{}],
    link_refs: [
      { source: secret.ref, type: 'related_to', target: 'file:src/auth/jwt.ts' },
      { source: 'file:src/auth/jwt.ts', type: 'related_to', target: 'file:src/shop/cart.ts', remove: true },
    ],
    set_expiry: [{ ref: secret.ref, until: 'never' }],
  };
  const forPersons = ['confirm_entry', 'archive_refs'];
  expect([...Object.keys(asked), ...forPersons].sort()).toEqual(operations.map(({ name }) => name).sort());
  for (const [name, inputs] of Object.entries(asked))
    for (const input of inputs) {
      const reply = await stranger
        .call(name, input)
        .catch((error) => ({ message: error.message, hint: error.hint }));
      const told = JSON.stringify(reply)
        .replaceAll(JSON.stringify(input).slice(1, -1), '')
        .replaceAll(secret.ref, '');
      if (!JSON.stringify(input).includes(canary))
        expect(told, `${name} ${JSON.stringify(input)}`).not.toContain(canary);
      expect(told.replaceAll(failure.ref, ''), name).not.toContain(secret.ref);
    }
  const around = { ref: 'file:src/auth/jwt.ts', depth: 2 };
  const strange = JSON.stringify(await stranger.call('get_neighbourhood', around));
  expect(strange).not.toContain(secret.ref);
  expect(strange).not.toContain(canary);
  expect(JSON.stringify(await owner.call('get_neighbourhood', around))).toContain(secret.ref);
  const walk = await owner.call('traverse', { ref: 'src/auth/jwt.ts', depth: 2 });
  for (const ref of [secret.ref, failure.ref, 'file:src/shop/cart.ts'])
    expect(JSON.stringify(walk)).toContain(ref);
  expect(JSON.stringify(walk)).not.toContain(own.ref);
  expect(JSON.stringify(await owner.call('list_conflicts'))).toContain(conflict.id);
  expect(JSON.stringify(await owner.call('review_queue'))).toContain(secret.ref);
});

test('an agent cannot change or take away a link that is for all', async () => {
  const { agent, person } = authWorld();
  const [bot, ada] = [agent('bot'), person()];
  const link = { source: 'file:src/auth/jwt.ts', type: 'related_to', target: 'file:src/shop/cart.ts' };
  await ada.call('link_refs', { ...link, weight: 0.6 });
  await bot.call('link_refs', { ...link, weight: 0.1, metadata: { mine: true } });
  const weightFor = async (caller: typeof ada) =>
    (await caller.call<{ reached: Array<{ weight: number }> }>('traverse', { ref: link.source, depth: 1 }))
      .reached;
  expect((await weightFor(ada)).map(({ weight }) => weight)).toEqual([0.6]);
  expect(await bot.call('unlink_refs', link)).toEqual({ removed: true });
  await expect(bot.call('unlink_refs', link)).rejects.toMatchObject({ code: 'DENIED' });
  expect(await ada.call('unlink_refs', link)).toEqual({ removed: true });
});

test('links that an agent made are for all once its session ended well', async () => {
  const { agent } = authWorld();
  const [bot, other] = [agent('bot'), agent('other')];
  const link = { source: 'file:src/auth/jwt.ts', type: 'related_to', target: 'file:src/shop/cart.ts' };
  const { id } = await bot.call<{ id: string }>('create_session', { name: 'work' });
  await bot.call('switch_session', { id }).catch(() => {});
  await bot.call('link_refs', { ...link, session: id });
  const total = async () =>
    (await other.call<{ total: number }>('traverse', { ref: link.source, depth: 1 })).total;
  expect(await total()).toBe(0);
  await bot.call('complete_session', { id });
  expect(await total()).toBe(1);
});
