import type { Answers } from '../../../stores/answers/index.ts';
import type { QuestionIntent, Specialist } from '../reader/index.ts';
import type { CacheStatistics } from './question.ts';
import { strategies } from './strategies.ts';

const none = { entries: 0, hits: 0, misses: 0, invalidations: 0, expired: 0, evicted: 0, tokens_saved: 0 };

/** Counts of all; questions only as far as these eyes may see them. */
export function readStatistics(answers: Answers, sees: string[] | 'all'): CacheStatistics {
  const counted = new Map(answers.counts().map((row) => [`${row.agent} ${row.intent}`, row]));
  return {
    intents: strategies.map(({ agent, intent, limit, ttl, similarity, found }) => {
      const { entries, hits, misses, ...rest } = counted.get(`${agent} ${intent}`) ?? none;
      return {
        agent,
        intent,
        entries,
        limit,
        ttl_minutes: ttl,
        found_by: found === 'meaning' ? `meaning ${similarity}` : 'subject',
        hits,
        misses,
        hit_rate: hits + misses === 0 ? 0 : hits / (hits + misses),
        invalidations: rest.invalidations,
        expired: rest.expired,
        evicted: rest.evicted,
        tokens_saved: rest.tokens_saved,
      };
    }),
    top: answers
      .mostServed(sees, 10)
      .map((row) => ({ ...row, agent: row.agent as Specialist, intent: row.intent as QuestionIntent })),
    bytes: answers.bytes(),
  };
}
