import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { add, type Score, scoreOf, show, withIndexed } from './index-directory.ts';

const kinds = new Set(
  'function method class struct interface enum enumerator trait macro constructor func namespace module package implementation singletonMethod subroutine generator getter setter typedef union type talias anonMember variant'.split(
    ' ',
  ),
);

/** universal-ctags beside ours, language by language: names that both, or only one of the two, find in each file. */
export async function ctags(from: string, detail: boolean): Promise<void> {
  const scores = new Map<string, Score>();
  await withIndexed(from, (code) => {
    for (const file of code.files()) {
      const symbols = code.fileSymbols(file.path);
      if (symbols.length === 0) continue;
      const run = spawnSync(
        'ctags',
        ['--output-format=json', '--fields=+K', '-f', '-', join(from, file.path)],
        { encoding: 'utf8', maxBuffer: 1 << 28 },
      );
      const theirs = new Set<string>();
      for (const line of run.stdout.split('\n')) {
        if (!line.startsWith('{')) continue;
        const tag = JSON.parse(line) as { name: string; kind: string };
        if (kinds.has(tag.kind) && !tag.name.startsWith('__anon') && !/^anonymous/i.test(tag.name))
          theirs.add(tag.name.replace(/^.*::/, ''));
      }
      if (theirs.size === 0) continue;
      const ours = new Set(
        symbols
          .filter((one) => !['field', 'variable', 'constant'].includes(one.kind) || theirs.has(one.name))
          .map((one) => one.name),
      );
      const total = scores.get(file.language) ?? { right: 0, ours: 0, gold: 0 };
      add(total, scoreOf(ours, theirs));
      scores.set(file.language, total);
      if (detail) {
        for (const one of ours) if (!theirs.has(one)) console.log(`  only ours  ${file.path}: ${one}`);
        for (const one of theirs) if (!ours.has(one)) console.log(`  only ctags ${file.path}: ${one}`);
      }
    }
  });
  for (const [language, score] of [...scores].sort()) console.log(show(`${language}, beside ctags`, score));
}
