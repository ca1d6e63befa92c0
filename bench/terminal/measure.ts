import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { openTmux } from '../../tests/support/tmux.ts';

const ticksPerSecond = 100;

/** A process and everything that it started. */
export function treeOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    all.flatMap((name) => {
      const stat = statOf(Number(name));
      return stat ? [[Number(name), Number(stat[1])] as const] : [];
    }),
  );
  const found = [pid];
  for (const next of found) for (const [child, parent] of parents) if (parent === next) found.push(child);
  return found;
}

/** Fields of /proc/PID/stat after the name, which may have spaces. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
const secondsOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const stat = statOf(pid);
    return sum + (stat ? (Number(stat[11]) + Number(stat[12])) / ticksPerSecond : 0);
  }, 0);
const megabytesOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + (Number(statOf(pid)?.[21] ?? 0) * 4096) / 1e6, 0);

export interface Measured {
  seconds: number;
  frames: number;
  bytes: number;
  processor: number;
  megabytes: number;
  keys: number[];
}

/** Types a key now and then into a terminal that is busy, and reads off tmux when it stands there. */
export async function measure(
  terminal: ReturnType<typeof openTmux>,
  { seconds, output, keyEveryMs = 400 }: { seconds: number; output: string; keyEveryMs?: number },
): Promise<Measured> {
  const pids = treeOf(terminal.program());
  const [begun, before, bytesBefore] = [performance.now(), secondsOf(pids), statSync(output).size];
  const keys: number[] = [];
  let typed = '';
  for (let at = 0; performance.now() - begun < seconds * 1000; at++) {
    const key = 'abcdefghij'[at % 10] ?? 'a';
    typed = `${typed}${key}`.slice(-30);
    const pressed = performance.now();
    terminal.type(key);
    while (!terminal.screen().includes(typed) && performance.now() - pressed < 10_000) await wait(2);
    keys.push(performance.now() - pressed);
    if (typed.length === 30) {
      terminal.press('C-u');
      typed = '';
    }
    await wait(keyEveryMs);
  }
  const took = (performance.now() - begun) / 1000;
  const bytes = readFileSync(output).subarray(bytesBefore);
  return {
    seconds: took,
    frames: bytes.toString('latin1').split('\x1b[?2026h').length - 1,
    bytes: bytes.length,
    processor: secondsOf(pids) - before,
    megabytes: megabytesOf(pids),
    keys: keys.toSorted((a, b) => a - b),
  };
}

export const quantile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const measuredLine = (
  name: string,
  { seconds, frames, bytes, processor, megabytes, keys }: Measured,
): string =>
  [
    name.padEnd(22),
    `frames/s ${(frames / seconds).toFixed(1)}`,
    `KB/s ${(bytes / 1024 / seconds).toFixed(1)}`,
    `processor ${((100 * processor) / seconds).toFixed(0)} %`,
    `${megabytes.toFixed(0)} MB`,
    `key to screen p50 ${quantile(keys, 0.5).toFixed(0)} ms, p95 ${quantile(keys, 0.95).toFixed(0)} ms (${keys.length} keys)`,
  ].join(' · ');
