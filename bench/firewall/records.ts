import { isStated } from '../../src/engines/claims/assertion.ts';
import { extractClaims } from '../../src/engines/claims/claims.ts';
import { documentSentences, mentions } from '../claims/sentences.ts';
import { createTreeFacts, gitText } from '../claims/tree-facts.ts';

/** A sentence of a decision record, at the commit that added the record. */
export interface RecordSentence {
  text: string;
  tree: string;
  /** It says that a package is used that the manifests of that tree list: the code can confirm it. */
  checkable: boolean;
}

const isRecord = (path: string): boolean =>
  /(?:^|\/)(?:adrs?|decisions|architecture-decisions|decision-records?)\/.*\.md$/i.test(path) &&
  !/template|readme|index\.md/i.test(path);

const saysUse =
  /\b(?:us(?:e|es|ed|ing)|chose|adopt\w*|built (?:on|with)|based on|powered by|depends? on|rel(?:y|ies) on) ((?:[^\s,;:()]+ ?){1,4})/gi;

/** What the words after a verb of use name: a package that only occurs in the sentence is not said to be used. */
const usedIn = (text: string): string => [...text.matchAll(saysUse)].map(([, used]) => used).join(' | ');
const weighs =
  /\b(?:could|should|would|might|consider\w*|instead|rather|alternativ\w*|propos\w*|not|if|option|over|without|remov\w*|replac\w*)\b|\?/i;

/** Packages with plain English names: a sentence that has the word need not mean the package. */
const isPlainWord = (name: string): boolean => /^[a-z]+$/.test(name) && name.length < 5;

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
      const packages = [...factsAt(tree).dependencies()].filter(
        (name) => name.length > 2 && !isPlainWord(name),
      );
      for (const text of documentSentences(gitText(gitDirectory, ['cat-file', 'blob', `${tree}:${path}`])))
        found.push({
          text,
          tree,
          checkable: !weighs.test(text) && packages.some((name) => mentions(usedIn(text), name)),
        });
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
