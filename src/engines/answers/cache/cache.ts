import { similarity } from '../../../base/embedding/index.ts';
import { redact, redactValue } from '../../../base/redact.ts';
import type { AnswerHead, AnswerPlace, KeptAnswer } from '../../../stores/answers/index.ts';
import { type Concept, conceptOf, isNearConcept, isSameConcept } from './concept.ts';
import { createFreshness } from './freshness.ts';
import type { CacheParts } from './parts.ts';
import type { AnswerCache, CacheMark, CacheQuestion, Looked, MissReason } from './question.ts';
import { readStatistics } from './statistics.ts';
import { batchLimit, type Strategy, strategyOf, trustedConfidence, twinSimilarity } from './strategies.ts';
import { timeKey } from './time-key.ts';
import { relatedNames } from './vocabulary.ts';

const shared = 'shared';

export function createAnswerCache(parts: CacheParts): AnswerCache {
  const { answers, current, clock } = parts;
  const freshness = createFreshness(parts);
  let warned = false;

  /** A cache that cannot be read or written is no reason to fail. */
  const safely = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!warned) parts.warn?.(`answers are not kept: ${error instanceof Error ? error.message : error}`);
      warned = true;
      return otherwise;
    }
  };

  const look = async <Answer>(question: CacheQuestion): Promise<Looked<Answer>> => {
    const strategy = strategyOf(question.agent, question.intent);
    if (!strategy) return { hit: false, reason: 'absent' };
    const reasons = new Set<MissReason>();
    for await (const { kept, by } of candidates(question, strategy)) {
      const state = await freshness.check(kept, question);
      if (state === 'good') {
        answers.served(kept, clock.now());
        return {
          hit: true,
          answer: JSON.parse(kept.answer) as Answer,
          by,
          asked: kept.asked,
          ageSeconds: Math.max(0, Math.round((clock.now() - kept.madeAt) / 1000)),
          hits: kept.hits + 1,
          savedTokens: kept.tokens,
        };
      }
      reasons.add(state === 'expired' ? 'expired' : 'changed');
    }
    answers.count(question.agent, question.intent, 'misses');
    const reason = reasons.has('changed') ? 'changed' : reasons.has('expired') ? 'expired' : undefined;
    return { hit: false, reason: reason ?? (isTrusted(question) ? 'absent' : 'unsure') };
  };

  /** The surest first: the same words, another name of the subject, near in meaning. */
  async function* candidates(
    question: CacheQuestion,
    strategy: Strategy,
  ): AsyncGenerator<{ kept: KeptAnswer; by: 'subject' | 'related' | 'meaning' | 'fallback' }> {
    const place = await placeOf(question, strategy);
    const concept = conceptOf(question.text, question.intent);
    const tried = new Set<number>();
    // "Where is it?" is about whatever was meant then; only going on where one stopped needs no subject.
    const about = isTrusted(question) && (concept.words.length > 0 || question.intent === 'RESUME');
    if (about) {
      for (const kept of answers.of(place, concept.key)) {
        if (
          kept.intent !== question.intent ||
          !isSameConcept(concept, conceptOf(kept.asked, question.intent))
        )
          continue;
        tried.add(kept.id);
        yield { kept, by: strategy.found };
      }
    }
    const heads = answers.heads(place).filter((head) => !tried.has(head.id));
    if (heads.length === 0) return;
    if (about)
      for (const head of heads) {
        if (head.intent !== question.intent || !isRelated(question, concept, head)) continue;
        tried.add(head.id);
        const kept = answers.get(head.id);
        if (kept) yield { kept, by: 'related' };
      }
    for (const { head, nearness } of await nearest(question.text, heads)) {
      if (tried.has(head.id)) continue;
      const own = about && head.intent === question.intent && nearness >= strategy.similarity;
      if (!own && nearness < twinSimilarity) continue;
      const intent = head.intent as CacheQuestion['intent'];
      if (!isNearConcept(conceptOf(question.text, intent), conceptOf(head.asked, intent))) continue;
      const kept = answers.get(head.id);
      if (kept) yield { kept, by: own && strategy.similarity < twinSimilarity ? 'meaning' : 'fallback' };
    }
  }

  const nearest = async (text: string, heads: AnswerHead[]) => {
    const plain = plainText(text);
    const own = await parts.embed?.(text).catch(() => undefined);
    return heads
      .map((head) => {
        if (plainText(head.asked) === plain) return { head, nearness: 1 };
        const comparable = own && head.vector && head.maker === own.maker;
        return { head, nearness: comparable ? similarity(own.vector, head.vector!) : 0 };
      })
      .filter(({ nearness }) => nearness > 0)
      .sort((a, b) => b.nearness - a.nearness);
  };

  const placeOf = async (question: CacheQuestion, strategy: Strategy): Promise<AnswerPlace> => ({
    agent: question.agent,
    sees: (await mayShare(question, strategy)) ? [eyesOf(question), shared] : [eyesOf(question)],
    overlays: [...new Set([current.overlay(), ''])],
    time: timeKey(question.timeScope, clock.now()),
    shape: shapeOf(question),
  });

  /** Sessions that see the same share; one that wrote something sees more than the others. */
  const mayShare = async ({ viewer }: CacheQuestion, { ofSession, versions }: Strategy): Promise<boolean> => {
    if (ofSession) return false;
    if (!versions.includes('visibility')) return true;
    const [own, others] = await Promise.all(
      [viewer, { session: '', seesAll: false }].map((each) => current.version('visibility', each)),
    );
    return !viewer.seesAll && own === others;
  };

  const mark = async (question: CacheQuestion): Promise<CacheMark> => {
    const strategy = strategyOf(question.agent, question.intent);
    const versions = strategy ? await safely(() => freshness.moment(question, strategy), '') : '';
    return { question, versions, at: clock.now() };
  };

  const keep: AnswerCache['keep'] = async (taken, made) => {
    const { question } = taken;
    const strategy = strategyOf(question.agent, question.intent);
    if (made.empty) return { kept: false, reason: 'empty' };
    if (made.evidence.files.length + made.evidence.refs.length === 0)
      return { kept: false, reason: 'no_evidence' };
    if (!strategy || taken.versions === '') return { kept: false, reason: 'unavailable' };
    if (taken.versions !== (await safely(() => freshness.moment(question, strategy), '')))
      return { kept: false, reason: 'changed_meanwhile' };
    const { refs } = made.evidence;
    const files = [...new Set([...made.evidence.files, ...refs.flatMap(fileOfSymbol)])];
    const embedded = await parts.embed?.(question.text).catch(() => undefined);
    const rests = await safely(() => freshness.restsOn(question, strategy, files, refs), undefined);
    if (!rests) return { kept: false, reason: 'changed_meanwhile' };
    const write = async () => {
      const isShared = !citesMemory(refs) && (await mayShare(question, strategy));
      const sees = isShared ? shared : eyesOf(question);
      answers.put(
        {
          agent: question.agent,
          intent: question.intent,
          subject: question.subject,
          concept: conceptOf(question.text, question.intent).key,
          related: [...new Set([...(question.related ?? []), ...relatedNames(question.subject)])],
          time: timeKey(question.timeScope, taken.at),
          sees,
          overlay: current.overlay(),
          shape: shapeOf(question),
          asked: question.text,
          answer: JSON.stringify(redactValue(made.answer)),
          tokens: made.tokens,
          complete: made.evidence.complete ?? true,
          ...rests,
          vector: embedded?.vector,
          maker: embedded?.maker ?? '',
          madeAt: taken.at,
        },
        strategy.limit,
      );
      return true;
    };
    return (await safely(write, false)) ? { kept: true } : { kept: false, reason: 'unavailable' };
  };

  return {
    look: <Answer>(question: CacheQuestion) =>
      safely<Looked<Answer>>(() => look(clean(question)), { hit: false, reason: 'absent' }),
    mark: (question) => mark(clean(question)),
    keep,
    filesChanged: (paths) => {
      void safely(async () => {
        if (paths.length > batchLimit) answers.drop(answers.ids('librarian'), 'invalidations');
        else freshness.dropChanged(paths);
      }, undefined);
    },
    clear: (agent) => {
      const dropped = answers.drop(answers.ids(agent));
      answers.settle();
      return dropped;
    },
    statistics: (viewer) => readStatistics(answers, viewer.seesAll ? 'all' : [eyesOf({ viewer }), shared]),
    close: () => answers.close(),
  };
}

/** Secrets never reach the disk, not even as part of a question. */
const clean = (question: CacheQuestion): CacheQuestion => ({
  ...question,
  text: redact(question.text),
  subject: redact(question.subject),
});
const isTrusted = (question: CacheQuestion): boolean => question.confidence >= trustedConfidence;
const eyesOf = ({ viewer }: Pick<CacheQuestion, 'viewer'>): string =>
  viewer.seesAll ? 'all' : `session ${viewer.session}`;
const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s?!.]+/g, ' ')
    .trim();
const shapeOf = ({ shape = {} }: CacheQuestion): string =>
  JSON.stringify(Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1)));

/** `symbol:path#name` rests on the file that defines it. */
const fileOfSymbol = (ref: string): string[] => {
  const path = /^symbol:([^#]+)#/.exec(ref)?.[1];
  return path ? [decodeURIComponent(path)] : [];
};

/** What a session wrote is for that session, even where a question about code led to it. */
const citesMemory = (refs: string[]): boolean =>
  refs.some((ref) => /^(?:entry|session|note|mistake|checkpoint):/.test(ref));

/** The subjects are known as names of one thing, and the rest of both questions is the same. */
function isRelated(question: CacheQuestion, concept: Concept, head: AnswerHead): boolean {
  const related = question.related?.includes(head.subject) || head.related.includes(question.subject);
  if (!related || question.subject === head.subject) return false;
  const beside = (words: string[], subject: string) => {
    const named = new Set(conceptOf(subject.replaceAll('_', ' '), question.intent).words);
    return words.filter((word) => !named.has(word)).join(' ');
  };
  const theirs = conceptOf(head.asked, question.intent);
  return beside(concept.words, question.subject) === beside(theirs.words, head.subject);
}
