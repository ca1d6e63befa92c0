import { filesystemSource } from '../src/sdk.ts';
import type { BenchOptions } from './run-named.ts';

export interface CollectionReport {
  root: string;
  files: number;
  skills: number;
  /** Files that are neither a skill nor named by a problem. Always empty. */
  unexplained: string[];
  counts: Record<string, number>;
}

/** Every SKILL.md of a tree is a skill or a problem with its reason and line, and every skill loads. */
export async function examine(root: string): Promise<CollectionReport> {
  const { readdirSync } = await import('node:fs');
  const { join, relative } = await import('node:path');
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        /^skill\.md$/i.test(entry.name) &&
        !entry.parentPath.split('/').some((part) => ['node_modules', '.git'].includes(part)),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const source = filesystemSource({ root });
  const skills = await source.list();
  const problems = await source.problems!();
  const explained = new Set([
    ...skills.map((skill) => skill.id),
    ...problems
      .filter((problem) => problem.severity === 'error')
      .map((problem) => problem.file.replace(/\/?[^/]*$/, '')),
  ]);
  const links = problems.filter((problem) => problem.code === 'link-again').map((problem) => problem.file);
  const counts: Record<string, number> = {};
  for (const { severity, code, line, message, fix } of problems) {
    counts[`${severity} ${code}`] = (counts[`${severity} ${code}`] ?? 0) + 1;
    if (line < 1 || message === '' || fix === '')
      throw new Error(`A problem without line, reason or fix: ${code}`);
  }
  for (const skill of skills) await source.load(skill.id);
  const root_ = new Set(['', '.']);
  const unexplained = files
    .map((file) => file.replace(/\/?[^/]*$/, ''))
    .filter((path) => !explained.has(path) && !root_.has(path))
    .filter((path) => !links.some((link) => path === link || path.startsWith(`${link}/`)));
  return { root, files: files.length, skills: skills.length, unexplained, counts };
}

export default async function lab({ from }: BenchOptions): Promise<void> {
  for (const root of from) {
    const { files, skills, unexplained, counts } = await examine(root);
    console.log(`${root}: ${files} files, ${skills} skills, ${unexplained.length} unexplained`);
    for (const [what, count] of Object.entries(counts).sort((one, other) => other[1] - one[1]))
      console.log(`  ${what}: ${count}`);
    for (const path of unexplained.slice(0, 10)) console.log(`  unexplained: ${path}`);
    if (unexplained.length > 0) process.exitCode = 1;
  }
}
