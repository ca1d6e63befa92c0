// Owns: what connects links with the stores behind them: renamed refs, cards, visibility, questions across domains.
// Knows: graph, chronicle, code, history, references, work.
// Must not know: other engines, surfaces.
import { createLinkAnswers } from './answer.ts';
import { createCards } from './cards.ts';
import { createSeeing, type KnowledgeContext } from './context.ts';
import { createEnrichedSearch } from './enriched.ts';
import { createEntryLinks } from './entry-links.ts';
import { createForgetting } from './forget.ts';
import { createLibraryLinks } from './library-links.ts';
import { createPlaces } from './places.ts';
import { createQuestions } from './questions.ts';
import { createRelated } from './related.ts';
import { createReview } from './review.ts';
import { createSources } from './sources.ts';
import { createWalk } from './walk.ts';

export { linkQuestionKind, questionKinds } from './answer.ts';
export { type Card, cardSchema } from './cards.ts';
export { entryCodeSchema } from './entry-links.ts';
export { relatedSchema } from './related.ts';
export { conflictAnswers } from './review.ts';
export { sourceSchema } from './sources.ts';

export function createKnowledge(context: KnowledgeContext) {
  const places = createPlaces(context);
  const seeing = createSeeing(context);
  const cards = createCards(context, places);
  const relatedOf = createRelated(context, { places, cards });
  const entries = createEntryLinks(context, { places, relatedOf });
  const questions = createQuestions(context, { places, cards, relatedOf });
  return {
    graph: context.graph,
    places,
    seeing,
    cards,
    relatedOf,
    entries,
    libraries: createLibraryLinks(context),
    walk: createWalk(context, { places, cards, seeing }),
    sources: createSources(context, { cards, seeing }),
    questions,
    answer: createLinkAnswers(context, questions),
    searchWithContext: createEnrichedSearch(context, { cards, relatedOf }),
    review: createReview(context, { cards, seeing }),
    ...createForgetting(context, entries),
  };
}

export type Knowledge = ReturnType<typeof createKnowledge>;
