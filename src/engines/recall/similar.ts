import { SylkError } from '../../base/errors.ts';
import type { Domain, Passage } from '../../stores/passages/index.ts';
import type { Recall } from './recall.ts';

export interface SimilarCard {
  ref: string;
  domain: Domain;
  path?: string;
  lines: string;
  heading?: string;
  /** Cosine similarity. */
  similarity: number;
}

export interface SimilarOptions {
  limit: number;
  domains?: Domain[];
  /** Only this place of the thing counts. */
  lines?: { start: number; end: number };
  accept?: (passage: Passage) => boolean;
}

/** What means something like a thing that is already known. Each thing is answered once, by its nearest passage. */
export function similarTo(
  recall: Recall,
  domain: Domain,
  owner: string,
  options: SimilarOptions,
): SimilarCard[] {
  const { passages, meaning, sources } = recall.parts;
  if (meaning.off) {
    throw new SylkError('UNAVAILABLE', `What is similar is found by meaning, and ${meaning.off}.`, {
      hint: 'Set embedding.enabled to true, or search by words: `sylk search`.',
    });
  }
  const own = passages
    .ofOwner(domain, owner)
    .filter((passage) => !options.lines || overlaps(passage, options.lines));
  if (own.length === 0) {
    throw new SylkError('NOT_FOUND', `Nothing is known about ${owner} in ${domain}.`, {
      hint: 'Check the name; `sylk search` finds files, `sylk status` says what is indexed.',
    });
  }
  const isOther = (target: Domain, other: Passage): boolean => {
    const isSelf = target === domain && other.owner === owner;
    if (isSelf && (!options.lines || overlaps(other, options.lines))) return false;
    return !options.accept || options.accept(other);
  };
  const found = new Map<string, SimilarCard>();
  const vectors = own.slice(0, 12).flatMap(({ key }) => meaning.space(domain).get(key) ?? []);
  for (const vector of vectors)
    for (const target of options.domains ?? recall.domains()) {
      const near = meaning.space(target).search(vector, options.limit * 4 + own.length);
      const scores = new Map(near.map((match) => [match.key, match.score]));
      for (const other of passages.byKey(target, [...scores.keys()])) {
        if (!isOther(target, other)) continue;
        const ref = sources.find((source) => source.domain === target)?.ref(other.owner) ?? other.owner;
        const name = options.accept ? `${ref}#${other.heading.join('.')}` : ref;
        const card = cardOf(other, { ref, domain: target, score: scores.get(other.key) ?? 0 });
        if ((found.get(name)?.similarity ?? -1) < card.similarity) found.set(name, card);
      }
    }
  return [...found.values()]
    .sort((left, right) => right.similarity - left.similarity)
    .slice(0, options.limit);
}

const overlaps = (passage: Passage, { start, end }: { start: number; end: number }): boolean =>
  passage.startLine <= end && passage.endLine >= start;

const cardOf = (
  { owner, startLine, endLine, heading }: Passage,
  { ref, domain, score }: { ref: string; domain: Domain; score: number },
): SimilarCard => ({
  ref,
  domain,
  path: domain === 'code' ? owner : undefined,
  lines: `${startLine}-${endLine}`,
  heading: heading.length > 0 ? heading.join(' › ') : undefined,
  similarity: Math.round(score * 1000) / 1000,
});
