import { expect, test } from 'vitest';
import type { Card } from '../../src/engines/knowledge/index.ts';
import type { Edge } from '../../src/stores/graph/index.ts';
import { addTopic, authWorld, remember } from '../support/knowledge.ts';
import type { Conversation } from '../support/memory.ts';

const edgesOf = async ({ app }: Conversation, ref: string): Promise<string[]> => {
  const edges: Edge[] = await (await app.graph()).edgesOf(ref, { viewer: { session: '', sees_all: true } });
  return edges
    .filter(({ type }) => type !== 'produced_by')
    .map(
      ({ source, type, target, weight }) =>
        `${source === ref ? '' : 'in '}${type} ${source === ref ? target : source} ${weight}`,
    )
    .sort();
};

interface CodeOf {
  code: Array<{ ref: string; relation: string; state?: string; path?: string; line?: number; was?: string }>;
}

test('storing a summary links it to the code that it modified, created, deleted or is about, at 0.9', async () => {
  const { agent } = authWorld();
  const bot = agent('bot');
  await bot.call('record_file', { path: 'src/auth/jwt.ts', operation: 'modified' });
  const { ref } = await remember(bot, {
    content: 'Split the token code, see src/auth/middleware.ts.',
    summary_type: 'refactoring',
    code_references: ['src/auth/jwt.ts', 'created:src/auth/issue.ts', 'deleted:src/auth/old.ts'],
  });
  expect(await edgesOf(bot, ref)).toEqual([
    'created file:src/auth/issue.ts 0.9',
    'deleted file:src/auth/old.ts 0.9',
    'modified file:src/auth/jwt.ts 0.9',
    'referenced_in file:src/auth/middleware.ts 0.9',
  ]);
  const { code } = await bot.call<CodeOf>('get_code_for_history', { history_id: ref });
  expect(code.map(({ relation }) => relation).sort()).toEqual([
    'created',
    'deleted',
    'modified',
    'referenced_in',
  ]);
});

test('a decision is based on the research it names (0.8), and code implements a pattern it is told for (0.85)', async () => {
  const { person } = authWorld();
  const ada = person();
  const topic = await addTopic(ada, { title: 'Hashing passwords', body: 'Use argon2.' });
  const decision = await remember(ada, {
    content: 'Argon2 it is.',
    category: 'decision',
    derived_from: [topic],
  });
  expect(await edgesOf(ada, decision.ref)).toEqual([`based_on ${topic} 0.8`]);
  const pattern = await remember(ada, {
    content: 'Check, then act.',
    category: 'pattern',
    code_references: ['src/auth/jwt.ts'],
  });
  expect(await edgesOf(ada, pattern.ref)).toEqual([
    'in implements_pattern file:src/auth/jwt.ts 0.85',
    'referenced_in file:src/auth/jwt.ts 0.9',
  ]);
});

test('files that import a documented package are linked to its documentation, as the code stands', async () => {
  const { person, repository } = authWorld();
  const ada = person();
  const topic = await addTopic(ada, {
    title: 'jsonwebtoken',
    body: 'Sign and verify.',
    library: 'jsonwebtoken',
  });
  await ada.call('index_repository');
  expect(await edgesOf(ada, topic)).toEqual(['in uses_library file:src/auth/jwt.ts 1']);
  const { references } = await ada.call<{ references: Array<{ type: string; card: Card }> }>(
    'get_references_for_code',
    {
      ref: 'src/auth/jwt.ts',
    },
  );
  expect(references.map(({ type, card }) => [type, card.title])).toEqual([['uses_library', 'jsonwebtoken']]);
  repository.commit('refactor: no tokens', {
    'src/auth/jwt.ts': 'export const validateToken = () => true;\n',
  });
  await ada.call('index_repository');
  expect(await edgesOf(ada, topic)).toEqual([]);
});

test('entries from before links were kept, or imported, are linked with the next one', async () => {
  const { person } = authWorld();
  const ada = person();
  const { chronicle } = await ada.app.memory();
  const old = await chronicle.store({
    session_id: 'ses_old',
    category: 'decision',
    content: 'An old decision.',
    refs: ['file:src/auth/jwt.ts'],
    source: 'ada',
    source_kind: 'person',
  });
  expect(await edgesOf(ada, `entry:${old.entry.id}`)).toEqual([]);
  await remember(ada, { content: 'A new one.' });
  expect(await edgesOf(ada, `entry:${old.entry.id}`)).toEqual(['referenced_in file:src/auth/jwt.ts 0.9']);
});

test('links follow a file across renames: asked by either name, answered by the name it has now', async () => {
  const { person, repository } = authWorld();
  const ada = person();
  const { ref } = await remember(ada, {
    content: 'Tokens are checked here.',
    code_references: ['src/auth/jwt.ts', 'symbol:src/auth/jwt.ts#validateToken'],
  });
  repository.git('mv', 'src/auth/jwt.ts', 'src/auth/token.ts');
  repository.commit('refactor: a better name');
  await ada.call('index_repository');
  const { code } = await ada.call<CodeOf>('get_code_for_history', { history_id: ref });
  expect(code.map(({ ref: now, state, was }) => [now, state, was]).sort()).toEqual([
    ['file:src/auth/token.ts', 'moved', 'file:src/auth/jwt.ts'],
    ['symbol:src/auth/token.ts#validateToken', 'moved', 'symbol:src/auth/jwt.ts#validateToken'],
  ]);
  for (const asked of [
    'file:src/auth/token.ts',
    'file:src/auth/jwt.ts',
    'symbol:src/auth/token.ts#validateToken',
  ]) {
    const { reached } = await ada.call<{ reached: Array<{ card: Card }> }>('traverse', {
      ref: asked,
      depth: 1,
      types: ['referenced_in'],
    });
    expect(
      reached.map(({ card }) => card.ref),
      asked,
    ).toEqual([ref]);
  }
});

test('a ref that is lost answers with its last known place', async () => {
  const { person, repository } = authWorld();
  const ada = person();
  await ada.call('index_repository');
  const { ref } = await remember(ada, {
    content: 'Tokens are issued here.',
    code_references: ['symbol:src/auth/jwt.ts#issueToken', 'src/shop/cart.ts'],
  });
  repository.commit('refactor: gone', {
    'src/auth/jwt.ts': '/** Nothing is issued any more. */\nexport const validateToken = () => true;\n',
    'src/shop/cart.ts': null,
  });
  await ada.call('index_repository');
  const { code } = await ada.call<CodeOf>('get_code_for_history', { history_id: ref });
  expect(code.sort((a, b) => (a.ref < b.ref ? -1 : 1))).toEqual([
    { ref: 'file:src/shop/cart.ts', relation: 'referenced_in', state: 'lost', path: 'src/shop/cart.ts' },
    {
      ref: 'symbol:src/auth/jwt.ts#issueToken',
      relation: 'referenced_in',
      state: 'lost',
      path: 'src/auth/jwt.ts',
      line: 9,
    },
  ]);
});

test('a long walk comes in pages within the reply budget, each thing once, and a foreign cursor is refused', async () => {
  const { person } = authWorld();
  const ada = person();
  const graph = await ada.app.graph();
  await graph.linkAll(
    Array.from({ length: 300 }, (_, at) => ({
      source: `task:t-${at}`,
      target: 'file:src/auth/jwt.ts',
      type: 'modified',
      by: 'ada',
    })),
  );
  const seen = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const reply: { reached: Array<{ card: Card }>; total: number; next_cursor?: string } = await ada.call(
      'traverse',
      {
        ref: 'src/auth/jwt.ts',
        depth: 1,
        max_tokens: 1500,
        ...(cursor ? { cursor } : {}),
      },
    );
    expect(reply.total).toBe(300);
    for (const { card } of reply.reached) seen.add(card.ref);
    cursor = reply.next_cursor;
    pages++;
  } while (cursor);
  expect(seen.size).toBe(300);
  expect(pages).toBeGreaterThan(3);
  const other = await ada.call<{ next_cursor: string }>('traverse', {
    ref: 'src/auth/jwt.ts',
    depth: 1,
    max_tokens: 1500,
  });
  await expect(
    ada.call('traverse', { ref: 'src/auth/jwt.ts', depth: 2, max_tokens: 1500, cursor: other.next_cursor }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('sources are a numbered chain that says what each is and how far it holds', async () => {
  const { person, clock } = authWorld();
  const ada = person();
  const rfc = await addTopic(ada, { title: 'RFC 7519', body: 'JSON Web Token.', kind: 'rfc' });
  const base = await remember(ada, { content: 'Read the standard.', title: 'research', derived_from: [rfc] });
  clock.advance(45 * 86_400_000);
  const made = await remember(ada, {
    content: 'We use RS256.',
    category: 'decision',
    derived_from: [base.ref, 'symbol:src/auth/jwt.ts#validateToken'],
  });
  await (await ada.app.graph()).recordSources(made.ref, [{ type: 'llm_inference', confidence: 0.3 }]);
  const { sources } = await ada.call<{ sources: Array<{ line: string; depth: number }> }>('get_sources', {
    ref: made.ref,
  });
  expect(sources.map(({ line, depth }) => [depth, line])).toEqual([
    [1, '[1] History: 2026-01-01 research (45 days old) via history lookup'],
    [1, '[2] Code: src/auth/jwt.ts:4-7 (verified, current) via code analysis'],
    [1, '[3] Inference: no further source ⚠️ UNVERIFIED via inference'],
    [2, '[4] Academic: RFC 7519 (authoritative) via external reference'],
  ]);
});

test('deleting a topic takes its links with it', async () => {
  const { person } = authWorld();
  const ada = person();
  const topic = await addTopic(ada, { title: 'Short lived', body: 'Soon gone.' });
  await ada.call('link_refs', { source: topic, type: 'documents', target: 'file:src/auth/jwt.ts' });
  await ada.call('reference_topic_delete', { topic: topic.replace('topic:', '') });
  expect(await edgesOf(ada, 'file:src/auth/jwt.ts')).toEqual([]);
});

test('a walk crosses from what was decided to what the code itself says: callers, imports, what a file defines', async () => {
  const { person } = authWorld();
  const ada = person();
  const { ref } = await remember(ada, {
    content: 'Tokens are checked in one place.',
    code_references: ['symbol:src/auth/jwt.ts#validateToken'],
  });
  const walk = async (from: string, types: string[], direction: string, depth = 2) =>
    (
      await ada.call<{ reached: Array<{ card: Card; depth: number; type: string }> }>('traverse', {
        ref: from,
        types,
        direction,
        depth,
      })
    ).reached.map(({ card, depth: at, type }) => `${at} ${type} ${card.ref}`);
  expect(await walk(ref, ['referenced_in', 'calls'], 'both')).toEqual([
    '1 referenced_in symbol:src/auth/jwt.ts#validateToken',
    '2 calls symbol:src/auth/middleware.ts#authenticate',
  ]);
  expect(await walk('src/auth/middleware.ts', ['imports', 'defines'], 'out')).toEqual([
    '1 imports symbol:src/auth/jwt.ts#validateToken',
    '1 imports file:src/auth/jwt.ts',
    '1 defines symbol:src/auth/middleware.ts#authenticate',
    '2 defines symbol:src/auth/jwt.ts#issueToken',
  ]);
  expect(await walk('symbol:src/auth/jwt.ts#issueToken', ['defined_in'], 'out', 1)).toEqual([
    '1 defines file:src/auth/jwt.ts',
  ]);
});

test('the story of code has what was linked to it by hand, also under the name it had before', async () => {
  const { person, repository } = authWorld();
  const ada = person();
  const { ref } = await remember(ada, { content: 'Nobody names a file here.', title: 'by hand' });
  await ada.call('link_refs', {
    source: ref,
    type: 'modified',
    target: 'symbol:src/auth/jwt.ts#validateToken',
  });
  const told = await remember(ada, { content: 'This one does.', code_references: ['src/auth/jwt.ts'] });
  repository.git('mv', 'src/auth/jwt.ts', 'src/auth/token.ts');
  repository.commit('refactor: a better name');
  await ada.call('index_repository');
  const { history } = await ada.call<{ history: Array<{ kind: string; ref: string }> }>(
    'get_history_for_code',
    {
      symbol_id: 'symbol:src/auth/token.ts#validateToken',
    },
  );
  const entries = history.filter(({ kind }) => kind === 'entry').map((one) => one.ref);
  expect(entries.sort()).toEqual([ref, told.ref].sort());
});
