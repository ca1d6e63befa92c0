import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { openSqlite } from '../../src/base/sqlite/index.ts';
import { type CodeStore, openCode } from '../../src/stores/code/index.ts';

/** Copies a directory into a fresh repository, indexes it, hands it on, and leaves nothing behind. */
export async function withIndexed<T>(
  directory: string,
  work: (code: CodeStore) => T | Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'sylk-gold-'));
  try {
    cpSync(directory, root, { recursive: true });
    spawnSync('git', ['init', '-q', root]);
    const sqlite = openSqlite(join(root, '.git', 'index.db'), { durability: 'normal' });
    const settings = { exclude: [], max_file_bytes: 1_000_000, workers: 1 };
    const code = openCode({
      sqlite: () => sqlite,
      git: createGit(root),
      repository: findRepository(root),
      settings,
    });
    await code.update();
    const result = await work(code);
    sqlite.close();
    return result;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export interface Score {
  right: number;
  ours: number;
  gold: number;
}

export const add = (total: Score, one: Score): void => {
  total.right += one.right;
  total.ours += one.ours;
  total.gold += one.gold;
};

export function scoreOf(ours: ReadonlySet<string>, gold: ReadonlySet<string>): Score {
  let right = 0;
  for (const one of ours) if (gold.has(one)) right++;
  return { right, ours: ours.size, gold: gold.size };
}

export function show(label: string, { right, ours, gold }: Score): string {
  const precision = ours === 0 ? 1 : right / ours;
  const recall = gold === 0 ? 1 : right / gold;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const number = (value: number) => value.toFixed(3);
  return `${label.padEnd(28)} precision ${number(precision)}  recall ${number(recall)}  F1 ${number(f1)}  (right ${right}, ours ${ours}, gold ${gold})`;
}
