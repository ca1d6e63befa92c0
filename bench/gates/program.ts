import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckReport } from '../../src/engines/inspection/index.ts';
import { launcher } from '../../tests/support/program.ts';

/** One check by the program as it is shipped, with the processor seconds of the tools and of all the rest. */
export interface Checked {
  report: CheckReport;
  seconds: number;
  own: number;
  tools: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'gates-lab-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const toolTimes = join(scratch, 'tools');
const ownTimes = join(scratch, 'own');

/** Stands before bubblewrap, which does not hand on what its children used: the shell that it starts writes that down. */
const shim = `#!/bin/bash
exec 9>>'${toolTimes}'
before=()
while [ $# -gt 0 ]; do word=$1; shift; before+=("$word"); [ "$word" = -- ] && break; done
[ $# -eq 0 ] && exec /usr/bin/bwrap "\${before[@]}"
exec /usr/bin/bwrap "\${before[@]}" bash -c '"$@"; code=$?; times >&9; exit $code' bash "$@"
`;
writeFileSync(join(scratch, 'bwrap'), shim);
chmodSync(join(scratch, 'bwrap'), 0o755);

export function runCheck(cwd: string, input: Record<string, unknown>): Checked {
  for (const file of [toolTimes, ownTimes]) rmSync(file, { force: true });
  const words = Object.entries<unknown>({ minutes: 3, ...input }).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const started = performance.now();
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `"$@"; code=$?; times > '${ownTimes}'; exit $code`,
      'bash',
      'sh',
      launcher(),
      'check',
      '--json',
      ...words,
    ],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, PATH: `${scratch}:${process.env['PATH']}` },
    },
  );
  const seconds = (performance.now() - started) / 1000;
  if (!stdout.trim().startsWith('{')) throw new Error(`sylk check: ${(stderr || stdout).slice(0, 500)}`);
  const report = JSON.parse(stdout) as CheckReport;
  return { report, seconds, own: processorSeconds(ownTimes), tools: processorSeconds(toolTimes) };
}

/** `times` prints two lines, of the shell and of its children: `1m2.5s 0m0.3s`. */
function processorSeconds(file: string): number {
  if (!existsSync(file)) return 0;
  const all = [...readFileSync(file, 'utf8').matchAll(/(\d+)m([\d.]+)s/g)];
  return all.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
