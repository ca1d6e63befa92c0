import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { launcher } from '../support/program.ts';
import { testRepository } from '../support/repository.ts';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A person with a home of their own, a repository, and a folder of notes. */
function person() {
  const repository = testRepository();
  repository.commit('x', { 'README.md': 'app\n' });
  const env = { SYLK_HOME: temporaryDirectory('home'), HOME: temporaryDirectory('home') };
  const notes = temporaryDirectory('notes');
  writeFileSync(join(notes, 'signals.md'), '# Signals\n\nCall use_signal for state.\n');
  const config = join(env.SYLK_HOME, 'config.yaml');
  const run = (...args: string[]) => sylk(repository.path, args, { env });
  return {
    repository,
    env,
    notes,
    run,
    allow: (rule: string) => writeFileSync(config, `approvals:\n  rules:\n    - ${rule}\n`),
  };
}

/** The command at a terminal of its own, where a person types. */
const atTerminal = (cwd: string, env: Record<string, string>, args: string[], typed: string) =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const words = ['sh', launcher(), ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', words, '/dev/null'], {
      cwd,
      env: { ...process.env, ...env, TERM: 'xterm' },
    });
    let out = '';
    child.stdout.on('data', (part) => {
      const before = out;
      out += part;
      if (out.includes('Type yes') && !before.includes('Type yes')) child.stdin.write(`${typed}\n`);
    });
    child.on('close', (code) => resolve({ code, out }));
  });

test('a person at a terminal creates a topic by its address alone, in one command', async () => {
  const { repository, env, notes, run } = person();
  const denied = await atTerminal(repository.path, env, ['ref', 'create', notes], 'no');
  expect(denied.code).not.toBe(0);
  expect(run('ref', 'list').out).toContain('No topic found');
  const created = await atTerminal(repository.path, env, ['ref', 'create', notes], 'yes');
  expect(created.out).toContain('1 files');
  expect(created.code).toBe(0);
  // A path on this machine is called by its last part.
  expect(run('ref', 'list').out).toContain(`  ${basename(notes)}  (active`);
  expect(run('ref', 'search', 'use_signal').out).toContain('Call use_signal for state.');
});

test('without a terminal nothing is asked and nothing is fetched', () => {
  const { notes, run } = person();
  const refused = run('ref', 'create', notes);
  expect(refused.code).toBe(5);
  expect(refused.err).toContain('APPROVAL_REQUIRED:REFERENCE_TOPIC_CREATE');
});

test('nobody is asked to approve an address or a path that cannot work', () => {
  const { notes, run } = person();
  const page = run('ref', 'create', 'http://127.0.0.1:9/guide');
  expect(page.err).toContain('not a public address');
  expect(page.err).toContain('network.allow_hosts');
  const path = run(
    'ref',
    'create',
    '--sources',
    JSON.stringify({ type: 'local', path: notes, paths: ['nope/'] }),
  );
  expect(path.err).toContain('contains no text files under nope/');
  expect(run('approvals').out).toContain('No requests are waiting.');
  const both = run(
    'ref',
    'create',
    '--sources',
    JSON.stringify({ type: 'local', path: notes, paths: ['signals.md', 'nope/'] }),
  );
  expect(both.err).toContain('no file matches nope/');
});

test('topics are refreshed unattended where a rule of the person allows it, and only there', () => {
  const { notes, run, allow } = person();
  allow('{ action: allow, kind: REFERENCE_TOPIC_CREATE }');
  const other = temporaryDirectory('other');
  mkdirSync(join(other, 'docs'));
  writeFileSync(join(other, 'docs/a.md'), '# A\n\nFirst words.\n');
  expect(run('ref', 'create', notes, '--title', 'Signals guide').code).toBe(0);
  expect(run('ref', 'create', other, '--title', 'Other guide').code).toBe(0);
  appendFileSync(join(notes, 'signals.md'), 'More.\n');
  const refused = run('ref', 'refresh', '--all');
  expect(refused.code).toBe(5);
  expect(refused.err).toContain('no terminal');
  allow(`{ action: allow, kind: REFERENCE_TOPIC_REFRESH, targets: ["${notes}"] }`);
  expect(run('ref', 'refresh', '--all').code).toBe(5);
  expect(run('ref', 'refresh', 'signals').out).toContain('1 changed');
  allow('{ action: allow, kind: "*" }');
  expect(run('ref', 'refresh', '--stale').out).toContain('No topic is stale.');
  const all = run('ref', 'refresh', '--all');
  expect(all.out).toMatch(/signals-guide: 0 added|other-guide: 0 added/);
  expect(all.code).toBe(0);
  expect(run('ref', 'refresh', 'guide').err).toContain('is part of 2 topic names');
});
