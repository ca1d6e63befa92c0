// Owns: what joins links with the stores behind them: healed names, cards, who may see what, questions across domains.
// Knows: graph, chronicle, code, history, references, work.
// Must not know: other engines, surfaces.
import { createCrossAnswers } from './answer.ts';
import { createCards } from './cards.ts';
import { createEnrichedSearch } from './enriched.ts';
import { createEntryLinks } from './entry-links.ts';
import { createForgetting } from './forget.ts';
import { createLibraryLinks } from './library-links.ts';
import type { KnowledgeParts } from './parts.ts';
import { createPlaces } from './places.ts';
import { createQuestions } from './questions.ts';
import { createRelated } from './related.ts';
import { createReview } from './review.ts';
import { createSeeing } from './seeing.ts';
import { createSources } from './sources.ts';
import { createWalk } from './walk.ts';

export { type CrossAnswer, questionKinds } from './answer.ts';
export { type Card, cardSchema } from './cards.ts';
export type { FoundCode, KnowledgeParts } from './parts.ts';
export type { ChangedCode, CodePattern, Decision, KnownIssue } from './questions.ts';
export type { Related } from './related.ts';
export { conflictAnswers } from './review.ts';
export { sourceSchema } from './sources.ts';

export function createKnowledge(parts: KnowledgeParts) {
  const places = createPlaces(parts);
  const seeing = createSeeing(parts);
  const cards = createCards(parts, places);
  const relatedOf = createRelated(parts, { places, cards });
  const entries = createEntryLinks(parts, places);
  const questions = createQuestions(parts, { places, cards, relatedOf });
  return {
    graph: parts.graph,
    places,
    seeing,
    cards,
    relatedOf,
    entries,
    libraries: createLibraryLinks(parts),
    walk: createWalk(parts, { places, cards, seeing }),
    sources: createSources(parts, { cards, seeing }),
    questions,
    answer: createCrossAnswers(parts, questions),
    searchWithContext: createEnrichedSearch(parts, { cards, relatedOf }),
    review: createReview(parts, { cards, seeing }),
    ...createForgetting(parts, entries),
  };
}

export type Knowledge = ReturnType<typeof createKnowledge>;
