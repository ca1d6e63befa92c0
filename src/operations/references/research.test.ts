import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openApp } from '../../app.ts';
import { runOperation } from '../run.ts';

/** A project, and a shelf with a best practice, a paper and a blog post about the same thing. */
async function library() {
  const home = temporaryDirectory('home');
  writeFileSync(join(home, 'config.yaml'), 'approvals:\n  rules: [{ action: allow }]\n');
  const project = testRepository();
  project.commit('feat: retry failed requests with backoff', {
    'package.json': '{"name":"app","dependencies":{"retrykit":"^1.0.0"}}\n',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { retrykit: '^1.0.0' } },
        'node_modules/retrykit': { version: '1.4.2' },
      },
    }),
    'src/retry.ts':
      'export async function retryRequest(work: () => Promise<void>) {\n  // retry logic with exponential backoff\n  for (let attempt = 0; attempt < 3; attempt++) await work();\n}\n',
  });
  const app = openApp({ directory: project.path, env: { ...process.env, SYLK_HOME: home } });
  onTestFinished(() => app.close());
  const call = async (name: string, input: object): Promise<Record<string, never>> => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'agent', name: 'client' } });
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome.output as never;
  };
  const shelve = async (title: string, text: string, more: object) => {
    const source = temporaryDirectory('source');
    writeFileSync(join(source, 'text.md'), text);
    return call('reference_topic_create', {
      title,
      body: title,
      sources: [{ type: 'local', path: source }],
      ...more,
    });
  };
  await shelve(
    'Retry patterns',
    '# Retry logic\n\nRetry with exponential backoff, `jitter` and a `circuit_breaker`; cap the attempts.\n',
    { kind: 'best_practice', tags: ['retry', 'backoff'] },
  );
  await shelve(
    'Exponential backoff revisited',
    '# Abstract\n\nWe study retry logic under contention and show that jitter halves collisions.\n',
    { kind: 'paper', authors: ['A. Author'], published_at: '2019-05-01', venue: 'SIGCOMM' },
  );
  await shelve('My week with retries', '# Retry logic\n\nI retried everything for ever. It went badly.\n', {
    kind: 'blog_post',
  });
  await shelve('Retrykit manual', '# Retry logic\n\nCall `retrykit.run` for retry logic with backoff.\n', {
    library: 'retrykit',
    library_version: '2.1.0',
  });
  return { app, call };
}

test('research answers ranked, cited passages, from the kinds that were asked for', async () => {
  const { call } = await library();
  type Found = {
    findings: Array<{ n: number; kind: string; trust: number; topic: string }>;
    by_focus: Array<{ focus: string; findings: unknown[] }>;
  };
  const all = (await call('research', {
    query: 'retry logic with backoff',
    depth: 'deep',
    focus_areas: ['jitter'],
  })) as unknown as Found;
  expect(new Set(all.findings.map(({ kind }) => kind))).toEqual(
    new Set(['best_practice', 'paper', 'blog_post', 'documentation']),
  );
  expect(all.findings.map(({ n }) => n)).toEqual(all.findings.map((_, at) => at + 1));
  expect(all.by_focus).toMatchObject([{ focus: 'jitter' }]);
  expect(all.findings.find(({ kind }) => kind === 'blog_post')?.trust).toBe(30);
  const without = (await call('research', {
    topic: 'retry logic',
    include_papers: false,
    depth: 1,
  })) as unknown as Found;
  expect(without.findings.map(({ kind }) => kind)).not.toContain('paper');
});

test('best practices come from best practices and documentation, papers with author, year and venue', async () => {
  const { call } = await library();
  const practices = (await call('best_practices', { topic: 'retry logic', technology: 'TypeScript' }))[
    'findings'
  ] as unknown as Array<{ kind: string }>;
  expect(new Set(practices.map(({ kind }) => kind))).toEqual(new Set(['best_practice', 'documentation']));
  expect(
    await call('find_papers', { query: 'retry contention', min_year: 2018, venues: ['sigcomm'] }),
  ).toMatchObject({
    papers: [
      {
        title: 'Exponential backoff revisited',
        authors: ['A. Author'],
        venue: 'SIGCOMM',
        passages: [{ n: 1 }],
      },
    ],
  });
  expect(await call('find_papers', { query: 'retry contention', min_year: 2022 })).toMatchObject({
    papers: [],
  });
});

test('approaches are compared side by side, criterion by criterion', async () => {
  const { call } = await library();
  expect(
    await call('compare', {
      approaches: ['exponential backoff', 'retry for ever'],
      criteria: ['collisions'],
    }),
  ).toMatchObject({
    approaches: [
      { approach: 'exponential backoff', criteria: [{ criterion: 'collisions' }] },
      { approach: 'retry for ever' },
    ],
  });
  await expect(call('compare_approaches', { approaches: ['one'] })).rejects.toThrow('VALIDATION_ERROR');
});

test('theory stands beside practice: best practice, how this code base does it, and the gaps', async () => {
  const { call } = await library();
  const answer = await call('synthesize_with_codebase', { topic: 'retry logic', show_gaps: true });
  expect(answer).toMatchObject({
    theory: expect.arrayContaining([expect.objectContaining({ topic: 'Retry patterns' })]),
  });
  expect((answer['practice'] as unknown as Array<{ ref: string }>)[0]?.ref).toContain('src/retry.ts');
  expect(answer['gaps']).toContain('circuit_breaker');
  expect(await call('get_code_for_academic', { academic_id: 'topic-retry-patterns' })).toMatchObject({
    code: expect.arrayContaining([expect.objectContaining({ ref: expect.stringContaining('src/retry.ts') })]),
  });
  const { history } = await call('get_history_for_academic', { academic_id: 'topic:topic-retry-patterns' });
  expect(JSON.stringify(history)).toContain('retry failed requests');
});

test('a reference about another version than the locked one is marked', async () => {
  const { call } = await library();
  const warnings = ['Retrykit manual documents retrykit 2.1.0, but this project uses 1.4.2.'];
  expect(await call('reference_search', { question: 'retrykit.run', topic: 'retrykit' })).toMatchObject({
    warnings,
  });
  expect(await call('check_dependency', { need: 'retrykit' })).toMatchObject({ warnings });
  await call('reference_topic_update', { topic_id: 'topic-retrykit-manual', status: 'obsolete' });
  expect(await call('check_dependency', { need: 'retrykit' })).toMatchObject({
    packages: [{ name: 'retrykit' }],
    warnings: [],
  });
});
