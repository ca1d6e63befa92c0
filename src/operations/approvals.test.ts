import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../tests/support/repository.ts';
import { temporaryDirectory } from '../../tests/support/temporary.ts';
import { openApp } from '../app.ts';
import { readPlan } from '../engines/orchestrator/index.ts';
import type { Caller } from './operation.ts';
import { runOperation } from './run.ts';

const person: Caller = { kind: 'person', name: 'ada' };
const agent: Caller = { kind: 'agent', name: 'client' };

function product(files: { user?: string; project?: string } = {}, more: NodeJS.ProcessEnv = {}) {
  const repository = testRepository();
  const home = temporaryDirectory('home');
  if (files.user) writeFileSync(join(home, 'config.yaml'), files.user);
  if (files.project) {
    mkdirSync(join(repository.path, '.sylk'));
    writeFileSync(join(repository.path, '.sylk', 'config.yaml'), files.project);
  }
  const env = { ...process.env, SYLK_HOME: home, ...more };
  const open = () => {
    const app = openApp({ directory: repository.path, env });
    onTestFinished(() => app.close());
    return app;
  };
  return { open };
}

const request = {
  reason: { type: 'reference_topic_create', title: 'T', summary: '3 files' } as const,
  targets: [{ kind: 'web', target: 'https://example.org/guide' }],
  digest: 'd',
  repository: '',
  requestedBy: 'client',
};

test('what an agent of a run wants to be allowed waits beside what runs ask, and what others ask for does not', async () => {
  const app = product().open();
  const runs = await app.runs();
  const plan = readPlan('prompt: Add a limit\nnodes: [{ id: limit, agent: engineer, prompt: Write it }]');
  const { run } = await runs.create({ session: 'ses_run', prompt: plan.prompt, plan });
  const { request: ask } = await app.approvals();
  const targets = [{ kind: 'command', target: 'npm publish' }];
  const { id } = await ask({ ...request, targets, requestedBy: `engineer of ${run}` });
  await ask({ ...request, digest: 'other' });
  const { output } = Object(await runOperation(app, { name: 'list_waiting', input: {}, caller: person }));
  expect(output.waiting).toMatchObject([
    { run, id: 'revision 1', options: ['approve', 'reject'] },
    { run, id, question: expect.stringContaining('npm publish') },
  ]);
});

test('a person sees, approves once and can read the trail; an agent may look but not decide', async () => {
  const app = product().open();
  const { id } = await (await app.approvals()).request(request);
  const call = (name: string, input: object, caller = person) => runOperation(app, { name, input, caller });
  expect(await call('list_approvals', {}, agent)).toMatchObject({
    ok: true,
    output: { approvals: [{ id }], total: 1 },
  });
  for (const name of [
    'approve',
    'deny',
    'approve_reference_topic',
    'trust_repository',
    'untrust_repository',
  ]) {
    expect(await call(name, { approval_id: id }, agent)).toMatchObject({
      ok: false,
      error: { code: 'DENIED' },
    });
  }
  expect(await call('approve_reference_topic', { approval_id: id })).toMatchObject({
    ok: true,
    output: { status: 'approved', answered_by: 'ada' },
  });
  expect(await call('deny', { approval_id: id })).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
  expect(await call('get_approval', { approval_id: id })).toMatchObject({
    ok: true,
    output: { events: [{ event: 'requested' }, { event: 'approved', by: 'ada' }] },
  });
});

test('what a repository says about approvals holds before trust, but only where it is stricter', async () => {
  const loose = 'approvals:\n  rules: [{ action: allow }]\n';
  const { open } = product({
    project: `${loose}  restrict: [{ action: deny, targets: ["https://example.org"] }]\n`,
  });
  const app = open();
  expect(app.config.approvals.rules).toEqual([]);
  expect(app.loadedConfig.warnings.join()).toContain('approvals.rules is never read from a repository');
  await expect((await app.approvals()).permit(request)).rejects.toMatchObject({ code: 'DENIED' });
  const allowing = product({ project: 'approvals:\n  restrict: [{ action: allow }]\n' }).open();
  expect(allowing.config.approvals.restrict).toEqual([]);
  expect(allowing.loadedConfig.warnings.join()).toContain('approvals.restrict');
});

test('restrictions add up: no repository, variable or flag takes away what the person forbade', async () => {
  const restrict = (target: string, action: string) =>
    `approvals:\n  restrict: [{ action: ${action}, targets: ["${target}"] }]\n`;
  const { open } = product(
    {
      user: `${restrict('https://example.org', 'deny')}  rules: [{ action: allow }]\n`,
      project: restrict('https://example.net', 'ask'),
    },
    { SYLK_APPROVALS_RESTRICT: '[]' },
  );
  const approvals = await open().approvals();
  await expect(approvals.permit(request)).rejects.toMatchObject({ code: 'DENIED' });
  const onNet = { ...request, targets: [{ kind: 'web', target: 'https://example.net/guide' }] };
  await expect(approvals.permit(onNet)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test("a rule answers for the person only from the person's own file, not from the environment", async () => {
  const rules = '[{ "action": "allow" }]';
  const outside = product({}, { SYLK_APPROVALS_RULES: rules }).open();
  await expect((await outside.approvals()).permit(request)).rejects.toMatchObject({
    code: 'APPROVAL_REQUIRED',
  });
  const own = product({ user: `approvals:\n  rules: ${rules}\n` }).open();
  await expect((await own.approvals()).permit(request)).resolves.toMatchObject({
    approvalId: expect.any(String),
  });
});
