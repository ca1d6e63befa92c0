import { expect, test } from 'vitest';
import type { Card } from '../../src/engines/knowledge/index.ts';
import { addTopic, authWorld, remember } from '../support/knowledge.ts';

const day = 86_400_000;
interface Answered {
  question: string;
  level: number;
  tokens: number;
  lines: string[];
}

test('"What patterns does our auth code implement?" is answered from links, without a model', async () => {
  const { person } = authWorld();
  const ada = person();
  const bearer = await addTopic(ada, {
    title: 'JWT Bearer Token Pattern',
    body: 'A signed token in the authorization header.',
    kind: 'best_practice',
  });
  const chain = await addTopic(ada, {
    title: 'Middleware Chain Pattern',
    body: 'Steps in a row, each may refuse.',
    kind: 'best_practice',
  });
  await ada.call('link_refs', {
    source: 'symbol:src/auth/jwt.ts#validateToken',
    type: 'implements_pattern',
    target: bearer,
    weight: 0.85,
  });
  await ada.call('link_refs', {
    source: 'file:src/auth/middleware.ts',
    type: 'implements_pattern',
    target: chain,
  });
  await ada.call('link_refs', { source: 'file:src/shop/cart.ts', type: 'implements_pattern', target: chain });
  const { patterns } = await ada.call<{ patterns: Array<{ pattern: Card; code: Card[] }> }>(
    'get_patterns_for_code',
    {
      subject: 'auth',
      path: 'src/auth',
    },
  );
  expect(patterns.map(({ pattern }) => pattern.title).sort()).toEqual([
    'JWT Bearer Token Pattern',
    'Middleware Chain Pattern',
  ]);
  const where = patterns.flatMap(({ code }) => code.map(({ path }) => path)).sort();
  expect(where).toEqual(['src/auth/jwt.ts', 'src/auth/middleware.ts']);
  const answered = await ada.call<Answered>('answer_across', {
    question: 'What patterns does our auth code implement?',
  });
  expect(answered).toMatchObject({ question: 'patterns', level: 2, tokens: 0 });
  expect(answered.lines.join('\n')).toContain('JWT Bearer Token Pattern');
});

test('"Why did we choose JWT over sessions?" is answered with the decision and what it is based on', async () => {
  const { person } = authWorld();
  const ada = person();
  const rfc = await addTopic(ada, {
    title: 'RFC 7519 JSON Web Token',
    body: 'Compact claims, signed.',
    kind: 'rfc',
  });
  const article = await addTopic(ada, {
    title: 'Stateless Auth at Scale',
    body: 'No shared store.',
    kind: 'blog_post',
  });
  const decision = await remember(ada, {
    content: 'We use JWT instead of server sessions, because services must not share a store.',
    title: 'JWT over sessions',
    category: 'decision',
    derived_from: [rfc],
    code_references: ['src/auth/jwt.ts', article],
  });
  await remember(ada, { content: 'Prices are integers, in cents.', title: 'money', category: 'decision' });
  const { decisions } = await ada.call<{
    decisions: Array<{
      decision: Card;
      sources: Array<{ type: string; card: Card; weight: number }>;
      code: Card[];
    }>;
  }>('get_decision_sources', { subject: 'JWT sessions', limit: 1 });
  expect(decisions).toHaveLength(1);
  expect(decisions[0]!.decision.ref).toBe(decision.ref);
  expect(decisions[0]!.sources.map(({ type, card, weight }) => [type, card.title, weight]).sort()).toEqual([
    ['based_on', 'RFC 7519 JSON Web Token', 0.8],
    ['based_on', 'Stateless Auth at Scale', 0.8],
  ]);
  expect(decisions[0]!.code.map(({ path }) => path)).toEqual(['src/auth/jwt.ts']);
  const answered = await ada.call<Answered>('answer_across', {
    question: 'Why did we choose JWT over sessions?',
  });
  expect(answered).toMatchObject({ question: 'decision', tokens: 0 });
  const asked = await ada.call<{ linked?: string[] }>('ask', {
    question: 'Why did we choose JWT over sessions?',
  });
  expect(asked.linked).toEqual(answered.lines);
  expect(await ada.call('ask', { question: 'where is the token validated?' })).not.toHaveProperty('linked');
  expect(answered.lines.join('\n')).toContain('RFC 7519');
});

test('"What changes did we make to auth code last week?" is answered with code as it stands now', async () => {
  const { person, repository, clock } = authWorld();
  const ada = person();
  await remember(ada, {
    content: 'Started the cart.',
    summary_type: 'feature',
    code_references: ['created:src/shop/cart.ts'],
  });
  await remember(ada, {
    content: 'Old work on tokens.',
    summary_type: 'feature',
    code_references: ['created:src/auth/jwt.ts'],
  });
  clock.advance(20 * day);
  await remember(ada, {
    content: 'Tokens are checked for their algorithm.',
    summary_type: 'bug_fix',
    code_references: ['symbol:src/auth/jwt.ts#validateToken', 'modified:src/auth/jwt.ts'],
  });
  await remember(ada, {
    content: 'Refresh tokens.',
    summary_type: 'feature',
    code_references: ['created:src/auth/refresh.ts'],
  });
  repository.commit(
    'feat(auth): refresh tokens',
    { 'src/auth/refresh.ts': 'export const refresh = (token: string): string => token;\n' },
    { date: Math.floor(clock.now() / 1000) },
  );
  clock.advance(5 * day);
  const { changes } = await ada.call<{ changes: Array<{ code: Card; change: string; by: Card[] }> }>(
    'get_changed_code',
    {
      subject: 'auth',
      since: '7d',
    },
  );
  const told = changes.map(
    ({ code, change }) => `${code.path}${code.kind === 'file' ? '' : `:${code.title}`} ${change}`,
  );
  expect(told.sort()).toEqual([
    'src/auth/jwt.ts modified',
    'src/auth/jwt.ts:validateToken mentioned',
    'src/auth/refresh.ts created',
  ]);
  const refresh = changes.find(({ code }) => code.path === 'src/auth/refresh.ts')!;
  expect(refresh.by.map(({ kind }) => kind).sort()).toEqual(['commit', 'feature']);
  const answered = await ada.call<Answered>('answer_across', {
    question: 'What changes did we make to auth code in the last 7 days?',
  });
  expect(answered).toMatchObject({ question: 'changes', tokens: 0 });
  expect(answered.lines.join('\n')).toContain('src/auth/refresh.ts');
  expect(answered.lines.join('\n')).not.toContain('cart');
});

test('"Have we had issues with this function before?" is answered with outcomes that were bugs or issues', async () => {
  const { person } = authWorld();
  const ada = person();
  const about = 'symbol:src/auth/jwt.ts#validateToken';
  await remember(ada, {
    content: 'A token without expiry was taken.',
    title: 'Token expiry bypass',
    summary_type: 'bug_fix',
    code_references: [about],
  });
  await remember(ada, {
    content: 'Algorithm none was accepted.',
    title: 'Algorithm confusion',
    category: 'failure',
    code_references: [about],
  });
  await remember(ada, {
    content: 'Tokens name the user in sub.',
    title: 'subject claim',
    category: 'decision',
    code_references: [about],
  });
  const { issues } = await ada.call<{ issues: Array<{ issue: Card; fixed: boolean }> }>(
    'get_issues_for_code',
    {
      symbol: 'validateToken',
    },
  );
  expect(issues.map(({ issue, fixed }) => [issue.title, fixed]).sort()).toEqual([
    ['Algorithm confusion', false],
    ['Token expiry bypass', true],
  ]);
  const answered = await ada.call<Answered>('answer_across', {
    question: 'Have we had issues with this function before?',
    about,
  });
  expect(answered).toMatchObject({ question: 'issues', tokens: 0 });
  expect(answered.lines.join('\n')).toMatch(/Token expiry bypass \(fixed\)/);
});

test('an outcome that a task resulted in counts as an issue of the code that the task changed', async () => {
  const { person } = authWorld();
  const ada = person();
  const task = '11111111-2222-4333-8444-555555555555';
  const outcome = await remember(ada, {
    content: 'Logins were lost at midnight.',
    title: 'Midnight logout',
    summary_type: 'bug_fix',
    metadata: { task_id: task },
  });
  await ada.call('link_refs', {
    source: `task:${task}`,
    type: 'modified',
    target: 'file:src/auth/middleware.ts',
  });
  const { issues } = await ada.call<{ issues: Array<{ issue: Card }> }>('get_issues_for_code', {
    symbol: 'src/auth/middleware.ts',
  });
  expect(issues.map(({ issue }) => issue.ref)).toEqual([outcome.ref]);
});

test('a search over all domains puts beside each hit what the other domains know of it, within a path', async () => {
  const { person } = authWorld();
  const ada = person();
  const topic = await addTopic(ada, {
    title: 'Token validation guide',
    body: 'How to validate a bearer token.',
  });
  await ada.call('link_refs', { source: topic, type: 'documents', target: 'file:src/auth/jwt.ts' });
  const fix = await remember(ada, {
    content: 'Validate the token before the user is read.',
    title: 'validate token first',
    category: 'decision',
    code_references: ['src/auth/jwt.ts', topic],
  });
  await remember(ada, { content: 'A token of thanks for each cart.', code_references: ['src/shop/cart.ts'] });
  const search = async (path?: string) =>
    (
      await ada.call<{ results: Array<{ hit: Card; code: Card[]; history: Card[]; references: Card[] }> }>(
        'search_with_context',
        { query: 'validate token', limit: 8, ...(path ? { path } : {}) },
      )
    ).results;
  const found = new Map((await search()).map((one) => [one.hit.ref, one]));
  const refs = (cards: Card[] | undefined) => cards?.map(({ ref }) => ref);
  expect(refs(found.get('file:src/auth/jwt.ts')?.history)).toEqual([fix.ref]);
  expect(refs(found.get('file:src/auth/jwt.ts')?.references)).toEqual([topic]);
  expect(refs(found.get(fix.ref)?.code)).toEqual(['file:src/auth/jwt.ts']);
  expect(refs(found.get(fix.ref)?.references)).toEqual([topic]);
  expect(refs(found.get(topic)?.code)).toEqual(['file:src/auth/jwt.ts']);
  const below = (await search('src/auth')).map(({ hit }) => hit.ref);
  expect(below).toContain(fix.ref);
  expect(below).toContain(topic);
  expect((await search('src/shop')).map(({ hit }) => hit.side)).not.toContain('knowledge');
});
