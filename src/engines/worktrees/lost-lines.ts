import type { Git } from '../../base/git/index.ts';

export interface LostLine {
  file: string;
  text: string;
}

const mostFiles = 500;
const mostBytes = 4_000_000;

/**
 * Lines that `side` has more of than `base`, and that `result` does not have. Lines without a letter or digit say nothing and
 * are left out; a file that was renamed on the way is looked for among the files that are new in the result.
 */
export async function lostLines(
  git: Git,
  { base, side, result }: { base: string; side: string; result: string },
): Promise<{ lost: LostLine[]; notCompared: number }> {
  const changed = await changedFiles(git, base, side);
  const compared = changed.slice(0, mostFiles);
  const lost: LostLine[] = [];
  for (const file of compared) {
    const [before, own, after] = await Promise.all(
      [base, side, result].map((commit) => linesOf(git, commit, file)),
    );
    if (!own) continue;
    for (const [text, count] of own) {
      const added = count - (before?.get(text) ?? 0);
      if (added > 0 && (after?.get(text) ?? 0) < added) lost.push({ file, text });
    }
  }
  const elsewhere = lost.length === 0 ? new Set<string>() : await newLines(git, side, result);
  return {
    lost: lost.filter(({ text }) => !elsewhere.has(text)),
    notCompared: changed.length - compared.length,
  };
}

const changedFiles = (git: Git, from: string, to: string, filter = 'ACMRT'): Promise<string[]> =>
  git.list(['diff-tree', '-r', '-z', '--no-renames', '--name-only', `--diff-filter=${filter}`, from, to]);

async function newLines(git: Git, from: string, to: string): Promise<Set<string>> {
  const files = (await changedFiles(git, from, to, 'A')).slice(0, mostFiles);
  const lines = await Promise.all(files.map((file) => linesOf(git, to, file)));
  return new Set(lines.flatMap((found) => [...(found?.keys() ?? [])]));
}

/** How often each line occurs; undefined where there is no such file, or none with text. */
async function linesOf(git: Git, commit: string, file: string): Promise<Map<string, number> | undefined> {
  const { code, stdout } = await git.run(['cat-file', 'blob', `${commit}:${file}`], {
    accept: [128],
    maxOutputBytes: mostBytes,
    mayCut: true,
  });
  if (code !== 0 || stdout.includes(0)) return undefined;
  const lines = new Map<string, number>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const text = line.trim();
    if (/[\p{L}\p{N}]/u.test(text)) lines.set(text, (lines.get(text) ?? 0) + 1);
  }
  return lines;
}
