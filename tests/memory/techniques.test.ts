import { describe, expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';

describe('1. Scratchpad Memory', () => {
  test('a note is read back, `all` reads every note, an absent one does not exist, and a time to live ends it', async () => {
    const { agent, clock } = conversations();
    const one = agent('client');
    await one.call('scratchpad_write', { key: 'tried_failed', note: 'Redis 5' });
    await one.call('scratchpad_write', { key: 'short', note: 'gone soon', ttl_seconds: 60 });
    expect(await one.call('scratchpad_read', { key: 'tried_failed' })).toEqual({
      exists: true,
      content: 'Redis 5',
    });
    expect(await one.call('scratchpad_read', { key: 'nothing' })).toEqual({ exists: false });
    expect((await one.call<{ notes: unknown[] }>('scratchpad_read', { key: 'all' })).notes).toHaveLength(2);
    clock.advance(61_000);
    expect(await one.call('scratchpad_read', { key: 'short' })).toEqual({ exists: false });
  });
});

describe('4. Mistake Memory', () => {
  const mistake = {
    pattern: 'storing auth tokens in localStorage',
    error: 'readable by injected script',
    fix: 'httpOnly cookies',
    tags: ['auth'],
  };

  test('a new mistake has confidence 0.7; reported again it is seen oftener, surer, and by every session', async () => {
    const { agent } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    for (const each of [one, two]) await each.call('create_session', { name: 'private' });
    expect(await one.call('report_mistake', mistake)).toMatchObject({
      recorded: true,
      occurrences: 1,
      confidence: 0.7,
    });
    expect(
      await two.call('check_mistakes', { approach: 'using localStorage for auth tokens' }),
    ).toMatchObject({ known_issues: false, safe_to_proceed: true });
    expect(await two.call('report_mistake', mistake)).toMatchObject({ occurrences: 2, confidence: 0.75 });
    const warned = await two.call<{ known_issues: boolean; warnings: unknown[] }>('check_mistakes', {
      approach: 'using localStorage for auth tokens',
    });
    expect(warned).toMatchObject({
      known_issues: true,
      safe_to_proceed: false,
      warnings: [{ fix: 'httpOnly cookies', occurrences: 2 }],
    });
    expect(
      await agent('three').call('check_mistakes', { approach: 'using localStorage for auth tokens' }),
    ).toMatchObject({ known_issues: true });
  });

  test('told by a person it warns everybody at once', async () => {
    const { agent, person } = conversations();
    await person().call('report_mistake', mistake);
    expect(
      await agent('any').call('check_mistakes', { approach: 'put auth tokens into localStorage' }),
    ).toMatchObject({ known_issues: true });
    expect(await agent('any').call('check_mistakes', { approach: 'draw the sky in blue' })).toMatchObject({
      known_issues: false,
    });
  });
});

describe('6. User Preference Learning', () => {
  test('accepted starts at 0.6 and adds 0.1 up to 1, rejected takes 0.2 down to 0, with evidence', async () => {
    const one = conversations().agent('client');
    const feedback = (response: string, suggestion = 'early return') =>
      one.call<{ implicit: Record<string, { value: string; confidence: number; evidence: string[] }> }>(
        'report_feedback',
        { category: 'error_handling', suggestion, response },
      );
    expect((await feedback('accepted')).implicit['error_handling']).toMatchObject({
      value: 'early return',
      confidence: 0.6,
    });
    expect((await feedback('accepted')).implicit['error_handling']?.confidence).toBe(0.7);
    expect((await feedback('rejected')).implicit['error_handling']?.confidence).toBe(0.5);
    expect((await feedback('rejected', 'something else')).implicit['error_handling']?.confidence).toBe(0.5);
    for (let n = 0; n < 6; n++) await feedback('accepted');
    const sure = (await feedback('accepted')).implicit['error_handling']!;
    expect(sure.confidence).toBe(1);
    expect(sure.evidence).toContain('rejected: early return');
    for (let n = 0; n < 6; n++) await feedback('rejected');
    expect((await feedback('rejected')).implicit['error_handling']?.confidence).toBe(0);
  });

  test('what was said stands beside what was learnt; an override holds for its session only', async () => {
    const { agent, person } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    await person().call('set_preference', { category: 'code_style.quotes', preference: 'single' });
    await one.call('set_preference', {
      category: 'code_style.quotes',
      preference: 'double',
      this_session_only: true,
    });
    expect(await one.call('get_preferences', { category: 'code_style' })).toMatchObject({
      explicit: { 'code_style.quotes': 'single' },
      session_overrides: { 'code_style.quotes': 'double' },
    });
    expect(await two.call('get_preferences')).toMatchObject({
      explicit: { 'code_style.quotes': 'single' },
      session_overrides: {},
    });
  });
});

describe('9. Task Continuity', () => {
  test('resume restores the scratchpad and names the next step; without a checkpoint it says so', async () => {
    const { agent } = conversations();
    const one = agent('client');
    expect(await one.call('resume_task', { task_id: 'latest' })).toMatchObject({ found: false });
    await one.call('record_file', { path: 'auth/types.go', operation: 'read' });
    await one.call('record_file', { path: 'auth/middleware.go', operation: 'modified' });
    await one.call('scratchpad_write', { key: 'token_expiry', note: '15 minutes' });
    const saved = await one.call<{ id: string }>('save_checkpoint', {
      summary: 'middleware done',
      completed: ['types'],
      next_steps: ['login handler', 'tests'],
      status: 'paused',
      decisions: [{ question: 'which tokens', choice: 'JWT', reason: 'mobile' }],
    });
    await one.call('scratchpad_write', { key: 'token_expiry', note: 'forgotten' });
    const resumed = await one.call('resume_task', { task_id: saved.id });
    expect(resumed).toMatchObject({
      found: true,
      summary: 'middleware done',
      status: 'paused',
      files_read: ['auth/types.go'],
      files_modified: ['auth/middleware.go'],
      decisions: [{ choice: 'JWT' }],
      hint: 'Continue with: login handler',
      from: 'this session',
    });
    expect(await one.call('scratchpad_read', { key: 'token_expiry' })).toMatchObject({
      content: '15 minutes',
    });
  });

  test('files that were read are in the checkpoint, without being told', async () => {
    const { agent, repository } = conversations();
    repository.commit('x', { 'README.md': '# A\n', 'src/auth.ts': 'export {};\n' });
    const one = agent('client');
    await one.call('get_file', { path: 'README.md' });
    await one.call('get_file', { path: 'README.md' });
    await agent('other').call('get_file', { path: 'src/auth.ts' });
    expect(await one.call('list_read_files')).toMatchObject({ files: [{ path: 'README.md', times: 2 }] });
    await one.call('save_checkpoint', { summary: 'read', completed: [], next_steps: [] });
    expect(await one.call('resume_task')).toMatchObject({ files_read: ['README.md'] });
  });

  test('`latest` is this session, else the same client in this repository, never another client', async () => {
    const { agent } = conversations();
    const one = agent('client');
    await one.call('save_checkpoint', { summary: 'first', completed: [], next_steps: [] });
    await one.call('create_session', { name: 'another' });
    expect(await one.call('resume_task')).toMatchObject({
      found: true,
      summary: 'first',
      from: 'another session',
      hint: 'All planned steps are done.',
    });
    expect(await agent('stranger').call('resume_task')).toMatchObject({ found: false });
  });
});
