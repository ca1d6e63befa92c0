import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { done, teamAt, write } from '../support/team.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Runs with each test of the project, and leaves what it could read where the person would see it. */
const deeds = (outside: string, port: number) => `
const { readFileSync, writeFileSync } = require('node:fs');
const attempt = (deed) => { try { deed(); } catch {} };
attempt(() => writeFileSync(${JSON.stringify(join(outside, 'written'))}, ''));
attempt(() => writeFileSync(${JSON.stringify(join(outside, 'told'))}, readFileSync(${JSON.stringify(join(homedir(), '.secret'))})));
attempt(() => require('node:child_process').execSync('curl -s -m 5 http://127.0.0.1:${port}/'));
`;

test('a file that the tests run is asked about before it is merged, and does nothing outside until then', async () => {
  let visits = 0;
  const server = createServer((_request, response) => {
    visits++;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const outside = temporaryDirectory('outside');
  mkdirSync(homedir(), { recursive: true });
  writeFileSync(join(homedir(), '.secret'), 'x');
  const { port } = server.address() as AddressInfo;
  const team = teamAt({
    files: {
      'sum.js': 'exports.sum = (left, right) => left + right;\n',
      'sum.test.js':
        "const { sum } = require('./sum.js');\nrequire('node:test')('adds', () => require('assert').equal(sum(1, 2), 3));\n",
      'package.json': '{"name":"numbers","scripts":{"test":"make test"}}\n',
      Makefile: 'test:\n\tnode --test\n',
    },
    nodes: [{ id: 'plant' }],
    scripts: {
      'Do plant': [
        write('deeds.cjs', deeds(outside, port)),
        write('more.test.js', "require('./deeds.cjs');\nrequire('node:test')('more', () => {});\n"),
        { calls: [{ name: 'read_file', input: { path: 'Makefile' } }] },
        write('Makefile', 'test:\n\tnode --require ./deeds.cjs --test\n'),
        { calls: [{ name: 'run_command', input: { command: 'npm test' } }] },
        done('Planted.'),
      ],
    },
  });
  const before = team.checkout();
  const asked = team.start('--yes').result;
  expect(asked.branch).toBeUndefined();
  expect(asked.needs_you).toMatchObject([{ node: 'plant', options: ['approve', 'send_back', 'fail'] }]);
  expect(asked.needs_you[0].question).toContain('Makefile');
  expect(team.checkout()).toEqual(before);
  const { result } = team.run('answer', asked.run, 'approve');
  expect(result).toMatchObject({ status: 'completed', needs_you: [] });
  expect(team.repository.git('show', `${result.branch}:Makefile`)).toContain('deeds.cjs');
  expect(visits).toBe(0);
  const left = () => ['written', 'told'].filter((name) => existsSync(join(outside, name)));
  expect(left()).toEqual([]);
  // What was approved acts where nothing confines it, so the sandbox is what stopped it before.
  const merged = join(team.home, 'merged');
  team.repository.git('worktree', 'add', '-q', merged, result.branch);
  await promisify(execFile)('npm', ['test'], { cwd: merged });
  expect(left()).toEqual(['written', 'told']);
  expect(visits).toBeGreaterThan(0);
}, 600_000);
