import { isStated } from '../../src/engines/claims/assertion.ts';
import { extractClaims } from '../../src/engines/claims/claims.ts';
import { documentSentences, messageSentences } from '../claims/sentences.ts';
import { createTreeFacts, gitText } from '../claims/tree-facts.ts';
import { isCheckable } from './checkable.ts';

/** A sentence of a decision record, at the commit that added the record. */
export interface RecordSentence {
  text: string;
  tree: string;
  /** A program can look up in that tree what it says. */
  checkable: boolean;
}

const isRecord = (path: string): boolean =>
  /(?:^|\/)(?:adrs?|decisions|architecture-decisions|decision-records?)\/.*\.md$/i.test(path) &&
  !/template|readme|index\.md/i.test(path);

export function recordSentences(gitDirectory: string): RecordSentence[] {
  const factsAt = createTreeFacts(gitDirectory);
  const log = gitText(gitDirectory, [
    'log',
    '--no-merges',
    '--diff-filter=A',
    '--no-renames',
    '--name-only',
    '--format=%x01%H',
  ]);
  const found: RecordSentence[] = [];
  for (const record of log.split('\x01').slice(1)) {
    const [tree = '', ...paths] = record.split('\n').filter(Boolean);
    for (const path of paths.filter(isRecord)) {
      for (const text of documentSentences(gitText(gitDirectory, ['cat-file', 'blob', `${tree}:${path}`])))
        found.push({ text, tree, checkable: isCheckable(text, factsAt(tree)) });
    }
  }
  return found;
}

/** Sentences of prose in the documents of HEAD, for judging by hand what is verified. */
export const documentSentencesOf = (gitDirectory: string): RecordSentence[] =>
  gitText(gitDirectory, ['ls-tree', '-r', '--name-only', 'HEAD'])
    .split('\n')
    .filter((path) => /\.mdx?$/i.test(path) && !/changelog|license|node_modules|vendor/i.test(path))
    .slice(0, 150)
    .flatMap((path) => documentSentences(gitText(gitDirectory, ['cat-file', 'blob', `HEAD:${path}`])))
    // Only these can be verified; the rest would take hours.
    .filter((text) => extractClaims(text).some(isStated))
    .map((text) => ({ text, tree: 'HEAD', checkable: false }));

/** Sentences of the last commits' messages, each at its commit: what was done and decided, as people say it. */
export const messageSentencesOf = (gitDirectory: string): RecordSentence[] =>
  gitText(gitDirectory, ['log', '--no-merges', '-n400', '--format=%x01%H%n%B'])
    .split('\x01')
    .slice(1)
    .flatMap((record) => {
      const [tree = '', ...lines] = record.split('\n');
      return messageSentences(lines.join('\n')).map((text) => ({ text, tree, checkable: false }));
    })
    .filter(({ text }) => extractClaims(text).some(isStated))
    .slice(0, 40);
