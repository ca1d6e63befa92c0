import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { launcher } from '../support/program.ts';
import { testRepository } from '../support/repository.ts';
import { call, done, edit, read, teamAt } from '../support/team.ts';
import { openTmux } from '../support/tmux.ts';

const place = mkdtempSync(join(tmpdir(), 'sylk-terminal-'));
const repository = testRepository([], join(place, 'repository'));
repository.commit('add a login with a limit of three tries', {
  'src/login.ts': 'export const MAX_TRIES = 3;\nexport function login(name: string) {\n  return name;\n}\n',
  'src/日本語.ts': 'export const 名前 = "é 👩‍💻";\n',
});
const home = join(place, 'home');

function open({ columns = 80, rows = 24, env = {} }: { columns?: number; rows?: number; env?: object } = {}) {
  const terminal = openTmux({
    cwd: repository.path,
    command: ['sh', launcher()],
    env: { SYLK_HOME: home, ...env },
    columns,
    rows,
  });
  onTestFinished(() => {
    terminal.close();
  });
  return terminal;
}
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('sylk in a terminal', () => {
  test('says what it found on the first start, answers a question with its source, and is left by /quit', async () => {
    const terminal = open();
    await terminal.until('This is the memory of the repository.');
    terminal.type('what is MAX_TRIES set to?');
    terminal.press('Enter');
    await terminal.until('[1] src/login.ts');
    terminal.type('/quit');
    terminal.press('Enter');
    await terminal.until('left with 0');
    expect(terminal.everything()).toContain('[1] src/login.ts');
  });

  test('completes commands and files, and brings back what was sent', async () => {
    const terminal = open();
    await terminal.until('what is MAX_TRIES set to?');
    terminal.type('/calle');
    await terminal.until('→ /callers');
    terminal.press('Tab');
    terminal.type('@login');
    await terminal.until('→ @src/login.ts');
    terminal.press('Tab');
    await terminal.until('/callers src/login.ts');
    terminal.press('C-c');
    await terminal.until('Ctrl-C again leaves');
    terminal.press('Up', 'Up', 'Up');
    await terminal.until(/^what is MAX_TRIES set to\?/m);
  });

  test('nothing typed or shown is lost when it is killed', async () => {
    const terminal = open();
    await terminal.until('[1] src/login.ts');
    terminal.type('a draft that was 日本語 never sent');
    await terminal.until('never sent');
    process.kill(terminal.program(), 'SIGKILL');
    await terminal.until('left with 137');
    const again = open();
    await again.until('a draft that was 日本語 never sent');
    await again.until('[1] src/login.ts');
  });

  test('fits 80×24 and very wide screens, and follows a change of size', async () => {
    const terminal = open({ columns: 80, rows: 24 });
    await terminal.until('[1] src/login.ts');
    for (const [width, height] of [
      [200, 50],
      [40, 12],
      [80, 24],
    ] as const) {
      terminal.resize(width, height);
      await terminal.until(new RegExp(`^─{${width}}$`, 'm'));
    }
  });

  test('a tab is a session of its own, which answers and is there again after a kill', async () => {
    const terminal = open();
    await terminal.until('[1] src/login.ts');
    terminal.press('C-u');
    terminal.type('/new limits');
    terminal.press('Enter');
    await terminal.until('2 limits');
    terminal.type('what does login return?');
    terminal.press('Enter');
    await terminal.until('[1] src/login.ts');
    await expect.poll(() => terminal.screen()).not.toContain('Esc stops');
    process.kill(terminal.program(), 'SIGKILL');
    const again = open();
    await again.until('› what does login return?');
    again.press('M-1');
    await again.until('› what is MAX_TRIES set to?');
    again.press('M-2');
    again.type('/close');
    again.press('Enter');
    await expect.poll(() => again.screen()).not.toContain('2 limits');
  });

  test('an answer longer than the screen is shown from its beginning; what is sent next is in sight', async () => {
    const terminal = open({ rows: 12 });
    await terminal.until('[1] src/login.ts');
    terminal.press('C-u');
    terminal.type('/doctor');
    terminal.press('Enter');
    await terminal.until(/^› \/doctor$/m);
    await terminal.until('↓ newest');
    terminal.type('/runs waiting');
    terminal.press('Enter');
    await terminal.until('Nothing waits for you.');
  });

  test('is left by Ctrl-C twice; ? shows the keys', async () => {
    const terminal = open({ rows: 40 });
    await terminal.until('[1] src/login.ts');
    terminal.press('C-c');
    await terminal.until('Ctrl-C again leaves');
    terminal.type('?');
    await terminal.until('what you sent before');
    terminal.press('Escape');
    await expect.poll(() => terminal.screen()).not.toContain('what you sent before');
    terminal.press('C-c', 'C-c');
    await terminal.until('left with 0');
  });
});

describe('runs in a terminal', () => {
  const script = {
    add: [read('src/add.js'), edit('src/add.js', '=> a;', '=> a + b;'), done('It adds both numbers.')],
    mul: [
      read('src/mul.js'),
      call('run_command', { command: 'touch made' }),
      edit('src/mul.js', '=> a;', '=> a * b;'),
      done(),
    ],
  };
  test('a plan is shown, approved by a key, carried out beside the conversation, and looked into', async () => {
    const team = teamAt({
      files: {
        'src/add.js': 'exports.add = (a, b) => a;\n',
        'src/mul.js': 'exports.mul = (a, b) => a;\n',
        'add.test.js':
          "const { add } = require('./src/add.js');\nrequire('node:test')('adds', () => require('assert').equal(add(1, 0), 1));\n",
        'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
      },
      nodes: [
        { id: 'add', prompt: 'add', touches: ['src/add.js'] },
        { id: 'mul', prompt: 'mul', touches: ['src/mul.js'] },
      ],
      scripts: script,
    });
    const terminal = openTmux({
      cwd: team.repository.path,
      command: ['sh', launcher()],
      env: { SYLK_HOME: join(team.home, 'sylk') },
      columns: 110,
      rows: 40,
    });
    onTestFinished(() => {
      terminal.close();
    });
    await terminal.until('This is the memory of the repository.');
    terminal.type(`/worker ${team.flags.at(-1)}`);
    terminal.press('Enter');
    terminal.type(`/run --from ${team.flags[1]}`);
    terminal.press('Enter');
    await terminal.until('needs you: 1 (Ctrl-N)');
    await terminal.until('? add planned');
    terminal.press('C-n');
    await terminal.until('The plan waits for you: add, mul');
    terminal.type('1');
    terminal.press('Escape');
    // The engineer of `mul` wants to run a command: asked with the exact words.
    await terminal.until(/needs you: 1 \(Ctrl-N\)[\s\S]*● mul at work/);
    terminal.type('typed while agents work');
    await terminal.until('typed while agents work');
    terminal.press('C-n');
    await terminal.until('touch made');
    terminal.type('1');
    terminal.press('Escape');
    await terminal.until('✓ mul done · made, src/mul.js');
    await terminal.until(/completed · 2\/2/);
    await terminal.until('typed while agents work');
    terminal.press('C-r');
    await terminal.until('Enter into a node');
    terminal.press('Down', 'Enter');
    await terminal.until('1 steps');
    terminal.type('2');
    await terminal.until('+exports.add = (a, b) => a + b;');
    terminal.type('3');
    await terminal.until(/add: .*(?:passed|inspected|merged)/);
  });
});
