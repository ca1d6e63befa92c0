import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measuredRun, sizeOf } from './gold/measured-run.ts';
import type { BenchOptions } from './run-named.ts';

/** A repository of so many files (default 100,000) is indexed in a heap of 2 GB: `code-scale [files=N]`. */
export default async ({ words }: BenchOptions): Promise<void> => {
  const count = Number(words.find((one) => one.startsWith('files='))?.slice(6) ?? 100_000);
  const work = mkdtempSync(join(tmpdir(), 'sylk-scale-'));
  const root = join(work, 'repository');
  try {
    for (let index = 0; index < count; index++) {
      const path = join(root, `p${index % 97}`, `d${index % 31}`, `f${index}.ts`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source(index, count));
    }
    spawnSync('git', ['init', '-q', root]);
    const index = join(work, 'index.db');
    const args = [
      '--max-old-space-size=2048',
      // As bin/sylk starts it.
      '--max-semi-space-size=8',
      join(import.meta.dirname, 'bench.ts'),
      'code-index',
      'step=full',
      `index=${index}`,
      '--from',
      root,
    ];
    const run = await measuredRun(process.execPath, args, work);
    console.log(
      `${count} files: ${run.seconds.toFixed(0)} s, ${run.cpu.toFixed(0)} processor s, peak ${run.peak.toFixed(0)} MB (bar 1,500), ${sizeOf(index).toFixed(0)} MB on disk; ${run.output.trim()}`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

function source(index: number, count: number): string {
  const other = (index * 7 + 1) % count;
  const lines = [`import { f${other} } from '../../p${other % 97}/d${other % 31}/f${other}.ts';`];
  lines.push(`export class C${index} {\n  run(value: number) {\n    return f${other}(value);\n  }\n}`);
  for (let part = 0; part < 6; part++)
    lines.push(`function part${part}(value: number) {\n  return value + ${part};\n}`);
  lines.push(
    `export function f${index}(value: number): number {\n  return part${index % 6}(new C${index}().run(value));\n}`,
  );
  return `${lines.join('\n')}\n`;
}
