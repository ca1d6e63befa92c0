import { quoteForPattern } from '../../base/text/index.ts';
import { askedRoles, broughtAlong, roleSignals } from '../../stores/history/index.ts';
import type { Candidate, FoundPassage } from './candidates.ts';
import type { RecallQuery } from './query.ts';
import { addStandings, normaliseSignals, score } from './scorer.ts';
import type { ScorePart, Signals } from './source.ts';
import { type Weights, weightsFor } from './weights.ts';

export interface Ranked extends Candidate {
  score: number;
  parts: ScorePart[];
}

export interface RankOptions {
  /** Files that change together with one, with the share of its commits. */
  changedWith?: ((owner: string) => Map<string, number>) | undefined;
  /** How far the words of the question are not those of the texts, 0 … 1. */
  unsaid?: number;
}

/** Orders candidates: what is named exactly first, then by the scorer. */
export function rank(candidates: Candidate[], query: RecallQuery, options: RankOptions = {}): Ranked[] {
  const asked = askedRoles(query.text);
  for (const candidate of candidates) {
    const named = namedBy(candidate.owner, query);
    if (named > 0) candidate.signals['named'] = named;
    if (query.kind !== 'identifier' && query.identifiers.some((name) => defines(candidate, name)))
      candidate.signals['defines'] = 1;
    if (candidate.domain === 'code')
      for (const [role, value] of Object.entries(roleSignals(candidate.owner, asked)))
        if (value > 0) candidate.signals[signalOfRole(role)] = value;
    const letter = letterOf(candidate, query);
    if (letter > candidate.letter) candidate.letter = letter;
    orderPassages(candidate.passages);
  }
  normaliseSignals(candidates.map((candidate) => candidate.signals));
  const signals = candidates.map((candidate) => candidate.signals);
  const weights = weightsFor(
    query,
    signals.some((each) => (each['meaning'] ?? each['meaning_votes'] ?? 0) > 0),
  );
  addUnsaid(signals, options.unsaid ?? 0);
  addStandings(signals, weights);
  if (options.changedWith) {
    addTogether(candidates, weights, options.changedWith);
    addStandings(signals, weights);
  }
  return candidates
    .map((candidate) => ({ ...candidate, ...score(candidate.signals, weights) }))
    .sort(
      (left, right) =>
        right.letter - left.letter || right.score - left.score || (left.owner < right.owner ? -1 : 1),
    );
}

/** `wantedTest` is the signal `wanted_test`. */
const signalOfRole = (role: string): string => role.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Where the words of the question are hardly there, what is found by them is chance, and meaning has to decide. */
function addUnsaid(all: Signals[], share: number): void {
  if (share <= 0) return;
  for (const signals of all) if (signals['meaning']) signals['unsaid'] = share * signals['meaning'];
}

/** A second look: what changes together with the best of the first one. */
function addTogether(
  candidates: Candidate[],
  weights: Weights,
  changedWith: (owner: string) => Map<string, number>,
): void {
  const scores = candidates.map(({ owner, signals }) => ({
    key: owner,
    score: score(signals, weights).score,
  }));
  const brought = broughtAlong(scores, changedWith);
  for (const { owner, signals } of candidates) {
    const share = brought.get(owner);
    if (share) signals['together'] = share;
  }
}

function orderPassages(passages: FoundPassage[]): void {
  const bestWords = Math.max(1e-9, ...passages.map((passage) => passage.words));
  const value = (passage: FoundPassage) => passage.words / bestWords + Math.max(0, passage.similarity);
  passages.sort((left, right) => value(right) - value(left) || left.startLine - right.startLine);
}

/** Is the file's own name in the question? A whole name counts more than one of its words. */
function namedBy(owner: string, query: RecallQuery): number {
  const text = query.text.toLowerCase();
  const file = owner.slice(owner.lastIndexOf('/') + 1).toLowerCase();
  if (file.length >= 3 && text.includes(file)) return 1;
  const stem = file.replace(/\.[^.]+$/, '').replace(/^_+/, '');
  const generic = stem === 'index' || stem === 'main' || stem === '__init__' || stem === 'init';
  const name = generic ? (owner.split('/').at(-2)?.toLowerCase() ?? '') : stem;
  if (name.length < 3 || !text.includes(name)) return 0;
  return new RegExp(`(^|[^\\p{L}\\p{N}])${quoteForPattern(name)}($|[^\\p{L}\\p{N}])`, 'u').test(text)
    ? 0.7
    : 0;
}

function letterOf(candidate: Candidate, query: RecallQuery): Candidate['letter'] {
  if (query.kind === 'path') {
    const path = candidate.owner.toLowerCase();
    const asked = (query.paths[0] ?? query.text).toLowerCase().replace(/\/+$/, '');
    if (path === asked || path.endsWith(`/${asked}`)) return 2;
    return path.includes(asked) ? 1 : 0;
  }
  if (query.kind !== 'identifier') return 0;
  const asked = query.identifiers[0] ?? query.text;
  return defines(candidate, asked) ? 2 : 0;
}

/** Passages carry the symbols around them as headings. */
function defines(candidate: Candidate, name: string): boolean {
  const last = name.split(/\.|::|#|->/).at(-1) ?? name;
  return candidate.passages.some((passage) =>
    passage.heading.some((each) => each === last || each.split(/[.,\s]+/).includes(last)),
  );
}
