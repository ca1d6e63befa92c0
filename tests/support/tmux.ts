import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A real terminal: tmux, driven by keys. What it shows is read from tmux, which interprets what a program writes. */
export function openTmux({
  cwd,
  command,
  env = {},
  columns = 80,
  rows = 24,
}: {
  cwd: string;
  command: string[];
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}) {
  const name = `sylk-${randomUUID().slice(0, 8)}`;
  const tmux = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-L', name, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env, TMUX: '' },
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const settings = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, '-c', cwd, ...settings, `${quoted}; echo "left with $?"; exec cat`);
  const screen = (...more: string[]): string => tmux('capture-pane', '-p', ...more);
  return {
    screen,
    /** Also what has scrolled out. */
    everything: () => screen('-S', '-'),
    type: (text: string) => tmux('send-keys', '-l', text),
    press: (...keys: string[]) => tmux('send-keys', ...keys),
    paste: (text: string) => {
      const directory = mkdtempSync(join(tmpdir(), 'sylk-paste-'));
      writeFileSync(join(directory, 'text'), text);
      tmux('load-buffer', join(directory, 'text'));
      tmux('paste-buffer', '-p', '-r');
      rmSync(directory, { recursive: true });
    },
    /** Everything that the program writes from now on goes to a file too. */
    record: (file: string) => {
      writeFileSync(file, '');
      tmux('pipe-pane', '-o', `exec cat >> '${file}'`);
    },
    resize: (width: number, height: number) =>
      tmux('resize-window', '-x', String(width), '-y', String(height)),
    /** Waits until it stands on the screen. */
    until: async (wanted: string | RegExp, seconds = 60): Promise<string> => {
      const end = Date.now() + seconds * 1000;
      for (;;) {
        const shown = screen();
        if (typeof wanted === 'string' ? shown.includes(wanted) : wanted.test(shown)) return shown;
        if (Date.now() > end) throw new Error(`${wanted} was not shown:\n${shown}`);
        await wait(50);
      }
    },
    /** The process of the program, below the shell that tmux started. */
    program: (): number => {
      const shell = tmux('display-message', '-p', '#{pane_pid}').trim();
      return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ')[0]);
    },
    close: () => spawnSync('tmux', ['-L', name, 'kill-server']),
  };
}
