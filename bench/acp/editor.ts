import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../clients/drives.ts';
import { launcher, withTests } from './world.ts';

const script = join(import.meta.dirname, 'editor.el');
const call = (name: string, input: object) => ({ calls: [{ name, input }] });
const change = [
  call('run_command', { command: 'touch made.txt' }),
  call('edit_file', { path: 'src/retry.ts', old_content: '3', new_content: '4' }),
];
const done = call('signal_complete', { result: 'Changed it.' });
const conversations = [
  { when: 'make a change, allow_once', steps: [...change, done] },
  { when: 'make a change, reject_once', steps: [...change, done] },
  { when: 'make a change that is cancelled', steps: [...change.slice(1), ...change, done] },
];

/** Where a folder has acp.el, the client of Emacs, which has nothing in common with ours but the protocol. */
export const editorIn = (folders: string[]): string | undefined =>
  folders.find((folder) => existsSync(join(folder, 'acp.el')) && !existsSync(join(folder, 'package.json')));

type Seen = Record<string, unknown>;

/** Drives `sylk acp` through plan, permission, cancel and load; answers what the editor saw, by scene. */
export function driveEditor(library: string): Map<string, Seen> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-editor-'));
  try {
    const [home, repository] = [join(place, 'home'), join(place, 'project')];
    mkdirSync(home);
    makeRepository(repository, withTests);
    const model = join(place, 'script.json');
    writeFileSync(model, JSON.stringify({ conversations }));
    const words = ['-Q', '--batch', '-L', library, '-l', script, launcher, repository, `script:${model}`];
    const env = { ...process.env, HOME: home, SYLK_HOME: join(home, '.sylk') };
    const printed = execFileSync('emacs', words, { encoding: 'utf8', env, timeout: 600_000 });
    const lines: Seen[] = printed
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    return new Map(lines.map((seen) => [String(seen['scene']), seen]));
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  }
}

const has = (value: unknown, ...words: string[]): boolean =>
  words.every((word) => JSON.stringify(value ?? '').includes(word));

/** What has to be true of it, by a label; false where it is not. */
export function judgeEditor(seen: Map<string, Seen>): Record<string, boolean> {
  const scene = (name: string): Seen => seen.get(name) ?? {};
  const [allowed, refused, load] = [scene('allow_once'), scene('reject_once'), scene('load')];
  return {
    'a session opens with both modes': has(scene('opened')['modes'], 'ask', 'work'),
    'a plan is shown to its end': String(allowed['plan']) === 'completed,completed,completed,completed',
    'calls and a diff are shown':
      has(allowed['kinds'], 'tool_call', 'tool_call_update') && has(allowed['diffs'], 'retry.ts'),
    'a permission is asked for and allowed':
      has(allowed['asked'], 'touch made.txt') && has(allowed['said'], 'Files: made.txt, src/retry.ts'),
    'a permission is refused':
      refused['stop'] === 'end_turn' &&
      has(refused['asked'], 'touch made.txt') &&
      has(refused['said'], 'Files: src/retry.ts'),
    'a cancel ends the turn': scene('cancel')['stop'] === 'cancelled',
    'another process lists and loads the session':
      load['listed'] === true && has(load['told'], 'allow_once') && has(load['said'], 'Changed it.'),
  };
}
