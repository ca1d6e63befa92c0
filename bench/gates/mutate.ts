import { createHash } from 'node:crypto';
import { type Clone, isSource, isTest, type Step } from './clone.ts';

export interface Mutation {
  file: string;
  line: number;
  before: string;
  after: string;
  text: string;
}

/** What stands in the code and what takes its place; any language, so no grammar. */
const operators: Array<[RegExp, string]> = [
  [/===|==(?!=)/, '!='],
  [/!==?/, '=='],
  [/<=/, '>'],
  [/>=/, '<'],
  [/ && | and /, ' || '],
  [/ \+ /, ' - '],
  [/ - /, ' + '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bTrue\b/, 'False'],
  [/\bFalse\b/, 'True'],
  [/\b([1-9]\d?)\b/, '0'],
  [/\breturn [^;]+/, 'return'],
  [/^(\s*)([\w.]+\(.*\);?)\s*$/, '$1'],
  [/(\w)\.(\w{3,})\(/, '$1.$2X('],
];

/** Blind changes of lines that the commit added to source files; the seed decides where and which. */
export function mutationsOf(
  { git }: Clone,
  { commit, parent, files }: Step,
  most: number,
  seed: string,
): Mutation[] {
  const candidates: Mutation[] = [];
  for (const file of files.filter((path) => isSource(path) && !isTest(path))) {
    const added = addedLines(git(['diff', '-U0', '--no-renames', parent, commit, '--', file]));
    const text = added.size === 0 ? '' : git(['show', `${commit}:${file}`]);
    const lines = `${text}\n`.split('\n').slice(0, -1);
    for (const line of added) {
      const before = lines[line - 1] ?? '';
      if (/^\s*(\/\/|#|\*|\/\*|import |from |use |package )/.test(before)) continue;
      for (const [pattern, replacement] of operators) {
        const after = before.replace(
          pattern,
          pattern.source.includes(' and ') && before.includes(' and ') ? ' or ' : replacement,
        );
        if (after === before) continue;
        const changed = lines.with(line - 1, after).join('\n');
        candidates.push({ file, line, before: before.trim(), after: after.trim(), text: `${changed}\n` });
      }
    }
  }
  const order = (one: Mutation) =>
    createHash('sha256').update(`${seed}${commit}${one.file}${one.line}${one.after}`).digest('hex');
  return candidates.sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, most);
}

function addedLines(diff: string): Set<number> {
  const lines = new Set<number>();
  for (const [, start, count = '1'] of diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let at = 0; at < Number(count); at++) lines.add(Number(start) + at);
  return lines;
}
