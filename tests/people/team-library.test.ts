import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { freshPostgres } from '../support/postgres.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const opener = (url: string) => (directory: string) => {
  const env = { ...process.env, SYLK_HOME: temporaryDirectory('home'), SYLK_TEAM_DATABASE: url };
  const app = openApp({ directory, env });
  onTestFinished(() => app.close());
  return app;
};

test('the library of a team takes clones of one repository, from every branch, and refuses another one', async () => {
  const open = opener(await freshPostgres());
  const first = testRepository();
  first.commit('first', { 'a.txt': 'a' });
  const clone = join(temporaryDirectory('clones'), 'second');
  spawnSync('git', ['clone', '--quiet', first.path, clone]);
  await open(first.path).library();
  await expect(open(clone).library()).resolves.toBeDefined();

  // A branch without a common commit is still of the same repository.
  spawnSync('git', ['checkout', '--quiet', '--orphan', 'pages'], { cwd: clone });
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'pages'], {
    cwd: clone,
  });
  await expect(open(clone).library()).resolves.toBeDefined();

  const other = testRepository();
  other.commit('other', { 'b.txt': 'b' });
  const refused = open(other.path);
  await expect(refused.library()).rejects.toMatchObject({
    code: 'DENIED',
    message: expect.stringContaining('another repository'),
  });
  // Asked again, it is refused again.
  await expect(refused.library()).rejects.toMatchObject({ code: 'DENIED' });
});

test('a clone with a part of its history is told how to get the rest', async () => {
  const open = opener(await freshPostgres());
  const first = testRepository();
  first.commit('first', { 'a.txt': 'a' });
  first.commit('second', { 'a.txt': 'b' });
  const clone = join(temporaryDirectory('clones'), 'shallow');
  spawnSync('git', ['clone', '--quiet', '--depth', '1', `file://${first.path}`, clone]);
  await open(first.path).library();
  await expect(open(clone).library()).rejects.toMatchObject({ hint: expect.stringContaining('--unshallow') });
});

test('what an agent of a worker asks is answered from another clone of the team, and nowhere else', async () => {
  const open = opener(await freshPostgres());
  const first = testRepository();
  first.commit('first', { 'a.txt': 'a' });
  const clone = join(temporaryDirectory('clones'), 'worker');
  spawnSync('git', ['clone', '--quiet', first.path, clone]);
  const [server, worker] = [open(first.path), open(clone)];
  const { approvals, repository } = await worker.questions();
  const asked = {
    reason: {
      type: 'other',
      kind: 'AGENT_TOOL',
      title: 'The engineer wants to run a command',
      summary: 'npm publish',
    } as const,
    targets: [{ kind: 'command', target: 'npm publish' }],
    digest: 'd',
    always: [{ tool: 'run_command', command: 'npm publish' }],
    repository,
    requestedBy: 'engineer of run_1',
  };
  const { id } = await approvals.request(asked);
  const call = (app: typeof server, name: string, input: object) =>
    runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
  expect(await call(server, 'list_approvals', {})).toMatchObject({
    output: { approvals: [{ id }], total: 1 },
  });
  expect(await call(server, 'approve', { approval_id: id, always: true })).toMatchObject({
    output: { status: 'approved', answered_by: 'ada' },
  });
  await (await approvals.permit(asked)).done();
  expect(await call(worker, 'list_standing_permissions', {})).toMatchObject({ output: { total: 1 } });
  // The person's own library has none of it, and what a person is asked alone stays with them.
  expect(await (await server.approvals()).list()).toEqual([]);
  const own = await (await worker.approvals()).request({ ...asked, digest: 'own', repository: clone });
  expect(await call(server, 'list_approvals', {})).toMatchObject({ output: { total: 0 } });
  expect(await call(worker, 'approve', { approval_id: own.id })).toMatchObject({
    output: { status: 'approved' },
  });
});
