import { idOf, isRefOf, refOf } from '../base/ref.ts';
import type { Knower, KnowerAnswer, KnowerQuestion } from '../engines/guide/knowers/index.ts';
import type { CacheQuestion, IntentCaches } from '../engines/recall/index.ts';
import { version } from '../version.ts';

/** Whoever knows, answering from what was answered before as long as that still holds. Only questions are kept. */
export function keptKnower(
  agent: CacheQuestion['agent'],
  knower: Knower,
  caches: () => Promise<IntentCaches>,
): Knower {
  return async (question) => {
    if (question.verb !== 'recall') return knower(question);
    const kept = await caches();
    const asked = cacheQuestion(agent, question);
    const known = await kept.look<KnowerAnswer>(asked);
    if (known.hit) return { ...known.answer, level: 1 };
    const mark = await kept.mark(asked);
    const answer = await knower(question);
    // Answers that were made without the model's vectors get better by themselves.
    if (!answer.notes.some((note) => note.startsWith('answered by')))
      await kept.keep(mark, {
        answer,
        empty: answer.status !== 'ok',
        evidence: evidenceOf(answer, question),
        tokens: 0,
      });
    return answer;
  };
}

function cacheQuestion(agent: CacheQuestion['agent'], question: KnowerQuestion): CacheQuestion {
  const { query, intent, subject, time_scope, session, path, token_budget, thoroughness } = question;
  return {
    text: query,
    agent,
    intent: intent as CacheQuestion['intent'],
    subject,
    confidence: question.confidence ?? 0,
    viewer: { session, seesAll: false },
    shape: { path, token_budget, thoroughness, version },
    timeScope: time_scope,
  };
}

/** Where work stands is told by the session itself. */
const evidenceOf = ({ citations }: KnowerAnswer, { session, intent }: KnowerQuestion) => ({
  files: citations.flatMap(({ ref }) => (isRefOf(ref, 'file') ? [idOf(ref)] : [])),
  refs: [
    ...citations.flatMap(({ ref }) => (isRefOf(ref, 'file') ? [] : [ref])),
    ...(intent === 'RESUME' ? [refOf('session', session)] : []),
  ],
});
