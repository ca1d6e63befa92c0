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
  const found = new Map<string, SimilarCard>();
  for (const passage of own.slice(0, 12)) {
    const vector = meaning.space(domain).get(passage.key);
    if (!vector) continue;
    for (const target of options.domains ?? recall.domains()) {
      const near = meaning.space(target).search(vector, options.limit * 4 + own.length);
      const scores = new Map(near.map((match) => [match.key, match.score]));
      for (const other of passages.byKey(target, [...scores.keys()])) {
        const self = target === domain && other.owner === owner;
        if (self && (!options.lines || overlaps(other, options.lines))) continue;
        if (options.accept && !options.accept(other)) continue;
        const ref = sources.find((source) => source.domain === target)?.ref(other.owner) ?? other.owner;
        const name = options.accept ? `${ref}#${other.heading.join('.')}` : ref;
        const similarity = Math.round((scores.get(other.key) ?? 0) * 1000) / 1000;
        if ((found.get(name)?.similarity ?? -1) < similarity)
          found.set(name, {
            ref,
            domain: target,
            path: target === 'code' ? other.owner : undefined,
            lines: `${other.startLine}-${other.endLine}`,
            heading: other.heading.length > 0 ? other.heading.join(' › ') : undefined,
            similarity,
          });
      }
    }
  }
  return [...found.values()]
    .sort((left, right) => right.similarity - left.similarity)
    .slice(0, options.limit);
}

const overlaps = (passage: Passage, { start, end }: { start: number; end: number }): boolean =>
  passage.startLine <= end && passage.endLine >= start;
