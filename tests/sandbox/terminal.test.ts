import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { launcher } from '../support/program.ts';
import { testRepository } from '../support/repository.ts';
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
