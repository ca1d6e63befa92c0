import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { allRows, databases, openForTest } from '../../../tests/support/libraries.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { fixedClock } from '../../base/clock.ts';
import { contentItem, digestOf } from '../../base/content-item.ts';
import {
  type ApprovalReason,
  type Approvals,
  approvalPrompt,
  formatApprovalReason,
  openApprovals,
  type PermitRequest,
  parseApprovalReason,
  trustedContent,
} from './index.ts';
import { type ApprovalPolicy, judge } from './policy.ts';
import type { ApprovalTables } from './tables.ts';

const asked = (change: Partial<PermitRequest> = {}): PermitRequest => ({
  reason: { type: 'reference_topic_create', title: 'Dioxus', summary: '1,247 files, ~98 MB' },
  targets: [{ kind: 'git', target: 'https://github.com/DioxusLabs/dioxus', resolved: 'a1b2c3' }],
  digest: 'digest-1',
  files: 1247,
  bytes: 98_000_000,
  repository: '/home/ada/app',
  requestedBy: 'agent',
  ...change,
});

async function refused(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; data: Record<string, string> }> {
  return (await work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error) => error,
  )) as never;
}

const askedId = async (approvals: Approvals, change = {}): Promise<string> =>
  (await refused(approvals.permit(asked(change)))).data['approval_id']!;

test('what was trusted is read from the file before anything is open', async () => {
  const path = join(temporaryDirectory('trust'), 'library.db');
  const library = openForTest(path);
  const policy = { rules: [], restrict: [] };
  const approvals = openApprovals({ library, clock: fixedClock(), policy, expireHours: 24 });
  const item = contentItem('config.yaml embedding.endpoint_url', 'https://a.example');
  await approvals.trustContent({ path: '/home/ada/app', items: [item], by: 'ada' });
  expect(trustedContent(path, '/home/ada/app')).toEqual(new Map([[item.item, item.digest]]));
  expect(trustedContent(path, '/home/ada/other')).toEqual(new Map());
});

test('trust is not there in doubt: no library, a foreign file, a damaged one', () => {
  const directory = temporaryDirectory('trust');
  expect(trustedContent(join(directory, 'none.db'), directory)).toEqual(new Map());
  writeFileSync(join(directory, 'odd.db'), 'this is not a database, and longer than a header would be');
  expect(trustedContent(join(directory, 'odd.db'), directory)).toEqual(new Map());
});

describe.each(databases)('on $name', ({ freshUrl }) => {
  async function open(policy: Partial<ApprovalPolicy> = {}, url?: string) {
    const clock = fixedClock();
    const told: string[] = [];
    const path = url ?? (await freshUrl());
    const library = openForTest(path);
    const approvals = openApprovals({
      library,
      clock,
      policy: { rules: [], restrict: [], ...policy },
      expireHours: 24,
      told: ({ status }) => told.push(status),
    });
    return { approvals, clock, path, library, told };
  }

  test('an answer "always" is kept for its repository, as offered or by first words, and can be taken back', async () => {
    const { approvals } = await open();
    const always = [{ tool: 'run_command', command: 'npm run build' }];
    const ask = async (change: Partial<PermitRequest> = {}) => askedId(approvals, { always, ...change });
    const yes = { decision: 'approved', by: 'ada' } as const;
    await approvals.answer(await ask(), { ...yes, always: {} });
    await approvals.answer(await ask({ digest: '2' }), { ...yes, always: { begins: ' npm  run' } });
    await approvals.answer(await ask({ digest: '3' }), { ...yes, decision: 'denied', always: {} });
    const wrong = await ask({ digest: '4' });
    for (const begins of ['npm ru', '', 'rm', 'npm run build x'])
      expect(await refused(approvals.answer(wrong, { ...yes, always: { begins } }))).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    expect(await approvals.get(wrong)).toMatchObject({ status: 'pending', always });
    const secret = [{ tool: 'run_command', command: `curl -u x:ghp_${'a1B2'.repeat(9)} a` }];
    const hidden = await ask({ digest: '5', always: secret });
    expect(await refused(approvals.answer(hidden, { ...yes, always: {} }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const kept = await approvals.standing('/home/ada/app');
    expect(kept).toMatchObject([
      { tool: 'run_command', command: 'npm run build', exact: true, given_by: 'ada', decision: 'approved' },
      { tool: 'run_command', command: 'npm run', exact: false, decision: 'approved' },
      { tool: 'run_command', command: 'npm run build', exact: true, decision: 'denied' },
    ]);
    expect(await approvals.standing('/home/ada/other')).toEqual([]);
    await approvals.endStanding(kept[0]?.id ?? '');
    expect(await approvals.standing()).toHaveLength(2);
    expect(await refused(approvals.endStanding(kept[0]?.id ?? ''))).toMatchObject({ code: 'NOT_FOUND' });
  });

  describe('the text form of an approval', () => {
    test('APPROVAL_REQUIRED:REFERENCE_TOPIC_CREATE:{summary} stands first', () => {
      expect(formatApprovalReason(asked().reason)).toMatch(
        /^APPROVAL_REQUIRED:REFERENCE_TOPIC_CREATE:1,247 files, ~98 MB\n/,
      );
    });

    test('every reason survives being written and read: workspace escape, topic, others', () => {
      const line = fc.string().map((text) => text.replace(/\s+/g, ' ').trim());
      const reasons: fc.Arbitrary<ApprovalReason> = fc.oneof(
        fc.record({ type: fc.constant('workspace_escape' as const), path: fc.string({ minLength: 1 }) }),
        fc.record({
          type: fc.constant('reference_topic_create' as const),
          title: fc.string(),
          summary: line,
        }),
        fc.record({
          type: fc.constant('other' as const),
          kind: fc.constantFrom('SKILL_HEADER', 'LARGE_DELETE'),
          title: fc.string(),
          summary: line,
        }),
      );
      fc.assert(
        fc.property(reasons, (reason) => {
          expect(parseApprovalReason(`Error: ${formatApprovalReason(reason)}`)).toEqual(reason);
        }),
        { seed: 7, numRuns: 500 },
      );
    });

    test('the short form with a bare path means an escape from the workspace', () => {
      expect(parseApprovalReason('APPROVAL_REQUIRED:/etc/hosts')).toEqual({
        type: 'workspace_escape',
        path: '/etc/hosts',
      });
      expect(parseApprovalReason('some other failure')).toBeUndefined();
    });

    test("a person reads: Create reference topic '{title}'? {summary}. Approve / Deny", () => {
      expect(approvalPrompt(asked().reason)).toBe(
        "Create reference topic 'Dioxus'? 1,247 files, ~98 MB. Approve / Deny",
      );
      expect(approvalPrompt({ type: 'workspace_escape', path: '/etc' })).toContain('/etc');
    });
  });

  describe('an approval', () => {
    test('is required once, named, and then lets exactly this happen once', async () => {
      const { approvals } = await open();
      const first = await refused(approvals.permit(asked()));
      expect(first.code).toBe('APPROVAL_REQUIRED');
      expect(first.data).toMatchObject({ prompt: approvalPrompt(asked().reason), targets: asked().targets });
      const id = first.data['approval_id']!;
      expect(await askedId(approvals)).toBe(id);
      expect((await refused(approvals.permit(asked({ approvalId: id })))).code).toBe('APPROVAL_REQUIRED');
      await approvals.answer(id, { decision: 'approved', by: 'ada' });
      const permit = await approvals.permit(asked({ approvalId: id }));
      await permit.done();
      expect((await refused(approvals.permit(asked({ approvalId: id })))).code).toBe('CONFLICT');
      const { events, status } = await approvals.get(id);
      expect(status).toBe('used');
      expect(events.map(({ event }) => event)).toEqual([
        'requested',
        'refused',
        'approved',
        'started',
        'used',
        'refused',
      ]);
    });

    test('does not hold for anything but what was shown: one changed byte is refused', async () => {
      const { approvals } = await open();
      const id = await askedId(approvals);
      await approvals.answer(id, { decision: 'approved', by: 'ada' });
      const error = await refused(approvals.permit(asked({ approvalId: id, digest: 'digest-2' })));
      expect(error).toMatchObject({ code: 'CONFLICT', data: { changed: true } });
    });

    test('is answered once: a second answer is refused, whatever it says', async () => {
      const { approvals } = await open();
      const id = await askedId(approvals);
      await approvals.answer(id, { decision: 'denied', by: 'ada', note: 'too large' });
      expect((await refused(approvals.answer(id, { decision: 'approved', by: 'eve' }))).code).toBe(
        'CONFLICT',
      );
      const denied = await refused(approvals.permit(asked({ approvalId: id })));
      expect(denied).toMatchObject({ code: 'DENIED', message: expect.stringContaining('too large') });
      expect((denied as unknown as { hint: string }).hint).toContain('paths');
    });

    test('of two answers at the same moment one wins', async () => {
      const { approvals } = await open();
      const id = await askedId(approvals);
      const both = await Promise.allSettled(
        ['approved', 'denied'].map((decision) => approvals.answer(id, { decision, by: 'ada' } as never)),
      );
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('expires, asked or answered', async () => {
      const { approvals, clock } = await open();
      const pending = await askedId(approvals);
      const answered = await askedId(approvals, { digest: 'digest-2' });
      await approvals.answer(answered, { decision: 'approved', by: 'ada' });
      clock.advance(25 * 3_600_000);
      expect((await refused(approvals.answer(pending, { decision: 'approved', by: 'ada' }))).code).toBe(
        'CONFLICT',
      );
      const late = await refused(approvals.permit(asked({ approvalId: answered, digest: 'digest-2' })));
      expect(late.code).toBe('CONFLICT');
      expect(await approvals.list({ status: 'pending' })).toEqual([]);
      expect(await askedId(approvals)).not.toBe(pending);
    });

    test('is given back by work that failed, and by a process that was killed', async () => {
      const { approvals, path, library } = await open();
      const tables = library.tables<ApprovalTables>();
      const id = await askedId(approvals);
      await approvals.answer(id, { decision: 'approved', by: 'ada' });
      const permit = await approvals.permit(asked({ approvalId: id }));
      expect((await refused(approvals.permit(asked({ approvalId: id })))).message).toContain('right now');
      await permit.release('the network was down');
      const dead = spawnSync(process.execPath, ['-e', '0']).pid;
      await tables.updateTable('approvals').set({ claimed_pid: dead }).execute();
      await sql`UPDATE approvals SET claimed_at = requested_at`.execute(tables);
      const again = (await open({}, path)).approvals;
      await (await again.permit(asked({ approvalId: id }))).done();
      expect((await again.get(id)).status).toBe('used');
    });

    test('survives a restart, and its audit trail cannot be rewritten', async () => {
      const { approvals, path, library } = await open();
      const id = await askedId(approvals);
      await library.close();
      const again = await open({}, path);
      expect(await again.approvals.list({ status: 'pending' })).toMatchObject([{ id }]);
      const tables = again.library.tables<ApprovalTables>();
      await expect(tables.deleteFrom('approval_events').execute()).rejects.toThrow('append-only');
      await expect(tables.updateTable('approval_events').set({ by: 'eve' }).execute()).rejects.toThrow(
        'append-only',
      );
    });

    test('keeps no secret that an address carried', async () => {
      const { approvals, library } = await open();
      await askedId(approvals, {
        targets: [{ kind: 'git', target: 'https://me:hunter22222@example.org/x' }],
      });
      const rows = JSON.stringify(await allRows(library, 'approvals'));
      expect(rows).not.toContain('hunter22222');
    });
  });

  describe('policies', () => {
    const github = { kind: '*', targets: ['https://github.com/DioxusLabs'] };
    const question = {
      kind: 'REFERENCE_TOPIC_CREATE',
      targets: asked().targets,
      files: 100,
      bytes: 1_000_000,
    };
    const judged = (policy: Partial<ApprovalPolicy>, change = {}) =>
      judge({ rules: [], restrict: [], ...policy }, { ...question, ...change });

    test('without a rule a person is always asked', () => {
      expect(judged({})).toBe('ask');
    });

    test('a rule allows what begins with its targets, by whole segments, and within its limits', () => {
      const allow = { action: 'allow' as const, ...github, max_files: 500, max_megabytes: 5 };
      expect(judged({ rules: [allow] })).toBe('allow');
      expect(judged({ rules: [allow] }, { files: 501 })).toBe('ask');
      expect(judged({ rules: [allow] }, { files: undefined })).toBe('ask');
      expect(judged({ rules: [allow] }, { bytes: 5_000_001 })).toBe('ask');
      const look = [{ kind: 'git', target: 'https://github.com/DioxusLabsEvil/x' }];
      expect(judged({ rules: [allow] }, { targets: look })).toBe('ask');
      expect(judged({ rules: [allow] }, { targets: [...question.targets, ...look] })).toBe('ask');
    });

    test('a repository can only make the rules stricter', () => {
      const rules = [{ action: 'allow' as const, ...github }];
      expect(judged({ rules, restrict: [{ action: 'ask', ...github }] })).toBe('ask');
      expect(judged({ rules, restrict: [{ action: 'deny', ...github }] })).toBe('deny');
      const strict = [{ action: 'deny' as const, ...github }];
      expect(judged({ rules: strict, restrict: [{ action: 'ask', ...github }] })).toBe('deny');
    });

    test('what a rule allows or denies leaves the same trail as what a person answers', async () => {
      const allowing = (await open({ rules: [{ action: 'allow', ...github }] })).approvals;
      const permit = await allowing.permit(asked());
      expect(await allowing.get(permit.approvalId)).toMatchObject({
        status: 'approved',
        answered_by: 'policy',
      });
      const denying = (await open({ rules: [{ action: 'deny', ...github }] })).approvals;
      expect((await refused(denying.permit(asked()))).code).toBe('DENIED');
      expect(await denying.list({ status: 'denied' })).toHaveLength(1);
    });
  });

  describe('trust', () => {
    const url = contentItem('config.yaml embedding.endpoint_url', 'https://a.example');
    const key = contentItem('config.yaml embedding.endpoint_key', `ghp_${digestOf('key').slice(7, 43)}`);

    test('is of content at one real path, grows item by item, and can be taken back whole or in part', async () => {
      const { approvals, library } = await open();
      const trusted = async (repository: string) =>
        library
          .tables<ApprovalTables>()
          .selectFrom('trusted_content')
          .select(['item', 'digest'])
          .where('repository', '=', repository)
          .orderBy('item', 'desc')
          .execute();
      const home = temporaryDirectory('trust');
      const [one, two] = ['one', 'two'].map((name) => join(home, name));
      for (const directory of [one!, two!]) mkdirSync(directory);
      symlinkSync(one!, join(home, 'link'));
      expect(await trusted(one!)).toEqual([]);
      await approvals.trustContent({ path: join(home, 'link'), items: [url], by: 'ada' });
      await approvals.trustContent({ path: one!, items: [key], by: 'ada' });
      expect(await trusted(one!)).toEqual([url, key].map(({ item, digest }) => ({ item, digest })));
      expect(await trusted(two!)).toEqual([]);
      expect(await approvals.trustDecisions()).toMatchObject([{ path: one, trusted: true, items: 2 }]);
      const before = async (item: string) => (await approvals.trustedItem({ path: one!, item }))?.text;
      expect(await before(url.item)).toBe('"https://a.example"');
      expect(await before(key.item)).not.toContain(digestOf('key').slice(7, 43));
      expect(await approvals.untrustContent({ path: one!, items: [key.item], by: 'ada' })).toBe(1);
      expect(await trusted(one!)).toHaveLength(1);
      expect(await approvals.untrustContent({ path: one!, by: 'ada' })).toBe(1);
      expect(await approvals.trustDecision(one!)).toMatchObject({
        trusted: false,
        items: 0,
        decided_by: 'ada',
      });
    });

    test('of a path as a whole, as version 0.1 wrote it down, is none', async () => {
      const { approvals, library } = await open();
      await library
        .tables<ApprovalTables>()
        .insertInto('trusted_repositories')
        .values({ path: '/somewhere', trusted: 1, decided_at: '2026-01-01T00:00:00Z', decided_by: 'ada' })
        .execute();
      expect(await approvals.trustDecisions()).toMatchObject([
        { path: '/somewhere', trusted: false, items: 0 },
      ]);
    });
  });

  test('whoever watches is told of a request once and of its answer, also where a rule gave it', async () => {
    const { approvals, told } = await open();
    const id = await askedId(approvals);
    await askedId(approvals);
    expect(told).toEqual(['pending']);
    await approvals.answer(id, { decision: 'denied', by: 'ada' });
    expect(told).toEqual(['pending', 'denied']);
    const ruled = await open({ rules: [{ action: 'allow', kind: '*', targets: [] }] });
    await ruled.approvals.permit(asked());
    expect(ruled.told).toEqual(['pending', 'approved']);
  });
});
