import { mentions } from '../claims/sentences.ts';
import type { TreeFacts } from '../claims/tree-facts.ts';

const saysUse =
  /\b(?:us(?:e|es|ed|ing)|chose|adopt\w*|built (?:on|with)|based on|powered by|depends? on|rel(?:y|ies) on) ((?:[^\s,;:()]+ ?){1,4})/gi;
/** What the words after a verb of use name: a package that only occurs in the sentence is not said to be used. */
const usedIn = (text: string): string => [...text.matchAll(saysUse)].map(([, used]) => used).join(' | ');

/** It weighs, plans or tells of the past: nothing that a tree can confirm. */
const weighs =
  /^(?:good|bad|neutral),? because\b|\b(?:could|should|would|might|consider\w*|instead|rather|alternativ\w*|propos\w*|not|if|option|over|without|remov\w*|replac\w*)\b|\?/i;

/** Packages with plain English names: a sentence that has the word need not mean the package. */
const isPlainWord = (name: string): boolean => /^[a-z]+$/.test(name) && name.length < 5;

const name = '`?([A-Za-z_$][\\w$]{3,})(?:\\(\\))?`?';
const value = '`?(?:\\d[\\d_.]*|\'[^\']*\'|"[^"]*"|true|false)`?';
const ofNames = [
  new RegExp(`${name}(?: \\w+)? (?:extends|implements|inherits from|subclasses) \`?[A-Z]\\w+`, 'g'),
  new RegExp(`\`?([A-Z][A-Z\\d_]{3,})\`? (?:is|=|equals|defaults to|is set to) ${value}(?![\\w%])`, 'g'),
  /\b(?:added|introduced|created|defines?|exports?|exposes?) (?:a |an |the |new )*`([A-Za-z_$][\w$]{3,})(?:\(\))?`/g,
];
const ofPlace = new RegExp(
  `${name}(?: \\w+)? (?:is|are|lives?|sits?|resides?)(?: \\w+)? (?:in|at|under) \`?([\\w@./-]+\\.\\w{1,5})\`?`,
  'g',
);
const ofFile = /\b(?:added|introduced|created) (?:a |an |the |new )*`([\w@.-]+\/[\w@./-]+\.\w{1,5})`/g;

/**
 * Whether a program can look up in a tree what the sentence says: that a package which a manifest lists is used, that a
 * symbol which is defined stands in a file which is there, inherits something, has a value or was made, that a file was made.
 * Apart from the rules of the product, which are measured with it.
 */
export function isCheckable(text: string, facts: TreeFacts): boolean {
  if (weighs.test(text)) return false;
  const used = usedIn(text);
  const packages = used ? [...facts.dependencies()] : [];
  const isUsed = (each: string) => each.length > 2 && !isPlainWord(each) && mentions(used, each);
  if (packages.some(isUsed)) return true;
  const isThere = (path: string) => [...facts.paths()].some((each) => `/${each}`.endsWith(`/${path}`));
  const isDefined = (found: string) => facts.definitions(found).length > 0;
  return (
    ofNames.some((form) => [...text.matchAll(form)].some(([, found = '']) => isDefined(found))) ||
    [...text.matchAll(ofPlace)].some(([, found = '', path = '']) => isThere(path) && isDefined(found)) ||
    [...text.matchAll(ofFile)].some(([, path = '']) => isThere(path))
  );
}
